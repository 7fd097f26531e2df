"""The checks of a response schema (CONTRACT §1, Response schema; spec 001). No recursion."""

from collections.abc import Iterator
from typing import Any, Final

from mcpeak.suite.checks_operation import json_only
from mcpeak.suite.checks_shape import SHAPES
from mcpeak.suite.nearest import nearest
from mcpeak.suite.order import sorted_keys
from mcpeak.suite.paths import Path
from mcpeak.suite.problem import Found, Problem, unknown_word, wrong_type
from mcpeak.suite.ways import WAYS

TYPES: Final = ("object", "array", "string", "number", "integer", "boolean", "null")
BOUND: Final[dict[str, tuple[str, ...]]] = {  # keyword → the types that it needs, alphabetical
    "additionalProperties": ("object",),
    "items": ("array",),
    "maxLength": ("string",),
    "maximum": ("number", "integer"),
    "minItems": ("array",),
    "minLength": ("string",),
    "minimum": ("number", "integer"),
    "properties": ("object",),
    "required": ("object",),
    "stringContains": ("string",),
}
KEYWORDS: Final = ("type", "const", "enum", *BOUND)
_KNOWN: Final = frozenset(KEYWORDS)
_NONE: Final[frozenset[str]] = frozenset()
_TAKEN: Final = {  # type → the keywords that may stand beside it
    kind: frozenset(("type", "const", "enum", *(word for word, kinds in BOUND.items() if kind in kinds)))
    for kind in TYPES
}
_HOLDERS: Final = frozenset(("properties", "additionalProperties", "items"))
_CONTRADICTING: Final = frozenset(("const", "enum", "maxLength", "maximum", "additionalProperties"))
Nodes = list[tuple[Any, Path]]  # schema and where it is


def check_schema(found: Found, nodes: Nodes, schema: Any, path: Path, *, infinite: bool) -> None:
    """Check a response schema and everything below it, depth first.

    `nodes` gets each node that may contradict itself (`impossible.reason_against`, once all is valid).
    """
    todo: list[Iterator[tuple[Any, Path]]] = [iter(((schema, path),))]
    while todo:
        for node, here in todo[-1]:
            if _node(found, nodes, node, here, infinite=infinite):
                todo.append(_below(node, here))
                break
        else:
            todo.pop()


def _node(found: Found, nodes: Nodes, schema: Any, path: Path, *, infinite: bool) -> bool:
    """Check one node; say whether there may be nodes below."""
    if not isinstance(schema, dict):
        wrong_type(found, path, "schema", schema)
        return False
    if not schema:
        found.append(Problem("INVALID_VALUE", path, "EMPTY_SCHEMA", {"allowed": KEYWORDS}))
        return False
    kind = schema.get("type")
    if type(kind) is not str or not schema.keys() <= _TAKEN.get(kind, _NONE):
        _unsupported(found, schema, path)
        _type(found, schema, path)
    _words(found, schema, path, infinite=infinite)
    for keyword, look in SHAPES.items():
        if keyword in schema:
            look(found, schema[keyword], (path, keyword))
    if not _CONTRADICTING.isdisjoint(schema):
        nodes.append((schema, path))
    return not _HOLDERS.isdisjoint(schema)


def _below(schema: dict[str, Any], path: Path) -> Iterator[tuple[Any, Path]]:
    """Yield the schemas within a schema: properties, additionalProperties, items."""
    properties = schema.get("properties")
    if isinstance(properties, dict):
        for name, inner in properties.items():
            yield inner, ((path, "properties"), name)
    rest = schema.get("additionalProperties", True)
    if not isinstance(rest, bool):
        yield rest, (path, "additionalProperties")
    if "items" in schema:
        yield schema["items"], (path, "items")


def _unsupported(found: Found, schema: dict[str, Any], path: Path) -> None:
    for keyword in sorted_keys(schema.keys() - _KNOWN):
        values: dict[str, Any] = {"field": keyword, "allowed": KEYWORDS}
        words = "UNSUPPORTED_SCHEMA_KEYWORD"
        if keyword in WAYS:  # a word of JSON Schema, even if it looks like a typing error of ours
            values["way"], words = WAYS[keyword], "UNSUPPORTED_SCHEMA_KEYWORD_WAY"
        elif near := nearest(keyword, KEYWORDS):
            values["near"], words = near, "UNSUPPORTED_SCHEMA_KEYWORD_NEAR"
        found.append(Problem("UNSUPPORTED_SCHEMA_KEYWORD", (path, keyword), words, values))


def _type(found: Found, schema: dict[str, Any], path: Path) -> None:
    """Check `type`, and that the keywords which depend on one have it."""
    kind = schema.get("type")
    if "type" in schema and kind not in TYPES:
        if isinstance(kind, list):
            values = {"actual": kind, "allowed": TYPES}
            found.append(Problem("INVALID_VALUE", (path, "type"), "TYPE_LIST", values))
        else:
            unknown_word(found, (path, "type"), kind, TYPES)
    for keyword in sorted(schema.keys() & BOUND.keys()):
        if kind not in BOUND[keyword]:
            values = {"field": keyword, "needed": BOUND[keyword][0]}
            found.append(Problem("SCHEMA_KEYWORD_REQUIRES_TYPE", (path, keyword), values=values))


def _words(found: Found, schema: dict[str, Any], path: Path, *, infinite: bool) -> None:
    """Check `const` and `enum`."""
    if "const" in schema and infinite:
        json_only(found, schema["const"], (path, "const"))
    if "enum" in schema:
        words = schema["enum"]
        if not isinstance(words, list) or not words:
            wrong_type(found, (path, "enum"), "full_list", words)
        elif infinite:
            json_only(found, words, (path, "enum"))
