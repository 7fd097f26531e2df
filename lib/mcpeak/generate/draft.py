"""A whole draft suite of the tools of a server.

Rule of this file: pure and deterministic: same tools, same suite. Key order is that of a saved suite
(CONTRACT §7).
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from mcpeak.generate.baseline import Axis, Skip, ToolDraft, draft_tool
from mcpeak.generate.fixtures import Fixtures
from mcpeak.generate.slug import Taken, slug, tool_slug

TIMEOUT_MS = 10_000
MANNERS = ("", "reading", "unsaid", "destructive")
"""What tools say of themselves, the most dangerous last: of two tools of one name it counts for both."""

Namer = Callable[[str, str, str | None], str]
"""Gives the display name of a case: its kind, its tool, its field."""


class Draft(NamedTuple):
    """A draft suite's cases and how they came about.

    `manners`: tool with cases → what it says of itself (`manner`); `guesses`: case id → fields whose
    values are guessed.
    """

    cases: list[dict[str, Any]]
    tools: list[ToolDraft]
    skips: list[Skip]
    manners: dict[str, str]
    guesses: dict[str, list[str]]


def draft(tools: Iterable[Any], fixtures: Fixtures, name: Namer) -> Draft:
    """Draft the cases of all tools, in order."""
    bases, ids = Taken(), Taken()
    cases: list[dict[str, Any]] = []
    drafts: list[ToolDraft] = []
    skips: list[Skip] = []
    manners: dict[str, str] = {}
    guesses: dict[str, list[str]] = {}
    for place, tool in enumerate(tools):
        if not isinstance(tool, dict) or not isinstance(tool.get("name"), str) or not tool["name"]:
            skips.append(Skip("TOOL_NAMELESS", {"place": str(place + 1)}))
            continue
        made = draft_tool(tool, fixtures)
        base = bases.take(tool_slug(made.tool))
        drafts.append(made)
        skips += made.skips
        own = [_case(made, axis, base, ids, name) for axis in made.axes if axis.input is not None]
        if own:
            manners[made.tool] = max(manners.get(made.tool, ""), manner(tool), key=MANNERS.index)
        if own and made.guesses:
            guesses[own[0]["id"]] = list(made.guesses)
        cases += own
    return Draft(cases, drafts, skips, manners, guesses)


def manner(tool: dict[str, Any]) -> str:
    """Say what a tool's annotations say of its calls: `destructive`, `reading`, or neither: `unsaid`."""
    said = tool.get("annotations")
    hints = said if isinstance(said, dict) else {}
    if hints.get("destructiveHint") is True:
        return "destructive"
    return "reading" if hints.get("readOnlyHint") is True else "unsaid"


def held_back(made: Draft) -> list[str]:
    """Give the ids of the cases that call a tool which says it is destructive."""
    return [case["id"] for case in made.cases if made.manners[case["operation"]["tool"]] == "destructive"]


def _case(made: ToolDraft, axis: Axis, base: str, ids: Taken, name: Namer) -> dict[str, Any]:
    wanted = f"{base}-{axis.kind}"
    if axis.field is not None:
        wanted += f"-{slug(axis.field, 'field')}"
    good = axis.kind == "success"
    assertions: list[dict[str, Any]] = [{"type": "isError", "expected": not good}]
    if good and made.output is not None:
        assertions.append({"type": "structuredContentMatchesSchema", "schema": made.output})
    return {
        "id": ids.take(wanted),
        "name": name(axis.kind, made.tool, axis.field),
        "operation": {"type": "callTool", "tool": made.tool, "input": axis.input},
        "assertions": assertions,
    }


def suite_of(cases: list[dict[str, Any]], suite_id: str, suite_name: str) -> dict[str, Any]:
    """Put cases into a suite."""
    return {
        "schemaVersion": 1,
        "id": suite_id,
        "name": suite_name,
        "defaultTimeoutMs": TIMEOUT_MS,
        "cases": cases,
    }


def coverage(made: Draft, advertised: int) -> dict[str, int]:
    """Count what the draft covers: tools with a success case, and axes that have a case."""
    axes = [axis for tool in made.tools for axis in tool.axes]
    return {
        "tools": sum(1 for tool in made.tools if tool.axes[0].input is not None),
        "advertised": advertised,
        "axes": sum(1 for axis in axes if axis.input is not None),
        "possible": len(axes),
    }
