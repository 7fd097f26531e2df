"""The body of a tool's answer: its one text block, as JSON where it is JSON (CONTRACT §3)."""

from typing import Any, Final, NamedTuple

from mcpeak.wire.json import JsonError, parse
from mcpeak.wire.scan import build

_NAMES: Final = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
}


class Body(NamedTuple):
    """The body. `form`: `json` when the text held a JSON object or array, else `text` (value: the text)."""

    value: Any
    form: str


class BodyProblem(NamedTuple):
    """No single text block. `code` and what was found: a number of blocks, a type.

    Codes: CONTENT_NOT_ARRAY, CONTENT_BLOCK_COUNT, CONTENT_BLOCK_NOT_TEXT, CONTENT_TEXT_NOT_STRING.
    """

    code: str
    actual: str | int


def body_of(content: Any) -> Body | BodyProblem:
    """Take the body out of a result's `content`."""
    if not isinstance(content, list):
        return BodyProblem("CONTENT_NOT_ARRAY", type_name(content))
    if len(content) != 1:
        return BodyProblem("CONTENT_BLOCK_COUNT", len(content))
    block = content[0]
    if not isinstance(block, dict):
        return BodyProblem("CONTENT_BLOCK_NOT_TEXT", type_name(block))
    kind = block.get("type", "undefined")
    if kind != "text":
        return BodyProblem("CONTENT_BLOCK_NOT_TEXT", kind if isinstance(kind, str) else type_name(kind))
    text = block.get("text")
    if not isinstance(text, str):
        return BodyProblem("CONTENT_TEXT_NOT_STRING", type_name(text) if "text" in block else "undefined")
    return _read(text)


def type_name(value: Any) -> str:
    """Name a parsed JSON value's type as JSON Schema does."""
    return "null" if value is None else _NAMES.get(type(value), "unknown")


def _read(text: str) -> Body:
    """Read an object or array; a text that holds a bare surrogate is no UTF-8 and takes the careful way."""
    if text.lstrip(" \t\n\r")[:1] not in ("{", "["):
        return Body(text, "text")
    try:
        return Body(parse(text.encode("utf-8")), "json")
    except UnicodeEncodeError:
        return _read_carefully(text)
    except JsonError:
        return Body(text, "text")


def _read_carefully(text: str) -> Body:
    try:
        return Body(build(text), "json")
    except JsonError:
        return Body(text, "text")
