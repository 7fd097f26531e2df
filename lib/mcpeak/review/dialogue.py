"""The review as a conversation: it yields what it wants of the world and hears what came of it.

Rule of this file: pure; no terminal, no process, no file. The end of input anywhere ends the review with
nothing kept.
"""

from collections.abc import Generator
from typing import Any

from mcpeak.review import show
from mcpeak.review.check import json_of, problems
from mcpeak.review.draft import PASSED, UNTRIED, Draft, Result
from mcpeak.review.effects import Ask, Edit, Effect, Failed, Line, Load, Rerun, Say, Style
from mcpeak.review.fit import destructive, misfits, wants_error
from mcpeak.review.helper import NO, YES, Helper

Step = Generator[Effect, Any, Any]


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
        self._past: list[tuple[Draft, Line]] = []
        self._current: str | None = None

    def talk(self) -> Generator[Effect, Any, Draft | None]:
        """Hold the conversation; give the draft that was agreed to, or None."""
        yield Say([*show.overview(self.draft), *show.doubts(self.draft), Line("")])
        try:
            yield from self._held()
            yield from self.next_case()
            while True:
                line = yield from self._line(self._menu())
                if (yield from self._do(line.strip())):
                    return self.draft
        except Ended:
            yield Say([show.say("cancelled", "bad")])
            return None

    def _menu(self) -> str:
        pending = len(self.draft.waiting())
        return show.word("prompt_pending", count=pending) if pending else show.word("prompt")

    def _line(self, prompt: str) -> Generator[Effect, Any, str]:
        heard = yield Ask(prompt)
        if heard is None:
            raise Ended
        return str(heard)

    def _agreed(self, prompt: str) -> Generator[Effect, Any, bool]:
        """Ask until the answer is one: what was typed for something else must not count as a no."""
        while True:
            heard = (yield from self._line(prompt)).strip().lower()
            if heard in YES or heard in NO:
                return heard in YES
            yield Say([show.say("yes_or_no", "bad", heard=heard)])

    def _held(self) -> Step:
        """Ask before the cases are tried that the dry run left out."""
        cases = [case for case in self.draft.cases if case["id"] in self.draft.held]
        names = [case["id"] for case in cases]
        if not names:
            return
        tools = {case["operation"]["tool"]: None for case in cases}
        yield Say([show.say("held", "bad", count=len(names), tools=", ".join(tools))])
        if self._can_rerun and (yield from self._agreed(show.word("prompt_held", count=len(names)))):
            for name in names:
                yield from self._try(name)

    def _do(self, line: str) -> Generator[Effect, Any, bool]:
        """Do what a line asks for; give True when the suite is to be saved."""
        if line.isascii() and line.isdecimal():
            yield from self._go(int(line))
        elif line == "w":
            return (yield from self._save())
        elif line == "q":
            yield from self._leave()
        elif line in _ACTIONS:
            yield from _ACTIONS[line](self)
        else:
            yield Say([show.say("unknown_word", "bad", word=line)])
        return False

    def _leave(self) -> Step:
        """End; decisions and changes are thrown away only on the person's word."""
        if self._past and not (yield from self._agreed(show.word("prompt_leave"))):
            return
        raise Ended

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
        pending = self.draft.waiting()
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

    def _keep(self, draft: Draft, what: str, **values: object) -> None:
        """Take a new draft; the old one can be had back. `what`: names what was done, for undo."""
        self._past.append((self.draft, show.say(f"undone_{what}", "good", **values)))
        self.draft = draft

    def undo(self) -> Step:
        """Take the last change back."""
        if not self._past:
            yield Say([show.say("nothing_to_undo", "bad")])
            return
        before = self.draft
        self.draft, undone = self._past.pop()
        yield Say([undone, *show.changed(before.suite, self.draft.suite)])
        if self._current is not None and self.draft.case(self._current):
            yield from self._show(self._current)

    def keep_defect(self) -> Step:
        """Keep the case as a defect of the server."""
        case = self._case()
        result = self.draft.results.get(case["id"]) if case else None
        if case is None or result is None or result.status in (PASSED, *UNTRIED):
            yield Say([show.say("not_tried_yet" if case and result is None else "no_failing_case", "bad")])
            return
        self._keep(self.draft.defect(case["id"]), "defect", id=case["id"])
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
        yield from self._propose(self.draft.dropped(case["id"]), "drop", case["id"])
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
        draft = self.draft.changed(case["id"], case | {"operation": operation})
        yield from self._propose(draft, "edit", case["id"])

    def edit_case(self) -> Step:
        """Open the current case in the editor."""
        case = self._case()
        if case is None:
            yield Say([show.say("no_current", "bad")])
            return
        value = yield from self._edited(case)
        if isinstance(value, dict):
            name = value.get("id")
            draft = self.draft.changed(case["id"], value)
            yield from self._propose(draft, "edit", name if isinstance(name, str) else case["id"])

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
        yield from self._propose(self.draft.replaced(suite), "suite")

    def _propose(self, draft: Draft, what: str, name: str | None = None) -> Step:
        """Show what a change does, check it, make it when the person agrees; offer to try it again."""
        found = problems(draft.suite)
        if found:
            yield Say([show.say("not_valid", "bad"), *(Line(f"  {each}", "bad") for each in found)])
            return
        lines = show.changed(self.draft.suite, draft.suite)
        if not lines:
            yield Say([show.say("no_change", "mild")])
            return
        edited = draft.case(name) if name is not None else None
        yield Say([*lines, *(self._misfits(edited) if edited else ())])
        if not (yield from self._agreed(show.word("prompt_apply"))):
            yield Say([show.say("not_applied", "mild")])
            return
        self._keep(draft, what, id=name)
        if edited is not None:
            self._current = name
            risky = self._risk(edited)
            prompt = show.word("prompt_rerun_destructive", tool=risky) if risky else show.word("prompt_rerun")
            if self._can_rerun and (yield from self._agreed(prompt)):
                yield from self._try(edited["id"])

    def _misfits(self, case: dict[str, Any]) -> list[Line]:
        """Say what of an input does not fit its schema; who expects an error may want just that."""
        found = misfits(case, self._tools)
        if not found:
            return []
        wanted = wants_error(case)
        style: Style = "mild" if wanted else "bad"
        head = show.say("misfit_wanted" if wanted else "misfit", style, tool=case["operation"]["tool"])
        return [head, *(Line(f"  {each}", style) for each in found)]

    def _risk(self, case: dict[str, Any]) -> str | None:
        return destructive(case, self._tools)

    def try_again(self) -> Step:
        """Try the case against the server again."""
        case = self._case()
        if case is None:
            yield Say([show.say("no_current", "bad")])
            return
        if not self._can_rerun:
            yield Say([show.say("no_server", "bad")])
            return
        risky = self._risk(case)
        if risky and not (yield from self._agreed(show.word("prompt_rerun_destructive", tool=risky))):
            return
        yield from self._try(case["id"])

    def _try(self, name: str) -> Step:
        """Try a case against the server; whoever has to agree has."""
        heard = yield Rerun(self.draft.suite | {"cases": [self.draft.case(name)]})
        if isinstance(heard, Result):
            self._keep(self.draft.tried(name, heard), "try", id=name)
            yield from self._show(name)
        else:
            yield Say([_failed(heard)])

    def ask_provider(self) -> Step:
        """Let an AI provider propose changes."""
        before = self.draft
        draft = yield from self._helper.help(self.draft, self._tools, self._line)
        if draft is not before:
            self._keep(draft, "provider")
            yield Say(show.overview(draft))

    def show_changes(self) -> Step:
        """Show all that was changed since the draft came."""
        lines = show.changed(self._start.suite, self.draft.suite)
        yield Say(lines or [show.say("no_change", "mild")])

    def _save(self) -> Generator[Effect, Any, bool]:
        """Agree on the last draft: its open cases, its changes, its fingerprint."""
        if self.draft.edited:
            prompt = show.word("prompt_untried", count=len(self.draft.edited))
            if not (yield from self._agreed(prompt)):
                yield from self.next_case()
                return False
        pending = self.draft.pending()
        if pending:
            prompt = show.word("prompt_defects", count=len(pending))
            if not (yield from self._agreed(prompt)):
                yield from self.next_case()
                return False
            draft = self.draft
            for name in pending:
                draft = draft.defect(name)
            self._keep(draft, "defects", count=len(pending))
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
