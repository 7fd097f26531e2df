"""What changed between two lists of tools, and whether callers of the old one must care.

Rule of this file: pure. `failure`: a call that was right may now be refused; `warning`: it may behave
otherwise, or a model may choose otherwise; `info`: nobody has to do anything.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from mcpeak.wire.records import Severity

BOUNDS = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"),
    *("pattern", "format", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "const"),
    *("anyOf", "oneOf", "allOf", "not", "if", "then", "else", "prefixItems", "$ref", "additionalProperties"),
)
BEHAVIOUR = ("annotations", "outputSchema", "execution")


class Change(NamedTuple):
    """One difference. `code`: of the catalogue; `where`: the argument, dotted; `values`: placeholders."""

    severity: Severity
    code: str
    tool: str
    where: str = ""
    values: dict[str, str] = {}  # noqa: RUF012 - read only


def changes(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> Iterator[Change]:
    """Yield all changes, in the order of the old list, then of the new."""
    before, after = _named(old), _named(new)
    for name, tool in before.items():
        if name not in after:
            yield Change("failure", "TOOL_GONE", name)
        else:
            yield from _tool(name, tool, after[name])
    for name in after:
        if name not in before:
            yield Change("info", "TOOL_ADDED", name)


def _named(tools: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {tool["name"]: tool for tool in tools if isinstance(tool.get("name"), str)}


def _tool(name: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    yield from _schema(name, "", old.get("inputSchema"), new.get("inputSchema"))
    for key in BEHAVIOUR:
        if old.get(key) != new.get(key):
            yield Change("warning", "TOOL_CHANGED", name, "", {"key": key})
    if old.get("description") != new.get("description"):
        yield Change("warning", "DESCRIPTION_CHANGED", name)


def _schema(tool: str, where: str, old: Any, new: Any) -> Iterator[Change]:
    if old == new:
        return
    if not isinstance(old, dict) or not isinstance(new, dict):
        yield Change("failure", "ARGUMENT_CHANGED", tool, where, {"key": "schema"})
        return
    yield from _types(tool, where, old, new)
    yield from _members(tool, where, old, new)
    yield from _enums(tool, where, old, new)
    for key in BOUNDS:
        if old.get(key) != new.get(key):
            yield Change("warning", "ARGUMENT_CHANGED", tool, where, {"key": key})
    if where and old.get("description") != new.get("description"):
        yield Change("warning", "DESCRIPTION_CHANGED", tool, where)
    if "items" in old or "items" in new:
        yield from _schema(tool, f"{where}[]", old.get("items", {}), new.get("items", {}))


def _types(tool: str, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    before, after = _kinds(old), _kinds(new)
    if before == after:
        return
    wider = not after or (bool(before) and before <= after)
    values = {"old": ", ".join(sorted(before)) or "any", "new": ", ".join(sorted(after)) or "any"}
    code = "TYPE_WIDENED" if wider else "TYPE_CHANGED"
    yield Change("info" if wider else "failure", code, tool, where, values)


def _kinds(schema: dict[str, Any]) -> set[str]:
    kind = schema.get("type")
    kinds = {kind} if isinstance(kind, str) else set(kind) if isinstance(kind, list) else set()
    return kinds | {"integer"} if "number" in kinds else kinds


def _members(tool: str, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    before, after = old.get("properties") or {}, new.get("properties") or {}
    needed_before, needed = set(old.get("required") or ()), set(new.get("required") or ())
    for name in before:
        place = f"{where}.{name}" if where else name
        if name not in after:
            yield Change("failure", "ARGUMENT_GONE", tool, place)
            continue
        if name in needed and name not in needed_before:
            yield Change("failure", "ARGUMENT_REQUIRED", tool, place)
        if name in needed_before and name not in needed:
            yield Change("info", "ARGUMENT_OPTIONAL", tool, place)
        yield from _schema(tool, place, before[name], after[name])
    for name in after:
        if name not in before:
            place = f"{where}.{name}" if where else name
            must = name in needed
            yield Change(
                "failure" if must else "info",
                "ARGUMENT_ADDED_REQUIRED" if must else "ARGUMENT_ADDED",
                tool,
                place,
            )


def _enums(tool: str, where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Change]:
    before, after = old.get("enum"), new.get("enum")
    if before == after or not isinstance(after, list):
        if before is not None and after is None:
            yield Change("info", "VALUES_WIDENED", tool, where)
        return
    narrower = before is None or any(value not in after for value in before)
    yield Change(
        "failure" if narrower else "info", "VALUES_NARROWED" if narrower else "VALUES_WIDENED", tool, where
    )
