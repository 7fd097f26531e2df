"""Where two answers differ: paths, both values, and a guess at what kind of thing differs.

Rule of this file: pure; bounded in what it shows. Two values are equal as JSON values are: key order means
nothing.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from mcpeak.wire.json import JsonError, parse

MOST = 10
"""Differences of one answer that are shown."""

SHOWN = 200
"""Code points of a differing text that are shown."""

DEEPEST = 100

TIME = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\d\d:\d\d:\d\d(?:[.,]\d+)?"
)
UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
MARK = re.compile(r"(?=[\w-]*\d)[\w-]{8,}")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
EPOCHS = (10**9, 4 * 10**9)
"""Seconds since 1970 that mean a time of our days (2001 to 2096); a thousand times that, milliseconds."""

NEAR = 1000
"""Two numbers that are no further apart may have been counted."""


class Difference(NamedTuple):
    """One place. `kind`: time, randomId, counter, order, number, text, type, missing."""

    path: str
    kind: str
    first: Any
    second: Any


def differences(first: Any, second: Any) -> list[Difference]:
    """Find where two JSON values differ, at most MOST places; texts that hold JSON are looked into."""
    found: list[Difference] = []
    for difference in _walk("$", first, second, 0):
        found.append(difference)
        if len(found) == MOST:
            break
    return found


def _walk(path: str, first: Any, second: Any, depth: int) -> Iterator[Difference]:
    if _same(first, second) or depth > DEEPEST:
        return
    if isinstance(first, dict) and isinstance(second, dict):
        yield from _objects(path, first, second, depth)
    elif isinstance(first, list) and isinstance(second, list):
        yield from _arrays(path, first, second, depth)
    elif isinstance(first, str) and isinstance(second, str):
        yield from _texts(path, first, second, depth)
    elif _number(first) and _number(second):
        yield Difference(path, _number_kind(first, second), first, second)
    else:
        yield Difference(path, "type", _cut(first), _cut(second))


def _objects(path: str, first: dict[str, Any], second: dict[str, Any], depth: int) -> Iterator[Difference]:
    for key, value in first.items():
        place = f"{path}.{key}"
        if key in second:
            yield from _walk(place, value, second[key], depth + 1)
        else:
            yield Difference(place, "missing", _cut(value), None)
    for key, value in second.items():
        if key not in first:
            yield Difference(f"{path}.{key}", "missing", None, _cut(value))


def _arrays(path: str, first: list[Any], second: list[Any], depth: int) -> Iterator[Difference]:
    if len(first) == len(second) and sorted(map(repr, first)) == sorted(map(repr, second)):
        yield Difference(path, "order", _cut(first), _cut(second))
        return
    for place, (one, other) in enumerate(zip(first, second, strict=False)):
        yield from _walk(f"{path}[{place}]", one, other, depth + 1)
    if len(first) != len(second):
        yield Difference(f"{path}.length", "number", len(first), len(second))


def _texts(path: str, first: str, second: str, depth: int) -> Iterator[Difference]:
    one, other = _json(first), _json(second)
    if one is not None and other is not None:
        yield from _walk(path, one, other, depth + 1)
    else:
        yield Difference(path, _text_kind(first, second), _around(first, second), _around(second, first))


def _json(text: str) -> Any:
    """Read a text that holds a JSON object or array; None: it holds none."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return parse(text.encode("utf-8", "surrogatepass"))
    except JsonError:
        return None


def _text_kind(first: str, second: str) -> str:
    """Guess what differs: the kind whose replacement makes the texts equal."""
    one, other = first, second
    for kind, shape in (("time", TIME), ("randomId", UUID)):
        one, other = shape.sub("*", one), shape.sub("*", other)
        if one == other:
            return kind
    if NUMBER.sub("*", one) == NUMBER.sub("*", other):
        return _counted(one, other)
    if MARK.sub("*", one) == MARK.sub("*", other):
        return "randomId"
    if sorted(first.split()) == sorted(second.split()):
        return "order"
    return "text"


def _counted(first: str, second: str) -> str:
    pairs = zip(NUMBER.findall(first), NUMBER.findall(second), strict=True)
    kinds = {_number_kind(float(one), float(other)) for one, other in pairs if one != other}
    return kinds.pop() if len(kinds) == 1 else "number"


def _number_kind(first: float, second: float) -> str:
    for unit in (1, 1000):
        if all(EPOCHS[0] * unit <= value <= EPOCHS[1] * unit for value in (first, second)):
            return "time"
    whole = float(first).is_integer() and float(second).is_integer()
    return "counter" if whole and abs(second - first) <= NEAR else "number"


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    if isinstance(first, dict | list):
        return repr(first) == repr(second)  # key order is looked at below; `True` and 1 print apart
    return bool(first == second)


def _around(text: str, other: str) -> str:
    """Show a text around the first place where it differs."""
    place = next(
        (n for n, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other))
    )
    start = max(place - SHOWN // 4, 0)
    part = text[start : start + SHOWN]
    return ("…" if start else "") + part + ("…" if len(text) > start + SHOWN else "")


def _cut(value: Any) -> Any:
    """Show a value as it is when it is short, else as the beginning of its text."""
    text = value if isinstance(value, str) else repr(value)
    if len(text) <= SHOWN:
        return value
    return text[:SHOWN] + "…"
