"""The conversation with an AI provider: consent before every request, changes only on the person's word.

Rule of this file: pure; it yields `Provide` only after the person has seen what is sent and agreed.
"""

from collections.abc import Callable, Generator
from typing import Any

from mcpeak.review import show
from mcpeak.review.check import problems
from mcpeak.review.draft import Draft
from mcpeak.review.effects import Effect, Failed, Line, Provide, Say
from mcpeak.review.proposal import Change, Proposal, Unusable, applied, read_answer
from mcpeak.review.providers import ANSWER_LIMIT, PROVIDERS, REQUEST_LIMIT, SECONDS
from mcpeak.review.request import Talk, request_of

Asking = Callable[[str], Generator[Effect, Any, str]]
ALL = frozenset(("all", "모두", "전부"))
YES = frozenset(("y", "yes", "예", "네", "ㅇ"))
NO = frozenset(("", "n", "no", "아니요", "아니오", "아뇨", "ㄴ"))


class Helper:
    """Asks one provider. `provider`, `model`: as given on the command line, else chosen when first needed.

    `secrets`: values of variables that the server gets; they are kept out of every request.
    """

    def __init__(
        self, provider: str | None = None, model: str | None = None, secrets: tuple[str, ...] = ()
    ) -> None:
        self._secrets = secrets
        self._provider = provider
        self._model = model
        self._talk = Talk()

    def help(self, draft: Draft, tools: dict[str, Any], ask: Asking) -> Generator[Effect, Any, Draft]:
        """Go round after round until the person has enough; give the draft that came of it."""
        yield from self._choose(ask)
        if self._provider is None or self._model is None:
            return draft
        while True:
            request = request_of(draft, tools, self._talk, self._secrets)
            if not (yield from self._consent(draft, request, ask)):
                yield Say([show.say("not_sent", "mild")])
                return draft
            heard = yield Provide(self._provider, self._model, request)
            proposal = yield from self._read(heard, draft, tools)
            if proposal is None:
                return draft
            if proposal.questions:
                yield from self._questions(proposal.questions, ask)
                continue
            draft, again = yield from self._apply(proposal, draft, ask)
            if not again:
                return draft

    def _choose(self, ask: Asking) -> Generator[Effect, Any, None]:
        if self._provider is None:
            heard = yield from ask(show.word("prompt_provider", names=", ".join(PROVIDERS)))
            if heard.strip() not in PROVIDERS:
                yield Say([show.say("no_provider", "mild", names=", ".join(PROVIDERS))])
                return
            self._provider = heard.strip()
        if self._model is None:
            usual = PROVIDERS[self._provider].default_model
            heard = yield from ask(show.word("prompt_model", model=usual))
            self._model = heard.strip() or usual

    def _consent(self, draft: Draft, request: bytes, ask: Asking) -> Generator[Effect, Any, bool]:
        """Show what would be sent to whom, and ask."""
        if len(request) > REQUEST_LIMIT:
            yield Say([show.say("request_large", "bad", size=len(request), limit=REQUEST_LIMIT)])
            return False
        provider = PROVIDERS[self._provider or ""].title
        facts = {
            "fact_provider": provider,
            "fact_model": self._model,
            "fact_size": show.word("bytes", count=len(request)),
            "fact_limit": show.word("bytes", count=ANSWER_LIMIT),
            "fact_time": show.word("seconds", count=f"{SECONDS:g}"),
            "fact_fingerprint": draft.fingerprint(),
        }
        yield Say(
            [
                show.say("about_to_send", "strong"),
                *(show.say(name, value=value) for name, value in facts.items()),
            ]
        )
        while True:
            heard = (yield from ask(show.word("prompt_send"))).strip().lower()
            if heard in YES or heard in NO:
                return heard in YES
            yield Say([show.say("yes_or_no", "bad", heard=heard)])

    def _read(
        self, heard: Any, draft: Draft, tools: dict[str, Any]
    ) -> Generator[Effect, Any, Proposal | None]:
        if isinstance(heard, Failed):
            yield Say([show.say(heard.code, "bad", **heard.values)])
            return None
        try:
            return read_answer(heard, draft, tools)
        except Unusable as unusable:
            yield Say([show.say("answer_unusable", "bad", why=show.word(unusable.why))])
            return None

    def _questions(self, questions: list[str], ask: Asking) -> Generator[Effect, Any, None]:
        yield Say([show.say("questions", "strong")])
        for question in questions:
            yield Say([Line(f"  {question}")])
            answer = yield from ask(show.word("prompt_answer"))
            self._talk.answers.append({"question": question, "answer": answer})

    def _apply(
        self, proposal: Proposal, draft: Draft, ask: Asking
    ) -> Generator[Effect, Any, tuple[Draft, bool]]:
        """Let the person choose; give the draft, and whether another request is wanted."""
        for refused in proposal.refused:
            number, _, why = refused.partition(": ")
            known = why in ("answer_form", "answer_case", "answer_tool")
            yield Say([show.say("refused", "mild", number=number, why=show.word(why) if known else why)])
        if not proposal.changes:
            yield Say([show.say("no_proposal", "mild")])
            return draft, False
        for change in proposal.changes:
            yield Say(_shown(change, draft))
        heard = (yield from ask(show.word("prompt_choose"))).strip()
        if heard == "f":
            self._talk.feedback.append((yield from ask(show.word("prompt_feedback"))))
            return draft, True
        chosen = _chosen(heard, proposal.changes)
        made = 0
        for change in chosen:
            after = applied(draft, change)
            found = problems(after.suite)
            if found:  # right alone, wrong after the others: two cases of one id, the last case dropped
                yield Say([show.say("refused", "mild", number=change.number, why=found[0])])
            else:
                draft, made = after, made + 1
        yield Say([show.say("applied", "good", count=made)])
        return draft, False


def _shown(change: Change, draft: Draft) -> list[Line]:
    head = show.say(f"change_{change.op}", "strong", number=change.number, id=change.case_id)
    reason = [Line(f"     {change.reason}", "mild")] if change.reason else []
    return [head, *reason, *show.changed(draft.suite, applied(draft, change).suite)]


def _chosen(heard: str, changes: list[Change]) -> list[Change]:
    if heard.lower() in ALL:
        return changes
    words = heard.replace(",", " ").split()
    return [change for change in changes if str(change.number) in words]
