"""JSON values made readable, on one line or spread over several; and what differs in two of them.

Rule of this file: pure, no words of any language.
"""

from typing import Any

import msgspec
from msgspec import UNSET, Raw

from mcpeak.report.width import cut_middle
from mcpeak.wire.json import JsonError, dumps_line, parse

SHORT = 160  # code points of a value within a line
GLANCE = 60  # code points of a value that is compared at a glance
TEXT = 2000  # code points of a value that has lines of its own
CONTEXT = 2  # lines around a difference
BLOCK = 4096  # code points of two texts that are compared at once
COMPARED = 120  # lines that are compared, from the first difference on
WINDOW = 36  # code points of a string on each side of its first difference


def compact(value: Any) -> str:
    """Write a value as one line of JSON, readable beyond ASCII."""
    try:
        return msgspec.json.encode(value).decode()
    except (UnicodeEncodeError, OverflowError, RecursionError, msgspec.EncodeError, TypeError):
        return dumps_line(value).decode()


def short(value: Any, limit: int = SHORT) -> tuple[str, int]:
    """Write a value on one line of at most `limit` code points; and how many it has if it was cut, else 0."""
    text = compact(value)
    return (text, 0) if len(text) <= limit else (cut_middle(text, limit), len(text))


def spread(value: Any) -> str:
    """Write a value over lines, two blanks a level; what has no parts stays one line."""
    if not isinstance(value, dict | list):
        return compact(value)
    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    except (UnicodeEncodeError, OverflowError, RecursionError, msgspec.MsgspecError, TypeError):
        return dumps_line(value).decode()


def of_raw(raw: Raw | bytes) -> Any:
    """Make a value of JSON bytes, exactly; numbers beyond any value (1e400) leave the text as it is."""
    try:
        return parse(bytes(raw))
    except JsonError:
        return bytes(raw).decode("utf-8", "replace")


def difference(expected: Any, actual: Any) -> list[str]:
    """Show where two values part: lines that begin with `-` (expected), `+` (actual) or a blank (both).

    Empty when there is nothing that two single lines would not show as well.
    """
    if isinstance(expected, str) and isinstance(actual, str):
        return _strings(expected, actual)
    if isinstance(expected, dict | list) and isinstance(actual, dict | list):
        if max(len(compact(expected)), len(compact(actual))) <= GLANCE:
            return []
        return _lines(spread(expected), spread(actual))
    return []


def _strings(expected: str, actual: str) -> list[str]:
    if "\n" in expected or "\n" in actual:
        return _lines(expected, actual)
    at = _first_difference(expected, actual)
    if max(len(expected), len(actual)) <= WINDOW or not at:
        return []
    start = max(at - WINDOW, 0)
    return [f"- {_window(expected, start, at)}", f"+ {_window(actual, start, at)}"]


def _first_difference(one: str, other: str) -> int:
    """Find the first place where two texts part; whole blocks are compared first, for they may be long."""
    start = 0
    while start < len(one) and one[start : start + BLOCK] == other[start : start + BLOCK]:
        start += BLOCK
    ends = zip(one[start : start + BLOCK], other[start : start + BLOCK], strict=False)
    return next((start + i for i, (a, b) in enumerate(ends) if a != b), min(len(one), len(other)))


def _window(text: str, start: int, at: int) -> str:
    end = at + WINDOW
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")


def _lines(expected: str, actual: str, most: int = 14) -> list[str]:
    from difflib import SequenceMatcher  # late: only a failure that has lines to compare

    old, new = _near_first_difference(expected.splitlines(), actual.splitlines())
    shown: list[str] = []
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT):
        if shown:
            shown.append("  …")
        for tag, i, j, k, m in group:
            if tag == "equal":
                shown += [f"  {line}" for line in old[i:j]]
            else:
                shown += [f"- {line}" for line in old[i:j]] + [f"+ {line}" for line in new[k:m]]
    shown = [cut_middle(line, SHORT) for line in shown]
    return shown if len(shown) <= most else [*shown[:most], "  …"]


def _near_first_difference(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    """Drop what is far from the first difference: comparing lines costs their product."""
    at = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = max(at - CONTEXT, 0)
    return old[start : start + COMPARED], new[start : start + COMPARED]


def given(value: Any) -> bool:
    """Tell whether a field was there at all (null is a value)."""
    return value is not UNSET
