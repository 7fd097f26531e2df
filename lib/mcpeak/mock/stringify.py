"""JSON.stringify (ECMA-262 §25.5.2) for the text of a `result`: keys in order, numbers as doubles print.

Rule of this file: pure. The text is what clients compare byte for byte, so it follows `vectors/mock.json`.
"""

from typing import Any

import msgspec
from msgspec import Raw

from mcpeak.suite.canonical import EXACT, number
from mcpeak.wire.json import dumps_line

_encode = msgspec.json.Encoder().encode


def stringify(value: object) -> str:
    """Write a value as JSON.stringify would; where it holds lone surrogates, as ASCII."""
    exact = _numbers(value)
    try:
        return _encode(exact).decode()
    except (UnicodeEncodeError, msgspec.EncodeError, RecursionError):
        return dumps_line(exact).decode()


def encode(value: object) -> bytes:
    """Write a value as it is, numbers with all their digits, on one line."""
    try:
        return _encode(value)
    except (UnicodeEncodeError, OverflowError, msgspec.EncodeError, RecursionError):
        return dumps_line(value)


def _numbers(value: Any) -> Any:
    """Replace every number whose ECMAScript form is not msgspec's by that form."""
    kind = type(value)
    if kind is float or (kind is int and not -EXACT <= value <= EXACT):
        return Raw(number(value).encode())
    if kind is dict:
        members = {}
        for key, part in value.items():  # loops, not comprehensions: one frame a level
            members[key] = part if type(part) is str else _numbers(part)
        return members
    if kind is list:
        elements = []
        for part in value:
            elements.append(_numbers(part))  # noqa: PERF401 - as above
        return elements
    return value
