"""What a provider answers, taken as data: checked change by change, applied by nobody but the person.

Rule of this file: pure. An answer of another form is refused as a whole; a change that would break the
suite is refused alone.
"""

from typing import Any, NamedTuple

from mcpeak.review.check import problems
from mcpeak.review.draft import Draft
from mcpeak.wire.json import JsonError, parse

MOST_CHANGES = 50
MOST_QUESTIONS = 5
LONGEST = 500
"""Code points of a reason or a question."""

FENCE = "```"


class Change(NamedTuple):
    """One proposed change. `number`: how the person names it, from 1."""

    number: int
    op: str
    case_id: str
    reason: str
    value: Any


class Proposal(NamedTuple):
    """What an answer holds; `refused`: changes that cannot be, with why."""

    changes: list[Change]
    questions: list[str]
    refused: list[str]


class Unusable(Exception):  # noqa: N818 - about the provider's answer
    """The answer has not the form that was asked for. `why`: a label of the review room."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def read_answer(answer: bytes, draft: Draft, tools: dict[str, Any]) -> Proposal:
    """Read an answer.

    Raises:
        Unusable: it is not what was asked for.
    """
    value = _object(answer)
    if value.get("type") == "questions":
        return Proposal([], _questions(value.get("questions")), [])
    proposed = value.get("changes")
    if value.get("type") != "changes" or not isinstance(proposed, list):
        raise Unusable("answer_form")
    if len(proposed) > MOST_CHANGES:
        raise Unusable("answer_many")
    changes: list[Change] = []
    refused: list[str] = []
    for number, each in enumerate(proposed, 1):
        change = _change(number, each)
        wrong = "answer_form" if change is None else _wrong(change, draft, tools)
        if change is None or wrong is not None:
            refused.append(f"{number}: {wrong}")
        else:
            changes.append(change)
    return Proposal(changes, [], refused)


def _object(answer: bytes) -> dict[str, Any]:
    """Find the JSON object; providers like to put it into a code fence or between words."""
    text = answer.decode("utf-8", "replace")
    inner = text.split(FENCE)[1].removeprefix("json") if text.count(FENCE) >= 2 else text  # noqa: PLR2004 - a pair
    start, end = inner.find("{"), inner.rfind("}")
    try:
        value = parse(inner[start : end + 1].encode("utf-8", "surrogatepass"))
    except JsonError as wrong:
        raise Unusable("answer_json") from wrong
    if not isinstance(value, dict):
        raise Unusable("answer_json")
    return value


def _questions(value: Any) -> list[str]:
    if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
        raise Unusable("answer_form")
    return [each[:LONGEST] for each in value[:MOST_QUESTIONS]]


def _change(number: int, value: Any) -> Change | None:
    if not isinstance(value, dict):
        return None
    reason = value.get("reason")
    said = reason[:LONGEST] if isinstance(reason, str) else ""
    op, case, name = value.get("op"), value.get("case"), value.get("caseId")
    if op == "add" and isinstance(case, dict) and isinstance(case.get("id"), str):
        return Change(number, op, case["id"], said, case)
    if op == "drop" and isinstance(name, str):
        return Change(number, op, name, said, None)
    if op == "setInput" and isinstance(name, str) and isinstance(value.get("input"), dict):
        return Change(number, op, name, said, value["input"])
    return None


def _wrong(change: Change, draft: Draft, tools: dict[str, Any]) -> str | None:
    """Say what keeps a change from being made: a label, or the checker's words."""
    case = draft.case(change.case_id)
    if change.op != "add" and case is None:
        return "answer_case"
    if change.op == "setInput" and case is not None and case["operation"]["type"] != "callTool":
        return "answer_case"
    made = applied(draft, change)
    found = problems(made.suite)
    if found:
        return found[0]
    operation = change.value.get("operation", {}) if change.op == "add" else {}
    if tools and operation.get("type") == "callTool" and operation.get("tool") not in tools:
        return "answer_tool"
    return None


def applied(draft: Draft, change: Change) -> Draft:
    """Make a change; one whose case is gone meanwhile changes nothing."""
    case = draft.case(change.case_id)
    if change.op == "add":
        return draft.added(change.value)
    if case is None:
        return draft
    if change.op == "drop":
        return draft.dropped(change.case_id)
    operation = case["operation"] | {"input": change.value}
    return draft.changed(change.case_id, case | {"operation": operation})
