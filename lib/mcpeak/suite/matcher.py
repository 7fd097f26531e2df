"""Compare an answer with a response schema (CONTRACT §3; spec 001 "Response schema").

Rule of this file: pure; no recursion, so that neither a deep schema nor a deep answer can hurt; violations
come depth first in the schema's own order, and only the first ten are kept. A schema is one that the checks
accept: a keyword that depends on a type stands beside that type.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from mcpeak.suite.equal import equal
from mcpeak.suite.order import sorted_keys
from mcpeak.wire.records import Violation

KEPT: Final = 10  # violations that a report lists
SHOWN_CHARS: Final = 200  # code points of a string that a violation shows
SHOWN_KEYS: Final = 20  # keys of an object that a violation shows

Path = tuple[Any, Any] | None  # (path of the holder, key or index); None is the root
Node = tuple[Any, Any, Path]  # schema (False: nothing may be here), value, path


class Match(NamedTuple):
    """What `match` found: at most ten violations, and how many there are. No violation: it matches."""

    violations: list[Violation]
    total: int


def match(schema: Any, value: Any) -> Match:
    """Compare a parsed JSON value with a response schema."""
    found = _Found()
    inner = _look(found, schema, value, None)
    todo: list[Iterator[Node]] = [] if inner is None else [inner]
    while todo:
        for node, part, path in todo[-1]:
            inner = _look(found, node, part, path)
            if inner is not None:
                todo.append(inner)
                break
        else:
            todo.pop()
    return Match(found.kept, found.total)


class _Found:
    """Counts violations and keeps the first ones."""

    def __init__(self) -> None:
        self.kept: list[Violation] = []
        self.total = 0

    def add(self, code: str, path: Path, expected: Any, actual: Any, **more: Any) -> None:
        self.total += 1
        if self.total > KEPT:
            return
        if isinstance(actual, str) and len(actual) > SHOWN_CHARS:
            more["actual_chars"] = len(actual)
            actual = actual[:SHOWN_CHARS]
        self.kept.append(Violation(code=code, path=written(path), expected=expected, actual=actual, **more))

    def missing(self, path: Path, key: str, value: dict[str, Any]) -> None:
        if self.total >= KEPT:
            self.total += 1
            return
        keys = sorted_keys(value)
        more = {"observed_key_count": len(keys)} if len(keys) > SHOWN_KEYS else {}
        self.add("REQUIRED_MISSING", path, key, None, observed_keys=keys[:SHOWN_KEYS], **more)


def written(path: Path) -> str:
    """Write a path as people read it: `$.key[0]`, keys unescaped."""
    steps = []
    while path is not None:
        path, step = path
        steps.append(f"[{step}]" if type(step) is int else f".{step}")
    steps.append("$")
    return "".join(reversed(steps))


def is_integer(value: Any) -> bool:
    """Tell whether a number has no fraction; 1.0 is an integer, true is none."""
    return type(value) is int or (type(value) is float and value.is_integer())


_KINDS: Final[dict[type, tuple[str, ...]]] = {  # Python type → the types of a schema that it is
    dict: ("object",),
    list: ("array",),
    str: ("string",),
    int: ("integer", "number"),
    float: ("number",),
    bool: ("boolean",),
    type(None): ("null",),
}


def _look(found: _Found, schema: Any, value: Any, path: Path) -> Iterator[Node] | None:
    """Judge one node; give the nodes below it, if any."""
    if schema is False:
        found.add("ADDITIONAL_PROPERTY", path, None, value)
        return None
    kind = schema.get("type")
    if kind is not None and kind not in _KINDS[type(value)] and not (kind == "integer" and is_integer(value)):
        found.add("TYPE_MISMATCH", path, kind, value)
    elif "const" in schema and not equal(schema["const"], value):
        found.add("CONST_MISMATCH", path, schema["const"], value)
    elif "enum" in schema and not any(equal(word, value) for word in schema["enum"]):
        found.add("ENUM_MISMATCH", path, schema["enum"], value)
    elif kind is not None:
        look = _LOOKS.get(kind)
        return look(found, schema, value, path) if look is not None else None
    return None


def _text(found: _Found, schema: Any, value: str, path: Path) -> None:
    length = len(value)
    if "minLength" in schema and length < schema["minLength"]:
        found.add("MIN_LENGTH", path, schema["minLength"], length)
    if "maxLength" in schema and length > schema["maxLength"]:
        found.add("MAX_LENGTH", path, schema["maxLength"], length)
    if "stringContains" in schema and schema["stringContains"] not in value:
        found.add("STRING_CONTAINS", path, schema["stringContains"], value)


def _number(found: _Found, schema: Any, value: float, path: Path) -> None:
    if "minimum" in schema and value < schema["minimum"]:
        found.add("MINIMUM", path, schema["minimum"], value)
    if "maximum" in schema and value > schema["maximum"]:
        found.add("MAXIMUM", path, schema["maximum"], value)


def _array(found: _Found, schema: Any, value: list[Any], path: Path) -> Iterator[Node] | None:
    if "minItems" in schema and len(value) < schema["minItems"]:
        found.add("MIN_ITEMS", path, schema["minItems"], len(value))
    items = schema.get("items")
    if items is None:
        return None
    return ((items, part, (path, place)) for place, part in enumerate(value))


def _object(found: _Found, schema: Any, value: dict[str, Any], path: Path) -> Iterator[Node] | None:
    for key in schema.get("required", ()):
        if key not in value:
            found.missing(path, key, value)
    properties = schema.get("properties")
    rest = schema.get("additionalProperties", True)
    if properties is None and rest is True:
        return None
    return _members(properties or {}, rest, value, path)


def _members(properties: dict[str, Any], rest: Any, value: dict[str, Any], path: Path) -> Iterator[Node]:
    for key, schema in properties.items():
        if key in value:
            yield schema, value[key], (path, key)
    if rest is not True:
        for key in sorted_keys(value.keys() - properties.keys()):
            yield rest, value[key], (path, key)


_LOOKS: Final[dict[str, Callable[[_Found, Any, Any, Path], Iterator[Node] | None]]] = {
    "object": _object,
    "array": _array,
    "string": _text,
    "number": _number,
    "integer": _number,
}
