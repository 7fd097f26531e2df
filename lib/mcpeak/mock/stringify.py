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
    """Write a value as JSON.stringify would: of all letters it escapes lone surrogates alone."""
    exact = _numbers(value)
    try:
        return _encode(exact).decode()
    except UnicodeEncodeError:
        return _with_surrogates(exact).encode("utf-8", "backslashreplace").decode()
    except (msgspec.EncodeError, RecursionError):
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
        return Raw(_printed(value).encode())
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


def _printed(value: float) -> str:
    try:
        return number(value)
    except ValueError:  # an integer beyond a double: arguments may hold one, and a diagnostic shows it
        return str(value)


def _with_surrogates(value: Any) -> str:
    from json.encoder import (
        encode_basestring as quote,
    )  # late: ES2019's escapes, lone surrogates left as they are

    if type(value) is str:
        return quote(value)
    pieces = []
    if type(value) is dict:
        for key, part in value.items():  # loops: one frame a level
            pieces.append(f"{quote(key)}:{_with_surrogates(part)}")
        return "{" + ",".join(pieces) + "}"
    if type(value) is list:
        for part in value:
            pieces.append(_with_surrogates(part))  # noqa: PERF401 - as above
        return "[" + ",".join(pieces) + "]"
    return _encode(value).decode()
