"""Reading envelopes and errors of any shape: what the fast decoder refuses is looked at member by member."""

import msgspec
from msgspec import UNSET, Raw, Struct

from mcpeak.protocol import careful, messages
from mcpeak.protocol.events import RpcError
from mcpeak.protocol.messages import Id, Message

TROUBLE = (msgspec.DecodeError, ValueError, RecursionError)
"""What a decoder raises."""


_NULL = b"null"


class _Error(Struct, gc=False):
    code: object = 0
    message: object = ""
    data: Raw = messages.NOTHING


_decode_error = msgspec.json.Decoder(_Error).decode


def is_error(message: Message) -> bool:
    """Tell whether an answer is an error: `"error": null` is none."""
    return len(message.error) > 0 and (len(message.error) != len(_NULL) or bytes(message.error) != _NULL)


def message_of(members: dict[str, bytes]) -> Message | None:
    """Make a message of members that the careful walk found; None: its id or its method is no such thing."""
    try:
        number = msgspec.json.decode(members["id"], type=Id) if "id" in members else UNSET
        method = msgspec.json.decode(members.get("method", b"null"), type=str | None)
    except TROUBLE:
        return None
    raw = {key: Raw(members.get(key, b"")) for key in ("params", "result", "error")}
    return Message(number, method, **raw)


def rpc_error(raw: Raw) -> RpcError:
    """Read an error object, whatever its shape: a bad one is still an error."""
    try:
        seen = _decode_error(raw)
    except TROUBLE:
        members = careful.scan(bytes(raw)).members
        if members is None:
            return RpcError(0, bytes(raw).decode("utf-8", "replace"))
        seen = _Error(_value(members, "code"), _value(members, "message"), Raw(members.get("data", b"")))
    code = seen.code if isinstance(seen.code, int) and not isinstance(seen.code, bool) else 0
    if code != seen.code or not isinstance(seen.message, str):  # its own words, whatever they are
        return RpcError(code, bytes(raw).decode("utf-8", "replace"))
    return RpcError(code, seen.message, seen.data)


def kind_of(result: Raw) -> object:
    """Tell a modern result's `resultType`; absent means `complete` (PROTOCOL.md §1)."""
    try:
        return messages.decode_kind(result).result_type
    except TROUBLE:
        return _value(careful.scan(bytes(result)).members or {}, "resultType") or "complete"


def _value(members: dict[str, bytes], key: str) -> object:
    try:
        return msgspec.json.decode(careful.without_lone_surrogates(members.get(key, b"null")))
    except TROUBLE:
        return None
