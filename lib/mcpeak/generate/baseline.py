"""Baseline cases for one tool: one that should succeed, and one for each rule of a field that can be broken.

Rule of this file: pure. Every input was checked with a validator: the success is valid, each other differs
from it in one field and is invalid. What cannot be built is left out with its reason (CONTRACT §7).
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from mcpeak.generate.fixtures import Fixtures
from mcpeak.generate.subset import Beyond, response_schema
from mcpeak.schema.arrays import same
from mcpeak.schema.find import DeadEnd
from mcpeak.schema.formats import EXAMPLES
from mcpeak.schema.sampler import Field, Sampler
from mcpeak.schema.validator import SchemaProblem

TRIES = 20


class Skip(NamedTuple):
    """Something that was left out. `code`: a notice of the catalogue; `values`: what fills it."""

    code: str
    values: dict[str, str]


class Axis(NamedTuple):
    """One thing to check about a tool. `kind`: success, missing, type, enum, range; no `input`: left out."""

    kind: str
    field: str | None
    input: dict[str, Any] | None


class ToolDraft(NamedTuple):
    """What was made of one tool. `guesses`: fields of the success whose values nothing names."""

    tool: str
    axes: list[Axis]
    output: dict[str, Any] | None
    skips: list[Skip]
    guesses: tuple[str, ...] = ()


def draft_tool(tool: dict[str, Any], fixtures: Fixtures) -> ToolDraft:
    """Draft the cases of one tool."""
    name = tool["name"]
    try:
        sampler = Sampler(_schema_of(tool))
        base, skips = _base(name, sampler, fixtures)
    except SchemaProblem as problem:
        return _nothing(name, "TOOL_SCHEMA_INVALID", reason=problem.reason)
    except DeadEnd as end:
        return _nothing(name, "TOOL_WITHOUT_INPUT", reason=end.reason, place=end.pointer or "/")
    axes = [Axis("success", None, base)]
    known = fixtures.of(name, list(base))
    skips += _strange_formats(name, base, sampler.fields(), known)
    for field, kind in _rules(sampler.fields()):
        broken = _broken(sampler, base, field, kind)
        if broken is None:
            continue
        axes.append(Axis(kind, field.name, broken.input))
        if broken.input is None:
            skips.append(Skip("CASE_NOT_BUILT", {"tool": name, "kind": kind, "field": field.name}))
    output = _output(tool, skips)
    return ToolDraft(name, axes, output, skips, tuple(_guesses(base, sampler.fields(), known)))


def _nothing(name: str, code: str, **values: str) -> ToolDraft:
    return ToolDraft(name, [Axis("success", None, None)], None, [Skip(code, {"tool": name, **values})])


def _schema_of(tool: dict[str, Any]) -> dict[str, Any]:
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict):
        raise SchemaProblem("inputSchema is not an object")
    return schema


def _base(name: str, sampler: Sampler, fixtures: Fixtures) -> tuple[dict[str, Any], list[Skip]]:
    """Give a valid input with the user's own values where they fit."""
    required = [field.name for field in sampler.fields() if field.required]
    given = fixtures.of(name, required)
    try:
        base = sampler.value()
    except DeadEnd:
        if sampler.valid(given):
            return given, []
        raise
    skips = [_no_field(name, field, sampler) for field in given if not sampler.takes(field)]
    given = {field: value for field, value in given.items() if sampler.takes(field)}
    if sampler.valid(base | given):
        return base | given, skips
    for field, value in given.items():
        if sampler.valid(base | {field: value}):
            base = base | {field: value}
        else:
            skips.append(Skip("FIXTURE_INVALID", {"tool": name, "field": field}))
    return base, skips


def _no_field(tool: str, field: str, sampler: Sampler) -> Skip:
    names = ", ".join(each.name for each in sampler.fields())
    code = "FIXTURE_NO_FIELD" if names else "FIXTURE_NO_FIELDS"
    return Skip(code, {"tool": tool, "field": field, "names": names})


def _guesses(base: dict[str, Any], fields: list[Field], known: dict[str, Any]) -> list[str]:
    """Name the fields whose values come from type and bounds alone; of two booleans no one is more real."""
    return [
        field.name
        for field in fields
        if field.name in base
        and not (field.name in known and same(known[field.name], base[field.name]))
        and not (field.facts.declared or base[field.name] is None or isinstance(base[field.name], bool))
    ]


def _strange_formats(
    name: str, base: dict[str, Any], fields: list[Field], given: dict[str, Any]
) -> list[Skip]:
    """Name the values that only stand in for a format that nobody here knows."""
    return [
        Skip("FORMAT_UNKNOWN", {"tool": name, "field": field.name, "format": field.facts.formats[0]})
        for field in fields
        if field.name in base and field.name not in given and _unknown(field)
    ]


def _unknown(field: Field) -> bool:
    facts = field.facts
    return bool(facts.formats) and not facts.declared and not any(name in EXAMPLES for name in facts.formats)


def _rules(fields: list[Field]) -> Iterator[tuple[Field, str]]:
    yield from ((field, "missing") for field in fields if field.required)
    for kind in ("type", "enum", "range"):
        yield from ((field, kind) for field in fields)


def _broken(sampler: Sampler, base: dict[str, Any], field: Field, kind: str) -> Axis | None:
    """Break one rule of a field; None when the field has no such rule."""
    if kind == "missing":
        made = {name: value for name, value in base.items() if name != field.name}
        return Axis(kind, field.name, None if sampler.valid(made) else made)
    any_value = False
    for value, _ in zip(sampler.breaking(field, kind), range(TRIES), strict=False):
        any_value = True
        made = base | {field.name: value}
        if not sampler.valid(made):
            return Axis(kind, field.name, made)
    return Axis(kind, field.name, None) if any_value else None


def _output(tool: dict[str, Any], skips: list[Skip]) -> dict[str, Any] | None:
    if "outputSchema" not in tool:
        return None
    try:
        return response_schema(tool["outputSchema"])
    except Beyond as beyond:
        skips.append(Skip("OUTPUT_NOT_ASSERTED", {"tool": tool["name"], "keyword": beyond.keyword}))
        return None
