"""JSON beyond msgspec: lone surrogates, any depth, integers of any size, duplicate keys, positions.

`parse` is what everybody calls: fast where msgspec tells the truth, careful where it would bend a value.
The careful reader (`scan`) and the writer (`ascii`) are iterative; what is wrong gets its line and column.
"""

import typing
from typing import Any

import msgspec
from msgspec import Raw, Struct

from mcpeak.wire.ascii import dumps_line
from mcpeak.wire.scan import JsonError, build, place

__all__ = ["JsonError", "decode_utf8", "dumps_line", "parse", "raw_fields"]

_decode = msgspec.json.Decoder().decode


def parse(data: bytes) -> Any:
    """Make a value of JSON bytes (UTF-8), exactly: integers keep every digit, surrogates survive.

    Of a key that stands twice the last value wins (RFC 8259 §4 leaves it open; most servers' readers do so).

    Raises:
        JsonError: no JSON, invalid UTF-8, NaN or Infinity, a fraction or power beyond a double,
            an integer of more than 4,300 digits.
    """
    try:
        return _decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return build(decode_utf8(data))


def decode_utf8(data: bytes) -> str:
    """Decode UTF-8 strictly.

    Raises:
        JsonError: `encoding`, with the place of the first byte that is none.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        before = data[: wrong.start].decode("utf-8")
        raise JsonError("encoding", *place(before, len(before))) from wrong


def raw_fields(value: object) -> object:
    """Turn a parsed record so that msgspec.convert accepts it: fields of type Raw become Raw again.

    A value that is no record of stream version 1 comes back as it is.

    Raises:
        msgspec.ValidationError: a part has the wrong shape (`convert` finds the others).
    """
    from mcpeak.wire.records import AnyRecord

    tag = value.get("type") if isinstance(value, dict) else None
    for kind in typing.get_args(AnyRecord):
        if kind.__struct_config__.tag == tag:
            return _rawed(value, kind)
    return value


def _rawed(value: object, kind: object) -> object:
    """Follow a type into a value; records are shallow, so this recursion ends after a few steps."""
    if kind is Raw:
        return Raw(dumps_line(value))
    if isinstance(kind, type) and issubclass(kind, Struct) and isinstance(value, dict):
        return _rawed_members(value, kind)
    arguments = typing.get_args(kind)
    if typing.get_origin(kind) is list and isinstance(value, list):
        return [_rawed(part, arguments[0]) for part in value]
    optional = [part for part in arguments if part not in (type(None), msgspec.UnsetType)]
    if typing.get_origin(kind) is not list and len(optional) == 1 and value is not None:
        return _rawed(value, optional[0])
    return value


def _rawed_members(value: dict[str, Any], kind: type[Struct]) -> object:
    """Go through one object; msgspec.convert refuses a Raw for `Raw | None`, so such a part is made here."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    types = {name: field.type for name, field in fields.items()}
    members = {key: _rawed(part, types.get(key)) for key, part in value.items()}
    late = {key: part for key, part in members.items() if isinstance(part, Raw) and types[key] is not Raw}
    if not late:
        return members
    record = msgspec.convert({key: part for key, part in members.items() if key not in late}, kind)
    for key, part in late.items():
        setattr(record, fields[key].name, part)
    return record


def pretty(value: object, indent: int | None = 2) -> str:
    """Write a value for people, letters as they are; one nested too deeply for that in ASCII on one line."""
    import json  # late: msgspec writes everything else

    try:
        return json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    except (RecursionError, ValueError):
        return dumps_line(value).decode().rstrip("\n")
