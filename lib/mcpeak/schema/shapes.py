"""Keywords of the wrong shape mean nothing: a dialect that does not know a keyword lets it hold anything.

Rule of this file: a table and one reader. What a dialect knows, its validator has checked already.
"""

from collections.abc import Callable
from typing import Any

from mcpeak.schema.document import Node


def _count(value: Any) -> bool:
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return whole and not isinstance(value, bool) and value >= 0


def _schema(value: Any) -> bool:
    return isinstance(value, dict | bool)


def _list(value: Any) -> bool:
    return isinstance(value, list)


def _named(value: Any) -> bool:
    return isinstance(value, dict)


def _text(value: Any) -> bool:
    return isinstance(value, str)


SHAPES: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(
        ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _count
    ),
    **dict.fromkeys(("minContains", "maxContains"), _count),
    **dict.fromkeys(("not", "if", "then", "else", "contains", "propertyNames", "additionalItems"), _schema),
    **dict.fromkeys(("additionalProperties", "unevaluatedProperties", "unevaluatedItems"), _schema),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems", "enum", "examples", "required"), _list),
    **dict.fromkeys(("properties", "patternProperties", "dependentSchemas", "dependentRequired"), _named),
    **dict.fromkeys(("dependencies", "$defs", "definitions"), _named),
    **dict.fromkeys(("pattern", "format", "$ref", "$dynamicRef", "$id", "$anchor", "$dynamicAnchor"), _text),
    "items": lambda value: _schema(value) or _list(value),
    "type": lambda value: _text(value) or (_list(value) and all(map(_text, value))),
    "uniqueItems": lambda value: isinstance(value, bool),
}
"""What each keyword must look like to mean anything."""


def sane(node: Node) -> Node:
    """Give a node without the keywords that mean nothing."""
    wrong = [key for key, value in node.schema.items() if key in SHAPES and not SHAPES[key](value)]
    if not wrong:
        return node
    return node._replace(schema={key: value for key, value in node.schema.items() if key not in wrong})
