"""What the review shows, as lines.

Rule of this file: pure; a draft in, lines out. All words come from the catalogue.
"""

from mcpeak.messages import label
from mcpeak.review.changes import difference
from mcpeak.review.draft import DEFECT, PASSED, Draft
from mcpeak.review.effects import Line, Style
from mcpeak.review.guesses import fields, paths, refused, snippet
from mcpeak.wire.json import dumps_line

MARKS = {PASSED: "✓", "failed": "✗", "timedOut": "⧖", "notRun": "·", "cancelled": "·", DEFECT: "!", "": "?"}
FEW = 5  # names that fit a line
STYLES: dict[str, Style] = {"+": "added", "-": "gone", "@": "mild"}


def word(name_: str, **values: object) -> str:
    """Give a label of this room."""
    return label("review", name_, **values)


def say(name_: str, style: Style = "plain", **values: object) -> Line:
    """Make a line of a label."""
    return Line(word(name_, **values), style)


def overview(draft: Draft) -> list[Line]:
    """Say what the suite is and how its cases stand."""
    standing = [_standing(draft, case["id"]) for case in draft.cases]
    counts = ", ".join(
        word(f"count_{name or 'untried'}", count=standing.count(name))
        for name in (PASSED, "failed", "timedOut", "notRun", "cancelled", DEFECT, "")
        if name in standing
    )
    head = say("head", "strong", title=draft.suite["name"], id=draft.suite["id"], count=len(draft.cases))
    return [head, Line(f"  {counts}")]


def _standing(draft: Draft, name: str) -> str:
    if name in draft.defects:
        return DEFECT
    return draft.results[name].status if name in draft.results else ""


def listing(draft: Draft) -> list[Line]:
    """List all cases, numbered."""
    lines = []
    for number, case in enumerate(draft.cases, 1):
        standing = _standing(draft, case["id"])
        style: Style = "plain" if standing in (PASSED, "") else "bad"
        doubt = f"  {word('unverified')}" if _doubtful(draft, case["id"]) else ""
        lines.append(Line(f"{number:>4} {MARKS[standing]} {case['id']}{doubt}", style))
    return lines


def _doubtful(draft: Draft, name: str) -> bool:
    result = draft.results.get(name)
    return result is not None and result.unverified and result.status == PASSED


def doubts(draft: Draft) -> list[Line]:
    """List the cases whose expected error may be a crash."""
    names = [case["id"] for case in draft.cases if _doubtful(draft, case["id"])]
    if not names:
        return []
    shown = ", ".join(names[:FEW]) + (" …" if len(names) > FEW else "")
    return [say("doubts", "mild", count=len(names), cases=shown)]


def one_case(draft: Draft, name: str) -> list[Line]:
    """Show one case: what it calls, what it expects, how it ended and why."""
    case = draft.case(name)
    if case is None:
        return []
    standing = _standing(draft, name)
    style: Style = "good" if standing == PASSED else "plain" if standing == "" else "bad"
    number = [each["id"] for each in draft.cases].index(name) + 1
    head = word(
        "case",
        number=number,
        count=len(draft.cases),
        id=name,
        standing=word(f"standing_{standing or _untried(draft, name)}"),
    )
    lines = [Line(""), Line(f"{MARKS[standing]} {head}", style), Line(f"  {case['name']}", "mild")]
    operation = case["operation"]
    if operation["type"] == "callTool":
        lines.append(Line(f"  {operation['tool']} {short(operation['input'])}"))
    lines += [Line(f"  {short(assertion)}", "mild") for assertion in case["assertions"]]
    result = draft.results.get(name)
    if result is not None:
        lines += [Line(f"  {note}", "bad" if result.status != PASSED else "plain") for note in result.notes]
        if result.unverified and result.body is not None:
            lines += _body(result.body)
    return lines + guessed(draft, [name] if name in refused(draft) else [])


def _untried(draft: Draft, name: str) -> str:
    return "edited" if name in draft.edited else "held" if name in draft.held else "untried"


def guessed(draft: Draft, names: list[str]) -> list[Line]:
    """Say of refused cases which values were only guessed, and where real ones belong."""
    if not names:
        return []
    found = fields(draft, names)
    return [say("guessed", "mild", fields=paths(found)), Line(f"    {snippet(found)}", "mild")]


def _body(body: str) -> list[Line]:
    """Show the beginning of what the server answered, line by line."""
    told = [line for line in body.splitlines() if line.strip()]
    lines = [Line(f"    {line}", "mild") for line in told[:FEW]]
    return [say("body", "mild"), *lines, *([Line("    …", "mild")] if len(told) > FEW else [])]


def changed(before: object, after: object) -> list[Line]:
    """Show what differs; empty: nothing does."""
    return [Line(line, STYLES.get(line[:1], "plain")) for line in difference(before, after)]


def short(value: object) -> str:
    """Write a value on one line, letters as they are."""
    import json

    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return dumps_line(value).decode().rstrip("\n")
