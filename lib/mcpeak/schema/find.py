"""Finding a valid value for a schema: a bounded search, deterministic, the most natural value first.

Rule of this file: it proposes values by construction, checks those that construction cannot vouch for, and
verifies the whole at the end. A value never needs its own schema again within itself (the inner value would
do), so recursion needs no depth.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from mcpeak.schema.arrays import arrays
from mcpeak.schema.document import Document, Node
from mcpeak.schema.facts import Facts, facts_of
from mcpeak.schema.flatten import Outside, ways
from mcpeak.schema.numbers import inside
from mcpeak.schema.objects import objects
from mcpeak.schema.strings import fitting
from mcpeak.schema.validator import Validator

REASONS = (
    *("types", "declared", "pattern", "bounds", "combination", "false"),
    *("recursion", "outside", "effort", "none"),
)
"""Why there is no value: no type is left, no declared value fits, …"""

TRIES = 400
"""Whole values that are verified before the search gives up."""

STEPS = 20_000
"""Places that are visited before the search gives up."""

DEEPEST = 90

WEAK = ("recursion", "false", "combination")
"""Dead ends that a search meets on its way to a value as well."""

Stack = frozenset[tuple[str, ...]]
"""The places that are being filled, outermost first in time."""

VOUCHED = frozenset(
    (
        *(
            "type",
            "title",
            "description",
            "$schema",
            "$defs",
            "definitions",
            "$ref",
            "$comment",
            "$id",
            "allOf",
        ),
        *("properties", "required", "additionalProperties", "items", "prefixItems", "minItems", "maxItems"),
        *("minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    )
)
"""Keywords that construction satisfies; a place with any other one is checked before it is used."""


class DeadEnd(Exception):  # noqa: N818 - the answer "there is none", with its reason
    """No value was found. `reason`: a key of REASONS; `pointer`: where in the schema."""

    def __init__(self, reason: str, pointer: str) -> None:
        super().__init__(reason, pointer)
        self.reason = reason
        self.pointer = pointer


class GaveUp(Exception):  # noqa: N818 - as DeadEnd
    """The search has cost enough."""


class _Place(NamedTuple):
    """A place to fill: its schemas, the places around it, the types that it takes at all."""

    nodes: list[Node]
    stack: Stack
    kinds: frozenset[str] | None


class Finder:
    """Finds values for the places of one document."""

    def __init__(self, document: Document, whole: Validator) -> None:
        self.document = document
        self._whole = whole
        self._steps = 0
        self._found: dict[tuple[str, ...], Any] = {}
        self.trouble: tuple[str, str] | None = None

    def find(self, kinds: frozenset[str] | None = None) -> Any:
        """Give a valid value of the whole document. `kinds`: the types that it may have.

        Raises:
            DeadEnd: none exists, or none was found within bounds.
        """
        try:
            for value in islice(self.values([self.document.root], frozenset(), kinds), TRIES):
                if self._whole.valid(value):
                    return value
        except (GaveUp, RecursionError):
            raise DeadEnd("effort", "") from None
        except Outside as outside:
            raise DeadEnd("outside", outside.pointer) from None
        raise DeadEnd(*(self.trouble or ("none", "")))

    def first(self, nodes: list[Node], stack: Stack) -> tuple[bool, Any]:
        """Give whether there is a value that satisfies all nodes, and the most natural one."""
        key = _key(nodes)
        if key not in self._found:
            for value in self.values(nodes, stack):
                self._found[key] = value
                break
            else:
                return False, None
        return True, self._found[key]

    def values(self, nodes: list[Node], stack: Stack, kinds: frozenset[str] | None = None) -> Iterator[Any]:
        """Yield values that satisfy all nodes as far as they vouch for it, the most natural first."""
        key = _key(nodes)
        if (key and key in stack) or len(stack) > DEEPEST:
            self._stuck("recursion", nodes)
            return
        self._steps += 1
        if self._steps > STEPS:
            raise GaveUp
        inner = stack | {key} if key else stack
        place = _Place(nodes, inner, kinds)
        open_ways = []
        for way in ways(self.document, nodes):
            facts = facts_of(way, kinds)
            open_ways.append((way, facts))
            yield from self._checked(place, way, facts, facts.types, 1 if _conditional(way) else None)
        if not open_ways:
            self._stuck("false", nodes)
        for way, facts in open_ways:
            if _conditional(way):
                yield from self._checked(place, way, facts, facts.types)
        for way, facts in open_ways:
            yield from self._checked(place, way, facts, facts.unlikely)

    def _checked(
        self, place: "_Place", way: list[Node], facts: Facts, kinds: list[str], tries: int | None = None
    ) -> Iterator[Any]:
        doubtful = bool(facts.declared) or any(not VOUCHED.issuperset(node.schema) for node in way)
        fits = False
        for value in islice(self._proposed(place, way, facts, kinds), tries):
            if not doubtful or self.holds(place.nodes, value):
                fits = True
                yield value
        if not fits:
            self._stuck(_why(facts), way)

    def holds(self, nodes: list[Node], value: Any) -> bool:
        """Check a value against every node with the real validator."""
        self._steps += 1
        if self._steps > STEPS:
            raise GaveUp
        checkers = (self.document.parts.at(node.pointer) for node in nodes)
        return all(checker is None or checker.valid(value) for checker in checkers)

    def _proposed(self, place: "_Place", way: list[Node], facts: Facts, kinds: list[str]) -> Iterator[Any]:
        if kinds is not facts.unlikely:
            taken = place.kinds
            yield from (value for value in facts.declared if taken is None or kind_of(value) in taken)
        for kind in () if facts.closed else kinds:
            if kind == "object":
                yield from objects(self, way, place.stack)
            elif kind == "array":
                yield from arrays(self, way, place.stack)
            else:
                yield from _scalars(kind, facts)

    def _stuck(self, reason: str, nodes: list[Node]) -> None:
        """Remember the first dead end of the strongest kind: it is the reason that a person can act on."""
        if self.trouble is None or (self.trouble[0] in WEAK and reason not in WEAK):
            self.trouble = (reason, nodes[0].pointer if nodes else "")


def _conditional(way: list[Node]) -> bool:
    """Tell whether a branch hangs on a condition: then the first value of each branch comes before others."""
    return any("if" in node.schema for node in way)


def _scalars(kind: str, facts: Facts) -> Iterator[Any]:
    if kind == "string":
        return fitting(facts)
    if kind in ("integer", "number"):
        return inside(facts, whole=kind == "integer")
    return iter((True, False) if kind == "boolean" else (None,))


def _why(facts: Facts) -> str:
    if not facts.types:
        return "types"
    if facts.closed:
        return "declared"
    if facts.patterns:
        return "pattern"
    return "bounds" if facts.types[0] in ("integer", "number", "string") else "combination"


def kind_of(value: object) -> str:
    """Name the JSON type of a value; a number without fraction is an integer."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return "integer"
    kinds = {float: "number", str: "string", list: "array", dict: "object"}
    return kinds.get(type(value), "null")


def _key(nodes: list[Node]) -> tuple[str, ...]:
    return tuple(node.pointer for node in nodes)
