"""Which response answers a call: equal arguments are found by one look into a dict, however many there are.

Rule of this file: pure. Equal means equal as JSON: key order is free, 1 = 1.0, true is not 1 (CONTRACT §6).
"""

from typing import Any

import msgspec

from mcpeak.wire.json import dumps_line

_encode = msgspec.json.Encoder().encode
_PLAIN = frozenset({str, int, bool, type(None)})


def key(value: object) -> bytes:
    """Make the bytes that all values equal to this one share."""
    plain = _plain(value)
    try:
        return _encode(plain)
    except (UnicodeEncodeError, OverflowError, msgspec.EncodeError, RecursionError):
        return dumps_line(plain)


def _plain(value: Any) -> Any:
    """Give the value with whole floats as integers and keys in order; one frame a level (512 at most)."""
    kind = type(value)
    if kind is dict:
        members = {}
        for name in sorted(value) if len(value) > 1 else value:
            part = value[name]
            members[name] = part if type(part) in _PLAIN else _plain(part)
        return members
    if kind is list:
        elements = []
        for part in value:
            elements.append(part if type(part) in _PLAIN else _plain(part))  # noqa: PERF401 - a frame more a level
        return elements
    return int(value) if kind is float and value.is_integer() else value
