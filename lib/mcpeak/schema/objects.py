"""Objects for several plain schemas at once: required members first, others only where they are needed.

Rule of this file: members in the order of `required` (CONTRACT §7); none is invented unless a count needs it.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Protocol

from mcpeak.schema.document import Document, Node
from mcpeak.schema.facts import limits
from mcpeak.schema.flatten import ways
from mcpeak.schema.pattern import matching

OTHERS = 4
"""Further values that are tried for each member when the natural ones do not fit together."""

NAMES = 40
"""Names that are tried for members that only a count demands."""


class Search(Protocol):
    """What the search offers to whoever builds a part of a value."""

    document: Document

    def first(self, nodes: list[Node], stack: frozenset[tuple[str, ...]]) -> tuple[bool, Any]:
        """Give whether there is a value for these nodes, and the most natural one."""

    def values(self, nodes: list[Node], stack: frozenset[tuple[str, ...]]) -> Iterator[Any]:
        """Yield values for these nodes."""

    def holds(self, nodes: list[Node], value: Any) -> bool:
        """Check a value against these nodes."""


def objects(search: Search, way: list[Node], stack: frozenset[tuple[str, ...]]) -> Iterator[dict[str, Any]]:
    """Yield objects that hold what is required, then the same with other values or more members."""
    names = required(way)
    least, most = 0, None
    for node in way:
        least, most = limits((least, most), node.schema, "minProperties", "maxProperties")
    extra = triggered(search.document, way, names)
    if extra:
        known = frozenset(node.pointer for node in way)
        for rest in ways(search.document, extra, known):
            yield from objects(search, way + rest, stack)
        return
    made = _filled(search, way, stack, names, least)
    if made is None or (most is not None and len(made) > most):
        return
    yield made
    yield from _varied(search, way, stack, made, most)


def required(way: list[Node]) -> list[str]:
    """Give the names that an object must have, in order, with those that they bring along."""
    names = {name: None for node in way for name in node.schema.get("required", ()) if isinstance(name, str)}
    todo = list(names)
    while todo:
        name = todo.pop(0)
        for node in way:
            for keyword in ("dependentRequired", "dependencies"):
                brought = node.schema.get(keyword, {}).get(name)
                fresh = [one for one in brought if one not in names] if isinstance(brought, list) else []
                names.update(dict.fromkeys(fresh))
                todo += fresh
    return list(names)


def triggered(document: Document, way: list[Node], names: list[str]) -> list[Node]:
    """Give the schemas that the presence of these names brings, as far as they are not in the way yet."""
    known = {node.pointer for node in way}
    found = []
    for node in way:
        for keyword in ("dependentSchemas", "dependencies"):
            for name, schema in node.schema.get(keyword, {}).items():
                child = document.child(node, keyword, name)
                if (
                    name in names
                    and isinstance(schema, dict | bool)
                    and child.pointer not in known
                    and schema is not True
                ):
                    found.append(child)
    return found


def member(document: Document, way: list[Node], name: str) -> list[Node]:
    """Give all schemas that a member of this name must satisfy."""
    found: list[Node] = []
    open_ended: list[Node] = []
    for node in way:
        own = list(_own(document, node, name))
        if not own and "additionalProperties" in node.schema:
            own = [document.child(node, "additionalProperties")]
        elif not own and "unevaluatedProperties" in node.schema:
            open_ended.append(document.child(node, "unevaluatedProperties"))
        found += own
    return found or open_ended


def _own(document: Document, node: Node, name: str) -> Iterator[Node]:
    if name in node.schema.get("properties", ()):
        yield document.child(node, "properties", name)
    for expression in node.schema.get("patternProperties", ()):
        part = document.parts.expression(expression)
        if part is not None and part.valid(name):
            yield document.child(node, "patternProperties", expression)


def _filled(
    search: Search, way: list[Node], stack: frozenset[tuple[str, ...]], names: list[str], least: int
) -> dict[str, Any] | None:
    made: dict[str, Any] = {}
    for name in names:
        there, value = search.first(member(search.document, way, name), stack)
        if not there:
            return None
        made[name] = value
    for name in _more_names(search, way, stack) if len(made) < least else ():
        if name not in made:
            there, value = search.first(member(search.document, way, name), stack)
            if there:
                made[name] = value
        if len(made) >= least:
            break
    return made if len(made) >= least else None


def _more_names(search: Search, way: list[Node], stack: frozenset[tuple[str, ...]]) -> Iterator[str]:
    """Yield names for further members: declared ones, then such as the patterns of names allow."""
    yield from optional(way)
    rules = [search.document.child(node, "propertyNames") for node in way if "propertyNames" in node.schema]
    if rules:
        yield from (name for name in islice(search.values(rules, stack), NAMES) if isinstance(name, str))
        return
    for node in way:
        for expression in node.schema.get("patternProperties", ()):
            yield from islice(matching(expression, 0), NAMES)
    yield from ("example", *(f"example{number}" for number in range(2, NAMES)))


def optional(way: list[Node]) -> list[str]:
    """Give the declared names, in order."""
    return list({name: None for node in way for name in node.schema.get("properties", ())})


def _varied(
    search: Search, way: list[Node], stack: frozenset[tuple[str, ...]], made: dict[str, Any], most: int | None
) -> Iterator[dict[str, Any]]:
    for name in made:
        others = search.values(member(search.document, way, name), stack)
        yield from (made | {name: value} for value in islice(others, 1, OTHERS))
    full = dict(made)
    for name in optional(way):
        if name not in made and (most is None or len(made) < most):
            there, value = search.first(member(search.document, way, name), stack)
            if there:
                full[name] = value
                yield made | {name: value}
    if len(full) > len(made) + 1 and (most is None or len(full) <= most):
        yield full
