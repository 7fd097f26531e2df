"""What a tools/call or tools/list answered, looked at as little as the case asks for. Pure."""

import re
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw, Struct

from mcpeak.command.redact import encode
from mcpeak.suite.body import type_name
from mcpeak.wire.json import JsonError, parse
from mcpeak.wire.records import Payload

SHOWN = 64 * 1024
"""Bytes of a payload that a record shows (CONTRACT §4)."""
_NONE = Raw(b"")
_COMPLAINT = re.compile(
    rb'"text"\s*:\s*"((?:[A-Z]\w+)?(?:Error|Exception|Traceback \(most|Failed to|Fatal)\b[^"\\]{0,160})'
)
_TROUBLE = (msgspec.DecodeError, ValueError, RecursionError)


class ToolResult(Struct, rename="camel", gc=False):
    """The members of a CallToolResult that a verdict rests on, raw."""

    content: Raw = _NONE
    is_error: Raw = _NONE
    structured_content: Raw = _NONE


class _Named(Struct, gc=False):
    name: str = ""


class Fault(NamedTuple):
    """Why an answer cannot be judged: a word of the catalogue and its values."""

    word: str
    values: dict[str, Any]


_result = msgspec.json.Decoder(ToolResult).decode
_value = msgspec.json.Decoder().decode
_named = msgspec.json.Decoder(_Named).decode


def read_result(raw: Raw) -> ToolResult | Fault:
    """Read a tools/call result; only its outermost shape is looked at."""
    try:
        result = _result(raw)
    except _TROUBLE:
        seen = _careful_result(raw)
        if isinstance(seen, Fault):
            return seen
        result = seen
    if result.content is not _NONE and bytes(memoryview(result.content)[:1]) != b"[":
        return Fault("OPERATION_FAILED_CONTENT", {"found": _type(result.content)})
    if bytes(result.is_error) not in (b"", b"true", b"false", b"null"):
        return Fault("OPERATION_FAILED_IS_ERROR", {"found": _type(result.is_error)})
    return result


def _careful_result(raw: Raw) -> ToolResult | Fault:
    """Read what msgspec refuses: no object, lone surrogates, deep nesting."""
    value = value_of(raw)
    if isinstance(value, Fault):
        return value
    if not isinstance(value, dict):
        return Fault("OPERATION_FAILED_SHAPE", {"found": type_name(value)})
    members = {
        key: Raw(encode(value[key])) for key in ("content", "isError", "structuredContent") if key in value
    }
    return ToolResult(
        members.get("content", _NONE), members.get("isError", _NONE), members.get("structuredContent", _NONE)
    )


def complaint_in(content: Raw) -> str | None:
    """Give the beginning of a text that reads like an error; only the first block's is looked at."""
    found = _COMPLAINT.search(content, 0, 400)
    return found[1].decode("utf-8", "replace") if found is not None else None


def value_of(raw: Raw) -> Any | Fault:
    """Parse raw JSON exactly; what no strict reader accepts is a fault of the server."""
    try:
        return _value(raw)  # as `parse` does first, but without a copy of what may be 60 MiB
    except _TROUBLE:
        pass
    try:
        return parse(bytes(raw))
    except JsonError as wrong:
        return Fault("OPERATION_FAILED_VALUE", {"why": wrong.code, "column": wrong.column})


def _type(raw: Raw) -> str:
    value = value_of(raw)
    return "?" if isinstance(value, Fault) else type_name(value)


def names_of(tools: list[Raw]) -> list[str]:
    """Give the names of listed tools, in the server's order; an entry without one has none."""
    names = []
    for tool in tools:
        try:
            name = _named(tool).name
        except _TROUBLE:
            value = value_of(tool)
            name = str(value.get("name", "")) if isinstance(value, dict) else ""
        if name:
            names.append(name)
    return names


def texts_of(content: Any) -> list[str]:
    """Give the texts of content blocks."""
    blocks = content if isinstance(content, list) else []
    texts = (block.get("text") for block in blocks if isinstance(block, dict))
    return [text for text in texts if isinstance(text, str)]


def bounded(value: Any) -> Any:
    """Keep a value of the server that a diagnostic shows within what a record may show, its size told."""
    if isinstance(value, (bool, int, float)) or value is None:
        return value
    written = encode(value)
    if len(written) <= SHOWN:
        return value
    return f"{written[:SHOWN].decode('utf-8', 'ignore')}… ({len(written)} bytes)"


def payload(raw: Raw, shown: Raw) -> Payload:
    """Show an answer: `shown` is its redacted form, cut if it is too long."""
    if len(shown) <= SHOWN:
        return Payload(size=len(raw), json=shown)
    return Payload(size=len(raw), text=bytes(memoryview(shown)[:SHOWN]).decode("utf-8", "ignore"))
