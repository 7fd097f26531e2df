"""What plain schemas ask for together: types, declared values, bounds.

Rule of this file: it gathers, it does not search. Keywords of the wrong shape were refused with the schema.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct, field

from mcpeak.schema.document import Node

ORDER = ("object", "array", "string", "integer", "number", "boolean", "null")

IMPLIED = {
    "object": (
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "propertyNames",
        "minProperties",
    ),
    "array": ("items", "prefixItems", "minItems", "maxItems", "contains", "uniqueItems", "additionalItems"),
    "string": ("minLength", "maxLength", "pattern", "format"),
    "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
"""A type that a schema without `type` most likely means, by the keywords that it has."""


class Facts(Struct):
    """The plain keywords of several schemas, merged.

    `types`: in the order to try them; empty: none is left. `named`: whether any schema names a type; where
    none does, `types` are those that the keywords imply, and `unlikely` the others.
    `lower`, `upper`: (bound, whether it is excluded).
    """

    types: list[str] = field(default_factory=list)
    unlikely: list[str] = field(default_factory=list)
    named: bool = False
    closed: bool = False
    declared: list[Any] = field(default_factory=list)
    lower: tuple[float, bool] | None = None
    upper: tuple[float, bool] | None = None
    steps: list[float] = field(default_factory=list)
    shortest: int = 0
    longest: int | None = None
    patterns: list[str] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)


def facts_of(nodes: Iterable[Node], allowed: frozenset[str] | None = None) -> Facts:
    """Merge the schemas' plain keywords. `allowed`: the types that the place takes at all."""
    schemas = [node.schema for node in nodes]
    facts = Facts()
    _types(facts, schemas, allowed)
    facts.declared = list(declared(schemas))
    facts.closed = any("const" in schema or "enum" in schema for schema in schemas)
    for schema in schemas:
        _numbers(facts, schema)
        facts.shortest, facts.longest = limits(
            (facts.shortest, facts.longest), schema, "minLength", "maxLength"
        )
        facts.patterns += [schema["pattern"]] if isinstance(schema.get("pattern"), str) else []
        facts.formats += [schema["format"]] if isinstance(schema.get("format"), str) else []
    return facts


def declared(schemas: list[dict[str, Any]]) -> Iterator[Any]:
    """Yield the values that the schemas name themselves, the best first (CONTRACT §7)."""
    for keyword in ("const", "default"):
        yield from (schema[keyword] for schema in schemas if keyword in schema)
    for keyword in ("examples", "enum"):
        for schema in schemas:
            members = schema.get(keyword)
            yield from members if isinstance(members, list) else ()


def limits(
    so_far: tuple[int, int | None], schema: dict[str, Any], low: str, high: str
) -> tuple[int, int | None]:
    """Narrow a span of lengths by two keywords of a schema."""
    least, most = so_far
    if low in schema:
        least = max(least, int(schema[low]))
    if high in schema:
        most = int(schema[high]) if most is None else min(most, int(schema[high]))
    return least, most


def _types(facts: Facts, schemas: list[dict[str, Any]], allowed: frozenset[str] | None) -> None:
    left: list[str] | None = None
    for schema in schemas:
        if "type" in schema:
            own = [schema["type"]] if isinstance(schema["type"], str) else list(schema["type"])
            left = own if left is None else _both(left, own)
    facts.named = left is not None
    if left is None:
        left = _implied(schemas)
        facts.unlikely = _taken([kind for kind in ORDER if kind not in left], allowed)
    facts.types = _taken(left, allowed)


def _taken(kinds: list[str], allowed: frozenset[str] | None) -> list[str]:
    return sorted(
        (kind for kind in kinds if allowed is None or kind in allowed), key=lambda kind: kind == "null"
    )


def _both(left: list[str], right: list[str]) -> list[str]:
    both = [kind for kind in left if kind in right]
    if "integer" not in both and "integer" in left + right and "number" in left + right:
        both.append("integer")
    return both


def _implied(schemas: list[dict[str, Any]]) -> list[str]:
    present = {word for schema in schemas for word in schema}
    return [kind for kind, words in IMPLIED.items() if not present.isdisjoint(words)] or ["string"]


def _numbers(facts: Facts, schema: dict[str, Any]) -> None:
    for keyword, sign in (("minimum", 1), ("maximum", -1)):
        excluded = schema.get(f"exclusive{keyword.capitalize()}")
        bounds = []
        if _number(schema.get(keyword)):
            bounds.append((schema[keyword], excluded is True))  # draft-04: the flag belongs to the bound
        if _number(excluded):
            bounds.append((excluded, True))
        for bound in bounds:
            _narrow(facts, bound, sign)
    if _number(schema.get("multipleOf")):
        facts.steps.append(schema["multipleOf"])


def _narrow(facts: Facts, bound: tuple[float, bool], sign: int) -> None:
    name = "lower" if sign > 0 else "upper"
    known: tuple[float, bool] | None = getattr(facts, name)
    if known is None or (bound[0] * sign, bound[1]) > (known[0] * sign, known[1]):
        setattr(facts, name, bound)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
