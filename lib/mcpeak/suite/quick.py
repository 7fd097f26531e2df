"""Reading a suite's text with the standard library's C reader, where that tells the truth.

Rule of this file: whatever is not as it should be (no JSON, a duplicate key, deep nesting) raises one of
UNSURE, and the careful reader then says what and where.
"""

import json
from json.decoder import scanstring  # type: ignore[attr-defined]  # there since Python 3.0, not in the stubs
from sys import intern
from typing import Any, Final

from mcpeak.suite.outline import Outline
from mcpeak.wire.scan import end_of_text, scan, skip_space

_KEY: Final = '"assertions"'


def read_quickly(text: str) -> Outline:
    """Read a suite's text.

    Raises:
        Exception: one of UNSURE, when the careful reader has to look.
    """
    return _Quick(text).outline


class _DoubleKey(Exception):  # noqa: N818 - no error but a reason to read again
    """A key stands twice: only the careful reader knows where."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = {intern(key): part for key, part in pairs}
    if len(value) != len(pairs):
        raise _DoubleKey
    return value


def _constant(name: str) -> Any:
    raise ValueError(name)


UNSURE = (_DoubleKey, ValueError, RecursionError, IndexError)


class _Quick:
    """The C reader, led by hand through the root and from case to case, whose offsets are wanted."""

    def __init__(self, text: str) -> None:
        self.outline = Outline(text)
        self._text = text
        numbers = self.outline.numbers
        self._read = json.JSONDecoder(
            object_pairs_hook=_object,
            parse_int=numbers.integer,
            parse_float=numbers.fraction,
            parse_constant=_constant,
        ).raw_decode
        self._skip = json.JSONDecoder().raw_decode
        start = skip_space(text, 0)
        self.outline.value, end = self._root(start) if text[start] == "{" else self._read(text, start)
        end_of_text(text, end)

    def _root(self, at: int) -> tuple[Any, int]:
        text = self._text
        pairs: list[tuple[str, Any]] = []
        at = skip_space(text, at + 1)
        while text[at] != "}" or pairs:
            key_at = at
            key, at = self._key(at)
            self.outline.fields[key] = (key_at, at)
            listed = key == "cases" and text[at] == "["
            value, at = self._cases(at) if listed else self._read(text, at)
            pairs.append((key, value))
            at, more = self._more("}", at)
            if not more:
                return _object(pairs), at
        return {}, at + 1

    def _key(self, at: int) -> tuple[str, int]:
        """Read a key and its colon; give it and the offset of its value."""
        text = self._text
        if text[at] != '"':
            raise ValueError
        key, at = scanstring(text, at + 1)
        at = skip_space(text, at)
        if text[at] != ":":
            raise ValueError
        return key, skip_space(text, at + 1)

    def _cases(self, at: int) -> tuple[list[Any], int]:
        text, outline = self._text, self.outline
        values: list[Any] = []
        at = skip_space(text, at + 1)
        while text[at] != "]" or values:
            value, end = self._read(text, at)
            values.append(value)
            outline.cases.append(at)
            outline.assertions.append(self._assertions(value, at, end))
            at, more = self._more("]", end)
            if not more:
                return values, at
        return [], at + 1

    def _more(self, closer: str, at: int) -> tuple[int, bool]:
        """Step over the comma, or the bracket that ends it all."""
        at = skip_space(self._text, at)
        char = self._text[at]
        if char == closer:
            return at + 1, False
        if char != ",":
            raise ValueError
        return skip_space(self._text, at + 1), True

    def _assertions(self, case: Any, at: int, end: int) -> list[int]:
        """Find where the assertions of a case begin, by the one place where that word stands in quotes."""
        listed = case.get("assertions") if type(case) is dict else None
        if type(listed) is not list or not listed:
            return []
        text = self._text
        key = text.find(_KEY, at, end)
        if key < 0 or text.find(_KEY, key + 1, end) > 0 or text.find("\\u00", at, end) > 0:
            return assertion_offsets(text, at)
        place = skip_space(text, key + len(_KEY))
        place = skip_space(text, skip_space(text, place + 1) + 1)
        found = [place]
        for _ in range(len(listed) - 1):
            _, place = self._skip(text, place)
            place = skip_space(text, skip_space(text, place) + 1)
            found.append(place)
        return found


def assertion_offsets(text: str, at: int) -> list[int]:
    """Find where the assertions of the case at an offset begin, token by token."""
    found: list[int] = []
    depth, key = 0, ""
    for kind, offset, _, value in scan(text, at, infinite=True):
        if kind == "key":
            key = value if depth == 1 else key
        elif kind in ("}", "]"):
            depth -= 1
        else:
            if depth == 2 and key == "assertions":  # noqa: PLR2004 - within the case, within its list
                found.append(offset)
            depth += kind != "value"
    return found
