"""Reading a suite's text with the standard library's C reader, where that tells the truth.

Rule of this file: whatever is not as it should be (no JSON, a duplicate key, deep nesting) raises one of
UNSURE, and the careful reader then says what and where.
"""

import json
from collections.abc import Callable
from json.decoder import scanstring  # type: ignore[attr-defined]  # there since Python 3.0, not in the stubs
from sys import intern
from typing import Any

from mcpeak.suite.outline import Outline
from mcpeak.wire.scan import end_of_text, skip_space

_Inner = Callable[[str, int, int], tuple[Any, int]]  # key, offset of key, offset of value → value, end


def read_quickly(text: str) -> Outline:
    """Read a suite's text.

    Raises:
        Exception: one of UNSURE, when the careful reader has to look.
    """
    return _Quick(text).outline


class _DoubleKey(Exception):  # noqa: N818 - no error but a reason to read again
    """A key stands twice: only the careful reader knows where."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _DoubleKey
    return value


def _constant(name: str) -> Any:
    raise ValueError(name)


UNSURE = (_DoubleKey, ValueError, RecursionError, IndexError)


class _Quick:
    """The C reader, led by hand through root, cases and assertions, whose offsets are wanted."""

    def __init__(self, text: str) -> None:
        self.outline = Outline(text)
        self._text = text
        numbers = self.outline.numbers
        self._any = json.JSONDecoder(
            object_pairs_hook=_object,
            parse_int=numbers.integer,
            parse_float=numbers.fraction,
            parse_constant=_constant,
        ).raw_decode
        self.outline.value, end = self._value("{", skip_space(text, 0), self._field)
        end_of_text(text, end)

    def _value(self, bracket: str, at: int, inner: _Inner) -> tuple[Any, int]:
        """Read a value; one that opens with the expected bracket part by part."""
        if self._text[at] != bracket:
            return self._any(self._text, at)
        return self._object(at, inner) if bracket == "{" else self._array(at, inner)

    def _field(self, key: str, key_at: int, at: int) -> tuple[Any, int]:
        self.outline.fields[key] = (key_at, at)
        return self._value("[", at, self._case) if key == "cases" else self._any(self._text, at)

    def _case(self, _key: str, _key_at: int, at: int) -> tuple[Any, int]:
        self.outline.cases.append(at)
        self.outline.assertions.append([])
        return self._value("{", at, self._case_field)

    def _case_field(self, key: str, _key_at: int, at: int) -> tuple[Any, int]:
        return self._value("[", at, self._assertion) if key == "assertions" else self._any(self._text, at)

    def _assertion(self, _key: str, _key_at: int, at: int) -> tuple[Any, int]:
        self.outline.assertions[-1].append(at)
        return self._any(self._text, at)

    def _object(self, at: int, inner: _Inner) -> tuple[Any, int]:
        text = self._text
        pairs: list[tuple[str, Any]] = []
        at = skip_space(text, at + 1)
        while text[at] != "}" or pairs:
            key_at = at
            if text[at] != '"':
                raise ValueError
            key, at = scanstring(text, at + 1)
            at = skip_space(text, at)
            if text[at] != ":":
                raise ValueError
            value, at = inner(key, key_at, skip_space(text, at + 1))
            pairs.append((intern(key), value))
            at, more = self._more("}", at)
            if not more:
                return _object(pairs), at
        return {}, at + 1

    def _array(self, at: int, inner: _Inner) -> tuple[Any, int]:
        text = self._text
        values: list[Any] = []
        at = skip_space(text, at + 1)
        while text[at] != "]" or values:
            value, at = inner("", at, at)
            values.append(value)
            at, more = self._more("]", at)
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
