"""Values for a schema: one that is valid, and for each top-level field values that break one rule of it.

Rule of this file: the face of the room for whoever needs values. `value` is verified; what `breaking` gives
has to be checked in its place by the caller, because a combination around a field can free it.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from mcpeak.schema import arrays
from mcpeak.schema.document import Document, Node
from mcpeak.schema.facts import Facts, facts_of
from mcpeak.schema.find import Finder, GaveUp
from mcpeak.schema.flatten import Outside, flat, ways
from mcpeak.schema.numbers import outside
from mcpeak.schema.objects import member, optional, required
from mcpeak.schema.strings import ill_fitting
from mcpeak.schema.validator import validator

OBJECT = frozenset({"object"})
OPEN = frozenset(("additionalProperties", "patternProperties", "unevaluatedProperties"))
"""Keywords that, unless `false`, say something of fields without a description."""

BRANCHES = frozenset(("if", "dependentSchemas", "dependencies"))
SAFE = 2**53 - 1
NO_MEMBER = "__mcpeak_invalid_enum__"
"""What no enumeration holds (CONTRACT §7)."""

WRONG_TYPE: dict[str, tuple[Any, ...]] = {
    "string": (0, True),
    "integer": (1.5, "example"),
    "number": ("example", True),
    "boolean": ("example", 0),
    "null": ("example", 0),
    "array": ("example", 0),
    "object": ("example", 0),
}
"""Values of another type, by type (CONTRACT §7), and a second choice."""


class Field(NamedTuple):
    """A top-level member of an object schema. `facts`: its rules, of its first way where there are several.

    `kind`: its only type, where it has one and says so.
    """

    name: str
    required: bool
    kind: str | None
    way: list[Node]
    facts: Facts


class Sampler:
    """Finds values for one object schema.

    Raises:
        SchemaProblem: the schema is itself invalid.
    """

    def __init__(self, schema: dict[str, Any]) -> None:
        self._validator = validator(schema)
        self._document = Document(schema, self._validator.dialect)
        self._finder = Finder(self._document, self._validator)
        self._fields: list[Field] | None = None

    def value(self) -> dict[str, Any]:
        """Give a valid object, verified.

        Raises:
            DeadEnd: there is none, or none was found.
        """
        found: dict[str, Any] = self._finder.find(OBJECT)
        return found

    def valid(self, value: object) -> bool:
        """Tell whether a value satisfies the whole schema."""
        return self._validator.valid(value)

    def takes(self, name: str) -> bool:
        """Tell whether a field is described, in whatever branch, or the schema is open to others."""
        if any(field.name == name for field in self.fields()):
            return True
        try:
            plain, choices = flat(self._document, [self._document.root], frozenset())
        except Outside:
            return True
        words = {word for node in plain or [] for word, value in node.schema.items() if value is not False}
        if "properties" not in words or words & OPEN:
            return True
        return bool(choices or words & BRANCHES) and self._document.describes(name)

    def fields(self) -> list[Field]:
        """Give the fields that hold whatever branch is chosen, sorted as JavaScript sorts (UTF-16)."""
        if self._fields is None:
            self._fields = self._all_fields()
        return self._fields

    def _all_fields(self) -> list[Field]:
        try:
            plain, _ = flat(self._document, [self._document.root], frozenset())
        except Outside:
            return []
        needed = set(required(plain or []))
        names = needed | set(optional(plain or []))
        fields = (self._field(plain or [], name, name in needed) for name in sorted(names, key=_utf16))
        return [field for field in fields if field is not None]

    def _field(self, root: list[Node], name: str, needed: bool) -> Field | None:
        nodes = member(self._document, root, name)
        try:
            certain, _ = flat(self._document, nodes, frozenset())
            way = next(iter(ways(self._document, nodes)), [])
        except Outside:
            return None
        own = facts_of(certain or [])
        kind = own.types[0] if own.named and len(own.types) == 1 else None
        return Field(name, needed, kind, way, facts_of(way))

    def breaking(self, field: Field, rule: str) -> Iterator[Any]:
        """Yield values for a field that should break one rule: `type`, `enum` or `range`."""
        if rule == "type":
            return iter(WRONG_TYPE[field.kind] if field.kind else ())
        if rule == "enum":
            return _strangers(field)
        return self._out_of_range(field)

    def _out_of_range(self, field: Field) -> Iterator[Any]:
        kind = field.facts.types[0] if field.facts.types else ""
        if field.facts.closed:
            return iter(())
        if kind == "array":
            return self._ill_fitting_arrays(field)
        if kind == "string":
            return ill_fitting(field.facts)
        return outside(field.facts) if kind in ("integer", "number") else iter(())

    def _ill_fitting_arrays(self, field: Field) -> Iterator[Any]:
        try:
            yield from arrays.ill_fitting(self._finder, field.way, frozenset())
        except (Outside, GaveUp, RecursionError):
            return  # no item was found that such an array could hold


def _strangers(field: Field) -> Iterator[Any]:
    members = [value for node in field.way for value in node.schema.get("enum", ())]
    if members:
        whole = all(isinstance(value, int) and not isinstance(value, bool) for value in members)
        if whole and max(members) < SAFE:
            yield max(members) + 1
        yield NO_MEMBER


def _utf16(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")
