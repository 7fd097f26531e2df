"""Reading a definition: bytes or a value in, the checked definition or its problems out.

Rule of this file: pure; it finds what is wrong, `words.py` says it.
Source: spec/003 (the format), CONTRACT §6 (what is checked), docs/mock.md (what goes beyond the format).
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from mcpeak.mock.checks import Problem, problems_of
from mcpeak.mock.oddities import warnings_of
from mcpeak.wire.json import JsonError, parse

DEPTH = 512
"""How deep arguments and answers may nest (containers within each other)."""

_BOM = b"\xef\xbb\xbf"
_SIMPLE = (str, bool, type(None), int)
_INFINITE = 2**1024 - 2**970  # integers from here on are Infinity as doubles (IEEE 754 binary64)
_LONG = re.compile(rb"[0-9]{309}")  # the shortest integer beyond a double has so many digits


class Definition(NamedTuple):
    """A definition that can be served. `value`: the object as written; `source`: its name in messages."""

    source: str
    value: dict[str, Any]
    warnings: tuple[Problem, ...] = ()


class Refused(NamedTuple):
    """A definition that cannot be served, with everything that is wrong with it, and what is odd about it."""

    source: str
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...] = ()


def read(data: bytes, source: str) -> Definition | Refused:
    """Read a definition file: UTF-8 JSON, one byte order mark allowed."""
    try:
        value = parse(data.removeprefix(_BOM))
    except JsonError as wrong:
        code = "NUMBER" if wrong.code in ("range", "constant") else "NOT_JSON"
        place = {"line": wrong.line, "column": wrong.column, "why": wrong.code}
        return Refused(source, (Problem("EMPTY" if not data.strip() else code, "$", place),))
    if _LONG.search(data) is not None:
        return check_python(value, source)
    return check(value, source)


def check(value: object, source: str) -> Definition | Refused:
    """Check a value that JSON can hold and that has no number beyond a double."""
    problems = list(problems_of(value))
    if not problems and isinstance(value, dict):
        problems = list(_too_deep(value))
        if not problems:
            return Definition(source, value, tuple(warnings_of(value)))
    return Refused(source, tuple(problems), tuple(warnings_of(value)))


def check_python(value: object, source: str) -> Definition | Refused:
    """Check a value made in Python, which may hold what no JSON can (CONTRACT §9)."""
    foreign = next(_foreign(value), None)
    return Refused(source, (foreign,)) if foreign is not None else check(value, source)


def _too_deep(value: dict[str, Any]) -> Iterator[Problem]:
    rest = {name: items for name, items in value.items() if name != "tools"}
    if not deeper_than(rest, DEPTH):
        return  # one look at the whole is enough, nearly always
    for name, items in rest.items():
        for place, item in enumerate(items if isinstance(items, list) else [items]):
            for key, part in item.items() if isinstance(item, dict) else ():
                if deeper_than(part, DEPTH):
                    yield Problem("TOO_DEEP", f"{name}[{place}].{key}", {"limit": DEPTH})


def deeper_than(value: object, limit: int) -> bool:
    """Tell whether containers nest more than `limit` deep; without recursion."""
    level: list[Any] = [value]
    for _ in range(limit + 1):
        level = [part for part in level if isinstance(part, dict | list)]
        if not level:
            return False
        level = [
            part for holder in level for part in (holder.values() if isinstance(holder, dict) else holder)
        ]
    return True


def json_problem(value: object, path: str) -> Problem | None:
    """Find the first thing in a Python value that JSON cannot hold: cycles, NaN, dates, sets, other keys."""
    return next(_foreign(value, path), None)


def _foreign(value: object, path: str = "$") -> Iterator[Problem]:
    todo: list[tuple[object, str, tuple[int, ...]]] = [(value, path, ())]
    while todo:
        item, place, above = todo.pop()
        if isinstance(item, float):
            if item != item or item in (float("inf"), float("-inf")):  # noqa: PLR0124 - NaN is what differs from itself
                yield Problem("NOT_JSON_VALUE", place, {"kind": str(item)})
        elif isinstance(item, int):
            if abs(item) >= _INFINITE:
                yield Problem("BEYOND_DOUBLE", place, {})
        elif isinstance(item, dict | list | tuple):
            if id(item) in above:
                yield Problem("CYCLE", place, {})
                continue
            inner = (*above, id(item))
            for key, part in _members(item):
                if isinstance(item, dict) and not isinstance(key, str):
                    yield Problem("NOT_JSON_VALUE", f"{place}[{key!r}]", {"kind": type(key).__name__})
                todo.append((part, _joined(place, key), inner))
        elif not isinstance(item, _SIMPLE):
            yield Problem("NOT_JSON_VALUE", place, {"kind": type(item).__name__})


def _members(holder: Any) -> list[tuple[Any, Any]]:
    return list(holder.items()) if isinstance(holder, dict) else list(enumerate(holder))


def _joined(path: str, key: object) -> str:
    if isinstance(key, int):
        return f"{path}[{key}]"
    return str(key) if path == "$" else f"{path}.{key}"
