"""Arrays for several plain schemas at once.

Rule of this file: one item where the items are described and nothing says otherwise (CONTRACT §7), a whole
tuple where places are described one by one, none where nothing is known of the items.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from mcpeak.schema.document import Document, Node
from mcpeak.schema.facts import limits
from mcpeak.schema.objects import Search

LONGEST = 2000
"""An array that must be longer than this is not built: no suite should hold it."""

OTHERS = 6


def arrays(search: Search, way: list[Node], stack: frozenset[tuple[str, ...]]) -> Iterator[list[Any]]:
    """Yield arrays of the natural length, then of the least, then with other first items."""
    least, most = 0, None
    for node in way:
        least, most = limits((least, most), node.schema, "minItems", "maxItems")
    wanted = _contained(search.document, way)
    tuples = max((len(_tuple(node)) for node in way), default=0)
    natural = max(least, tuples, len(wanted), 1 if _described(way) else 0)
    if most is not None and (least > most or len(wanted) > most):
        return
    lengths = [min(natural, natural if most is None else most), max(least, len(wanted)), natural + 1]
    for length in dict.fromkeys(lengths):
        if length <= LONGEST and (most is None or length <= most):
            yield from _of_length(search, way, stack, length, wanted)


def _of_length(
    search: Search, way: list[Node], stack: frozenset[tuple[str, ...]], length: int, wanted: list[Node]
) -> Iterator[list[Any]]:
    unique = any(node.schema.get("uniqueItems") is True for node in way)
    made: list[Any] = []
    seen: list[Any] = []
    for place in range(length):
        nodes = item(search.document, way, place) + wanted[place : place + 1]
        there, value = _distinct(search, nodes, stack, seen) if unique else search.first(nodes, stack)
        if not there:
            return
        made.append(value)
        seen.append(value)
    yield made
    if made:
        others = search.values(item(search.document, way, 0) + wanted[:1], stack)
        yield from ([value, *made[1:]] for value in islice(others, 1, OTHERS))


def _distinct(
    search: Search, nodes: list[Node], stack: frozenset[tuple[str, ...]], seen: list[Any]
) -> tuple[bool, Any]:
    for value in islice(search.values(nodes, stack), len(seen) + 200):
        if not any(same(value, other) for other in seen):
            return True, value
    return False, None


def ill_fitting(search: Search, way: list[Node], stack: frozenset[tuple[str, ...]]) -> Iterator[list[Any]]:
    """Yield an array that is too short, then one that is too long."""
    least, most = 0, None
    for node in way:
        least, most = limits((least, most), node.schema, "minItems", "maxItems")
    if 0 < least <= LONGEST:
        yield from islice(_of_length(search, way, stack, least - 1, []), 1)
    if most is not None and most < LONGEST:
        yield from islice(_of_length(search, way, stack, most + 1, []), 1)


def same(one: Any, other: Any) -> bool:
    """Tell whether two values are equal as JSON: `true` is not 1, 1 is 1.0."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def item(document: Document, way: list[Node], place: int) -> list[Node]:
    """Give all schemas that the item at a place must satisfy."""
    found = []
    for node in way:
        tuple_ = _tuple(node)
        keyword = "prefixItems" if "prefixItems" in node.schema else "items"
        rest = "items" if keyword == "prefixItems" or not tuple_ else "additionalItems"
        if place < len(tuple_):
            found.append(document.child(node, keyword, place))
        elif isinstance(node.schema.get(rest), dict | bool):
            found.append(document.child(node, rest))
        elif "unevaluatedItems" in node.schema:
            found.append(document.child(node, "unevaluatedItems"))
    return found


def _tuple(node: Node) -> list[Any]:
    """Give the schemas of the first places: `prefixItems`, or `items` as an array up to 2019-09."""
    for keyword in ("prefixItems", "items"):
        places = node.schema.get(keyword)
        if isinstance(places, list):
            return places
    return []


def _contained(document: Document, way: list[Node]) -> list[Node]:
    wanted = []
    for node in way:
        if "contains" in node.schema:
            wanted += [document.child(node, "contains")] * int(node.schema.get("minContains", 1))
    return wanted[:LONGEST]


def _described(way: list[Node]) -> bool:
    return any(isinstance(node.schema.get("items"), dict) and node.schema["items"] for node in way)
