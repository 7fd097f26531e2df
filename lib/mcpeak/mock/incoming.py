"""One message of a client: what it is, whose answer it wants, in which era it speaks.

Rule of this file: pure. The id keeps its bytes, so that 0, 1.5, a string with odd escapes or an integer of
any size comes back exactly as it was sent.
Source: JSON-RPC 2.0 §4; PROTOCOL.md §2.
"""

from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct

from mcpeak.wire.json import JsonError, dumps_line, parse

ABSENT = Raw(b"")


class Meta(Struct, gc=False, frozen=True):
    """The part of `_meta` that a server looks at."""

    version: Any = msgspec.field(default=UNSET, name="io.modelcontextprotocol/protocolVersion")
    capabilities: Any = msgspec.field(default=UNSET, name="io.modelcontextprotocol/clientCapabilities")
    log_level: Any = msgspec.field(default=UNSET, name="io.modelcontextprotocol/logLevel")
    progress_token: Raw = msgspec.field(default=ABSENT, name="progressToken")


NO_META = Meta()


class Params(Struct, rename="camel", frozen=True):
    """The params of every method that the mock knows; what is absent is UNSET or empty."""

    name: Any = UNSET
    arguments: Any = UNSET
    meta: Meta = msgspec.field(default=NO_META, name="_meta")
    uri: Any = UNSET
    cursor: Any = UNSET
    level: Any = UNSET
    protocol_version: Any = UNSET
    capabilities: Any = UNSET
    client_info: Any = UNSET
    notifications: Any = UNSET
    argument: Any = UNSET
    ref: Any = UNSET
    input_responses: Any = UNSET
    request_state: Any = UNSET
    request_id: Raw = ABSENT


NO_PARAMS = Params()
MALFORMED = Params(name=None)
"""Known by identity."""


class Incoming(Struct):
    """Any message. `id`: its bytes, empty when absent; `params`: MALFORMED if no object."""

    id: Raw = ABSENT
    method: str | None = None
    params: Params = NO_PARAMS
    result: Raw = ABSENT
    error: Raw = ABSENT
    jsonrpc: Any = UNSET


class Unreadable(Struct):
    """A line that is no message. `why`: a label of the mock room; `id`: what it plainly holds, or empty."""

    why: str
    id: bytes = b""


_decode = msgspec.json.Decoder(Incoming).decode
_SPACE = b" \t\r\n"
_BOM = b"\xef\xbb\xbf"


def read(line: bytes) -> Incoming | list[bytes] | Unreadable | None:
    """Read one line or body: a message, the members of a batch, something unreadable, or None for a blank."""
    line = line.removeprefix(_BOM)
    try:
        message = _decode(line)
    except (msgspec.MsgspecError, RecursionError):
        return _carefully(line)
    return message if bytes(message.id).isascii() else _carefully(line)


def proper_id(raw: bytes) -> bool:
    """Tell whether an id is one that MCP allows: a string or an integer."""
    return raw[:1] == b'"' or raw.removeprefix(b"-").isdigit()


def _carefully(line: bytes) -> Incoming | list[bytes] | Unreadable | None:
    """Read what msgspec refuses (lone surrogates, any depth); find out whose answer a broken line wants."""
    if not line.strip(_SPACE):
        return None
    from mcpeak.protocol.careful import scan  # late: only odd lines need it

    found = scan(line)
    members = found.members or {}
    if found.why:
        return Unreadable(
            found.why, members["id"] if "method" in members and _whole(members.get("id", b"")) else b""
        )
    if found.members is None:
        return Unreadable("not_object") if found.elements is None else found.elements
    try:
        return _from_value(parse(line), members)
    except JsonError:  # JSON, but with a number that nothing can hold
        return Unreadable("number", members.get("id", b"") if "method" in members else b"")


def _whole(raw: bytes) -> bool:
    try:
        msgspec.json.decode(raw)
    except msgspec.MsgspecError:
        return False
    return proper_id(raw)


def _from_value(value: dict[str, Any], members: dict[str, bytes]) -> Incoming:
    method = value.get("method")
    given = value.get("params")
    params = NO_PARAMS if given is None else _params(given)
    return Incoming(
        id=Raw(members.get("id", b"")),
        method=method if isinstance(method, str) else None,
        params=params,
        result=Raw(dumps_line(value["result"])) if "result" in value else ABSENT,
        error=Raw(dumps_line(value["error"])) if "error" in value else ABSENT,
        jsonrpc=value.get("jsonrpc", UNSET),
    )


def _params(value: object) -> Params:
    """Fill Params from a parsed value; MALFORMED when it or its `_meta` is no object."""
    meta = value.get("_meta", {}) if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(meta, dict):
        return MALFORMED
    known = {field.encode_name: field.name for field in msgspec.structs.fields(Params)}
    given: dict[str, Any] = {
        known[key]: part for key, part in value.items() if key in known and key != "_meta"
    }
    if "request_id" in given:
        given["request_id"] = Raw(dumps_line(given["request_id"]))
    known = {field.encode_name: field.name for field in msgspec.structs.fields(Meta)}
    inner: dict[str, Any] = {known[key]: part for key, part in meta.items() if key in known}
    if "progress_token" in inner:
        inner["progress_token"] = Raw(dumps_line(inner["progress_token"]))
    return Params(meta=Meta(**inner), **given)
