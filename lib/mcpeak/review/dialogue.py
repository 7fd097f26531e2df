"""The review as a conversation: it yields what it wants of the world and hears what came of it.

Rule of this file: pure; no terminal, no process, no file. The end of input anywhere ends the review with
nothing kept.
"""

from collections.abc import Generator
from typing import Any

from mcpeak.review import show
from mcpeak.review.check import json_of, problems
from mcpeak.review.draft import PASSED, UNTRIED, Draft, Result
from mcpeak.review.effects import Ask, Edit, Effect, Failed, Line, Load, Rerun, Say
from mcpeak.review.helper import Helper

Step = Generator[Effect, Any, Any]

YES = frozenset(("y", "yes", "예", "네", "ㅇ"))


class Ended(Exception):  # noqa: N818 - how a conversation ends, no error
    """The person ended the review, or input ended: nothing is kept."""


class Dialogue:
    """One review. `draft` is what it has come to.

    Args:
        draft: where it starts.
        tools: the server's tools by name, for checks and for a provider.
        can_rerun: whether a case can be tried again (a server was named).
        helper: asks a provider, where the person wants one.
    """

    def __init__(self, draft: Draft, tools: dict[str, Any], *, can_rerun: bool, helper: Helper) -> None:
        self.draft = draft
        self._tools = tools
        self._can_rerun = can_rerun
        self._helper = helper
        self._start = draft
        self._past: list[Draft] = []
        self._current: str | None = None

    def talk(self) -> Generator[Effect, Any, Draft | None]:
        """Hold the conversation; give the draft that was agreed to, or None."""
        yield Say([*show.overview(self.draft), *show.doubts(self.draft), Line("")])
        try:
            yield from self.next_case()
            while True:
                line = yield from self._line(self._menu())
                if (yield from self._do(line.strip())):
                    return self.draft
        except Ended:
            yield Say([show.say("cancelled", "bad")])
            return None

    def _menu(self) -> str:
        pending = len(self.draft.pending())
        return show.word("prompt_pending", count=pending) if pending else show.word("prompt")

    def _line(self, prompt: str) -> Generator[Effect, Any, str]:
        heard = yield Ask(prompt)
        if heard is None:
            raise Ended
        return str(heard)

    def _agreed(self, prompt: str) -> Generator[Effect, Any, bool]:
        heard = yield from self._line(prompt)
        return heard.strip().lower() in YES

    def _do(self, line: str) -> Generator[Effect, Any, bool]:
        """Do what a line asks for; give True when the suite is to be saved."""
        if line.isascii() and line.isdecimal():
            yield from self._go(int(line))
        elif line == "w":
            return (yield from self._save())
        elif line == "q":
            raise Ended
        else:
            action = _ACTIONS.get(line)
            yield from action(self) if action else self.show_help()
        return False

    def show_help(self) -> Step:
        """Say what can be done."""
        yield Say([Line(text) for text in show.word("help_text").splitlines()])

    def list_cases(self) -> Step:
        """List all cases."""
        yield Say([*show.overview(self.draft), *show.listing(self.draft)])

    def _go(self, number: int) -> Step:
        if 1 <= number <= len(self.draft.cases):
            yield from self._show(self.draft.cases[number - 1]["id"])
        else:
            yield Say([show.say("no_case", "bad", count=len(self.draft.cases))])

    def _show(self, name: str) -> Step:
        self._current = name
        yield Say(show.one_case(self.draft, name))

    def next_case(self) -> Step:
        """Go to the next case that waits for a decision."""
        pending = self.draft.pending()
        if not pending:
            self._current = None
            yield Say([show.say("nothing_pending", "good")])
            return
        names = [case["id"] for case in self.draft.cases]
        here = names.index(self._current) if self._current in names else -1
        later = [name for name in pending if names.index(name) > here]
        yield from self._show((later or pending)[0])

    def _case(self) -> dict[str, Any] | None:
        return None if self._current is None else self.draft.case(self._current)

    def _keep(self, draft: Draft) -> None:
        """Take a new draft; the old one can be had back."""
        self._past.append(self.draft)
        self.draft = draft

    def undo(self) -> Step:
        """Take the last change back."""
        if not self._past:
            yield Say([show.say("nothing_to_undo", "bad")])
            return
        before, self.draft = self.draft, self._past.pop()
        yield Say([show.say("undone", "good"), *show.changed(before.suite, self.draft.suite)])
        if self._current is not None and self.draft.case(self._current):
            yield from self._show(self._current)

    def keep_defect(self) -> Step:
        """Keep the case as a defect of the server."""
        case = self._case()
        result = self.draft.results.get(case["id"]) if case else None
        if case is None or result is None or result.status in (PASSED, *UNTRIED):
            yield Say([show.say("no_failing_case", "bad")])
            return
        self._keep(self.draft.defect(case["id"]))
        yield Say([show.say("kept_defect", "good", id=case["id"])])
        yield from self.next_case()

    def drop_case(self) -> Step:
        """Take the case out."""
        case = self._case()
        if case is None:
            yield Say([show.say("no_current", "bad")])
            return
        if len(self.draft.cases) == 1:
            yield Say([show.say("last_case", "bad")])
            return
        yield from self._propose(self.draft.dropped(case["id"]))
        yield from self.next_case()

    def type_input(self) -> Step:
        """Let the person type another input."""
        case = self._case()
        if case is None or case["operation"]["type"] != "callTool":
            yield Say([show.say("no_current", "bad")])
            return
        text = yield from self._line(show.word("prompt_input"))
        if not text.strip():
            return
        value, wrong = json_of(text)
        if wrong is not None or not isinstance(value, dict):
            yield Say([show.say("no_json_object", "bad", at=wrong or "1:1")])
            return
        operation = case["operation"] | {"input": value}
        yield from self._propose(self.draft.changed(case["id"], case | {"operation": operation}), case["id"])

    def edit_case(self) -> Step:
        """Open the current case in the editor."""
        case = self._case()
        if case is None:
            yield Say([show.say("no_current", "bad")])
            return
        value = yield from self._edited(case)
        if isinstance(value, dict):
            name = value.get("id")
            yield from self._propose(
                self.draft.changed(case["id"], value), name if isinstance(name, str) else None
            )

    def edit_suite(self) -> Step:
        """Open the whole suite in the editor."""
        value = yield from self._edited(self.draft.suite)
        if isinstance(value, dict):
            yield from self._replace(value)

    def _edited(self, value: Any) -> Generator[Effect, Any, Any]:
        from mcpeak.review.changes import pretty

        heard = yield Edit(pretty(value) + "\n")
        return (yield from self._read(heard))

    def load_file(self) -> Step:
        """Load the whole suite from a file."""
        path = yield from self._line(show.word("prompt_file"))
        if path.strip():
            heard = yield Load(path.strip())
            value = yield from self._read(heard)
            if isinstance(value, dict):
                yield from self._replace(value)

    def _read(self, heard: Any) -> Generator[Effect, Any, Any]:
        """Read what an editor or a file gave; None: it is no JSON object, or there is none."""
        if isinstance(heard, Failed):
            yield Say([_failed(heard)])
            return None
        value, wrong = json_of(heard)
        if wrong is not None or not isinstance(value, dict):
            yield Say([show.say("no_json_object", "bad", at=wrong or "1:1")])
            return None
        return value

    def _replace(self, suite: dict[str, Any]) -> Step:
        found = problems({key: value for key, value in suite.items() if key != "approval"})
        if found:
            yield Say([show.say("not_valid", "bad"), *(Line(f"  {each}", "bad") for each in found)])
            return
        yield from self._propose(self.draft.replaced(suite))

    def _propose(self, draft: Draft, name: str | None = None) -> Step:
        """Show what a change does, check it, make it when the person agrees; offer to try it again."""
        found = problems(draft.suite)
        if found:
            yield Say([show.say("not_valid", "bad"), *(Line(f"  {each}", "bad") for each in found)])
            return
        lines = show.changed(self.draft.suite, draft.suite)
        if not lines:
            yield Say([show.say("no_change", "mild")])
            return
        yield Say(lines)
        if not (yield from self._agreed(show.word("prompt_apply"))):
            yield Say([show.say("not_applied", "mild")])
            return
        self._keep(draft)
        if name is not None:
            self._current = name
            if self._can_rerun and (yield from self._agreed(show.word("prompt_rerun"))):
                yield from self.try_again()

    def try_again(self) -> Step:
        """Try the case against the server again."""
        case = self._case()
        if case is None:
            yield Say([show.say("no_current", "bad")])
            return
        if not self._can_rerun:
            yield Say([show.say("no_server", "bad")])
            return
        heard = yield Rerun(self.draft.suite | {"cases": [case]})
        if isinstance(heard, Result):
            self._keep(self.draft.tried(case["id"], heard))
            yield from self._show(case["id"])
        else:
            yield Say([_failed(heard)])

    def ask_provider(self) -> Step:
        """Let an AI provider propose changes."""
        before = self.draft
        draft = yield from self._helper.help(self.draft, self._tools, self._line)
        if draft is not before:
            self._keep(draft)
            yield Say(show.overview(draft))

    def show_changes(self) -> Step:
        """Show all that was changed since the draft came."""
        lines = show.changed(self._start.suite, self.draft.suite)
        yield Say(lines or [show.say("no_change", "mild")])

    def _save(self) -> Generator[Effect, Any, bool]:
        """Agree on the last draft: its open cases, its changes, its fingerprint."""
        pending = self.draft.pending()
        if pending:
            prompt = show.word("prompt_defects", count=len(pending))
            if not (yield from self._agreed(prompt)):
                yield from self.next_case()
                return False
            draft = self.draft
            for name in pending:
                draft = draft.defect(name)
            self._keep(draft)
        yield Say(
            [
                *show.overview(self.draft),
                *show.changed(self._start.suite, self.draft.suite),
                show.say("fingerprint", "strong", fingerprint=self.draft.fingerprint()),
            ]
        )
        return (yield from self._agreed(show.word("prompt_save")))


def _failed(failed: Failed) -> Line:
    return show.say(failed.code, "bad", **failed.values)


_ACTIONS = {
    "": Dialogue.next_case,
    "n": Dialogue.next_case,
    "l": Dialogue.list_cases,
    "d": Dialogue.keep_defect,
    "e": Dialogue.type_input,
    "o": Dialogue.edit_case,
    "O": Dialogue.edit_suite,
    "f": Dialogue.load_file,
    "x": Dialogue.drop_case,
    "r": Dialogue.try_again,
    "u": Dialogue.undo,
    "a": Dialogue.ask_provider,
    "c": Dialogue.show_changes,
    "h": Dialogue.show_help,
    "?": Dialogue.show_help,
}
