"""Problems and diagnostics as sentences, in the language of this process.

Rule of this file: it lays sentences out and decides nothing.
Source: spec/003 (the two lines of a refused definition), CONTRACT §6 (what a miss and a violation tell).
"""

from typing import TYPE_CHECKING, Any

from mcpeak.command.text import clean, cut
from mcpeak.messages import label, say
from mcpeak.mock.checks import Problem
from mcpeak.mock.definition import DEPTH, Refused
from mcpeak.mock.stringify import stringify
from mcpeak.suite.nearest import nearest

if TYPE_CHECKING:
    from mcpeak.schema.explain import Violation

LISTED = 10
_CUT = 200
_COMPARED = 200  # names among which the nearest is looked for
_LIST = 2000  # code points of a list of names


def sentence(problem: Problem) -> str:
    """Say one problem of a definition."""
    code, values = problem.code, dict(problem.values)
    if "more" in values:
        return label("mock", "more_alike", path=problem.path, **values)
    for key in ("kind", "actual"):
        if key in values and problem.code == "TYPE":
            values[key] = label("mock", f"kind_{values[key]}")
    if code == "UNKNOWN_TOOL":
        near = nearest(values["tool"], values["known"][:_COMPARED])
        code, values["near"] = ("NOT_IN_TOOLS" if near else code), near
    if "tools" in values:
        values["tools"] = cut(values["tools"], _LIST)
    if "why" in values:
        values["why"] = label("mock", f"why_{values['why']}")
    return say("mock", code, path=problem.path, **values).message


def refusal(refused: Refused, *, every: bool = False) -> str:
    """Lay out why a definition is refused: what is wrong where, and the right form."""
    told = refused.problems if every else refused.problems[:1]
    lines = [label("mock", "refused", source=refused.source, problem=sentence(problem)) for problem in told]
    return "\n".join(clean(line) for line in [*lines, label("mock", "form")]) + "\n"


def miss(tool: str, arguments: dict[str, Any], registered: list[dict[str, Any]], whens: int) -> str:
    """Say that no response answers a call, and which there are."""
    got = label("mock", "arguments", arguments=short(arguments))
    remedy = label("mock", "remedy_args")
    if not registered and not whens:
        return "\n".join((label("mock", "miss_bare", tool=tool), got, remedy))
    lines = [label("mock", "miss", tool=tool), got]
    if registered:
        shown = [short(args) for args in registered[:LISTED]]
        lines.append(label("mock", "registered", registered=", ".join(shown) + _rest(len(registered))))
    if whens:
        lines.append(label("mock", "registered_when", count=whens))
    return "\n".join((*lines, remedy))


def violation(tool: str, violations: "list[Violation]", arguments: dict[str, Any]) -> str:
    """Say how the arguments of a call offend the tool's schema: field, rule, value."""
    lines = [label("mock", "violation", tool=tool)]
    lines += [f"→ {rule(one)}" for one in violations]
    return "\n".join((*lines, label("mock", "arguments", arguments=short(arguments))))


def rule(one: "Violation") -> str:
    """Say one violation."""
    values = dict(one.values)
    kind = label("schema", f"type_{values['kind']}")
    if one.code == "TYPE":
        values["expected"] = ", ".join(
            label("schema", f"type_{name}") for name in values["expected"].split(", ")
        )
    if "near" in values:
        values["near"] = rule(values["near"])
    return say("schema", one.code, **values | {"kind": kind}).message


def too_deep(tool: str) -> str:
    """Say that arguments nest too deep."""
    return label("mock", "too_deep", tool=tool, limit=DEPTH)


def short(value: object) -> str:
    """Show a value as JSON, cut where it gets long."""
    return cut(stringify(value), _CUT)


def _rest(count: int) -> str:
    return " " + label("mock", "and_more", count=count - LISTED) if count > LISTED else ""


def plain(code: str, **values: object) -> str:
    """Say the sentence of a code that goes to a client; long names and lists are cut."""
    short_ones = {
        name: cut(value, _LIST) if isinstance(value, str) else value for name, value in values.items()
    }
    return say("mock", code, **short_ones).message


def kind(name: str) -> str:
    """Name a kind of value."""
    return label("mock", f"kind_{name}")
