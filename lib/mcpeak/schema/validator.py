"""A real validator for any JSON Schema: jsonschema-rs, kept offline and read generously.

Rule of this file: the only one of the room that knows the validator library.
A schema is read in the dialect that it declares; without one as 2020-12 (MCP 2025-11-25), and where that
cannot be, as the newest older draft under which it is itself a valid schema.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

ROOT = "mcpeak:root"
"""The address under which a document is known to the validators of its parts."""

DECLARED = {
    "draft-04": "Draft4",
    "draft-06": "Draft6",
    "draft-07": "Draft7",
    "2019-09": "Draft201909",
    "2020-12": "Draft202012",
}
"""What a `$schema` holds → the dialect; anything else is read as 2020-12."""

UNDECLARED = ("Draft202012", "Draft201909", "Draft7", "Draft4")
"""The dialects that are tried in turn where none is declared."""


class SchemaProblem(Exception):  # noqa: N818 - it is about the schema, not about our program
    """The schema is itself invalid or points outside. `reason`: the validator's first line, in English."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Wrong(NamedTuple):
    """One reason why a value is invalid. `place`: keys from the value's root; `keyword`: what it offends.

    `detail`: the library's facts of the rule (`limit`, `property`, `unexpected`, `options`, `types`, …), with
    the reasons of each alternative of anyOf and oneOf under `context`; `actual`: the offending value.
    """

    place: tuple[str | int, ...]
    keyword: str
    message: str
    rule: tuple[str | int, ...]
    detail: dict[str, Any]
    actual: Any


class Validator:
    """Answers whether values are valid; never fails on a value, whatever it holds.

    `dialect`: the draft that the schema is read in, such as `Draft202012`.
    """

    def __init__(self, compiled: Any, dialect: str) -> None:
        self._compiled = compiled
        self.dialect = dialect

    def valid(self, value: object) -> bool:
        """Tell whether the value is valid. What the library cannot take (lone surrogates) is not."""
        try:
            answer: bool = self._compiled.is_valid(value)
        except (ValueError, RecursionError):
            return False
        return answer

    def wrongs(self, value: object) -> Iterator[Wrong]:
        """Yield every reason why the value is invalid.

        Raises:
            ValueError: the library cannot take the value (a lone surrogate, nesting beyond 255).
        """
        yield from map(_wrong, self._compiled.iter_errors(value))


def _wrong(error: Any) -> Wrong:
    detail = error.kind.as_dict()
    if "context" in detail:
        detail["context"] = [[_wrong(inner) for inner in branch] for branch in detail["context"]]
    if "error" in detail:
        detail["error"] = _wrong(detail["error"])
    place = tuple(error.instance_path)
    return Wrong(place, error.kind.name, error.message, tuple(error.schema_path), detail, error.instance)


def validator(schema: object) -> Validator:
    """Compile a schema. Formats are asserted; nothing is ever fetched.

    Raises:
        SchemaProblem: no schema, an invalid one, or one with references that lead outside.
    """
    if not isinstance(schema, dict | bool):
        raise SchemaProblem("a schema is an object or a boolean")
    first: Exception | None = None
    for dialect in _dialects(schema):
        try:
            return Validator(_compile(schema, dialect), dialect)
        except Exception as refused:  # noqa: BLE001 - the library raises its own kinds and ValueError alike
            first = first or refused
    raise SchemaProblem(str(first).split("\n", 1)[0])


def _compile(schema: dict[str, Any] | bool, dialect: str, **rest: Any) -> Any:
    import jsonschema_rs  # late: some 40 ms that only a program which checks schemas should pay

    make = getattr(jsonschema_rs, f"{dialect}Validator")
    return make(schema, offline=True, validate_formats=True, **rest)


def _dialects(schema: dict[str, Any] | bool) -> tuple[str, ...]:
    declared = schema.get("$schema") if isinstance(schema, dict) else None
    if declared is None:
        return UNDECLARED
    for part, dialect in DECLARED.items():
        if isinstance(declared, str) and part in declared:
            return (dialect,)
    return UNDECLARED[:1]


class Parts:
    """Validators for the parts of one document, made when they are asked for."""

    def __init__(self, document: dict[str, Any] | bool, dialect: str) -> None:
        import jsonschema_rs

        bare = (
            document if isinstance(document, bool) else {k: v for k, v in document.items() if k != "$schema"}
        )
        self._dialect = dialect
        self._registry = jsonschema_rs.Registry([(ROOT, bare)], draft=getattr(jsonschema_rs, dialect))
        self._made: dict[str, Validator | None] = {}

    def at(self, pointer: str) -> Validator | None:
        """Give the validator of the schema at a JSON pointer; None where the library makes none."""
        if pointer not in self._made:
            self._made[pointer] = self._make(pointer)
        return self._made[pointer]

    def expression(self, expression: str) -> Validator | None:
        """Give the validator of strings that match an expression; None where the library does not read it."""
        try:
            return Validator(_compile({"pattern": expression}, self._dialect), self._dialect)
        except Exception:  # noqa: BLE001 - as below
            return None

    def _make(self, pointer: str) -> Validator | None:
        from urllib.parse import quote

        part = {"$ref": f"{ROOT}#{quote(pointer, safe='/~')}"}
        try:
            return Validator(_compile(part, self._dialect, registry=self._registry), self._dialect)
        except Exception:  # noqa: BLE001 - as above; the whole value is verified in the end anyway
            return None
