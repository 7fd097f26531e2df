"""The careful JSON reader (RFC 8259): any depth, lone surrogates, and the place of everything.

Rule of this file: no recursion, and no value is bent. Offsets count code points of the decoded text.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, Literal, NamedTuple

Kind = Literal["{", "}", "[", "]", "key", "value"]

DIGITS: Final = 4300  # what CPython makes an int of without `sys.set_int_max_str_digits`

_SPACE = re.compile(r"[ \t\n\r]*")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_HEX = re.compile(r"u([0-9a-fA-F]{4})")
_CONSTANT = re.compile(r"NaN|-?Infinity")
_WORDS: Final = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}
_ESCAPES: Final = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_CLOSERS: Final = {"{": "}", "[": "]"}
_OPENED: Final = {"{": "key or }", "[": "value or ]"}
_NEXT: Final = {"{": "key", "[": "value"}


class JsonError(ValueError):
    """The bytes are no JSON text. `line`, `column`: 1-based, in code points; `code`: what is wrong.

    Codes: `encoding` (no UTF-8), `end` (the text stops early), `unexpected` (a character that cannot stand
    there), `trailing` (something after the value), `string` (a control character or a bad escape),
    `constant` (NaN, Infinity), `range` (a number beyond a double, or more digits than an int can have),
    `deep` (nested deeper than the caller allows).
    """

    def __init__(self, code: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"{code} at line {line}, column {column}")
        self.code = code
        self.line = line
        self.column = column


class Event(NamedTuple):
    """One step through a text: a bracket, a member's key, or a value without parts; `end` is behind it."""

    kind: Kind
    offset: int
    end: int
    value: Any = None


def place(text: str, offset: int) -> tuple[int, int]:
    """Turn an offset into line and column, 1-based; only a line feed ends a line."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def skip_space(text: str, offset: int) -> int:
    """Find where the white space at an offset ends."""
    return _SPACE.match(text, offset).end()  # type: ignore[union-attr]  # the pattern matches emptiness too


def scan(text: str, offset: int = 0, *, infinite: bool = False, limit: int = 0) -> Iterator[Event]:
    """Yield the events of the one value at an offset, and stop behind it.

    Args:
        text: JSON text without a byte order mark.
        offset: where the value begins, white space allowed.
        infinite: a number beyond a double is ±inf instead of an error.
        limit: the deepest nesting that is allowed; 0 allows any.

    Raises:
        JsonError: what stands there is no JSON value, or it is nested too deeply.
    """
    opened: list[str] = []
    want = "value"
    at = offset
    while True:
        at = skip_space(text, at)
        char = text[at : at + 1]
        if char == '"' and want.startswith("key"):
            key, end = _string(text, at)
            yield Event("key", at, end, key)
            at = _colon(text, end)
            want = "value"
            continue
        if char and char in "{[" and want.startswith("value"):
            yield Event("{" if char == "{" else "[", at, at + 1)
            opened.append(char)
            if len(opened) > limit > 0:
                raise JsonError("deep", *place(text, at))
            want = _OPENED[char]
            at += 1
            continue
        if char == "," and want == "more":
            want = _NEXT[opened[-1]]
            at += 1
            continue
        if opened and char == _CLOSERS[opened[-1]] and want in ("more", _OPENED[opened[-1]]):
            yield Event("}" if opened.pop() == "{" else "]", at, at + 1)
            at += 1
        elif want.startswith("value"):
            value, end = _scalar(text, at, infinite=infinite)
            yield Event("value", at, end, value)
            at = end
        else:
            raise _wrong(text, at)
        if not opened:
            return
        want = "more"


def build(text: str, *, infinite: bool = False) -> Any:
    """Make the value of a whole text; of a key that stands twice the last value wins.

    Raises:
        JsonError: as `scan`, or something follows the value.
    """
    holders: list[Any] = []
    keys: list[str] = []
    done: Any = None
    end = 0
    for kind, _, end, value in scan(text, infinite=infinite):  # noqa: B007 - where the last one ends is wanted
        if kind == "key":
            keys.append(value)
            continue
        if kind in "{[":
            holders.append({} if kind == "{" else [])
            continue
        done = value if kind == "value" else holders.pop()
        if not holders:
            break
        holder = holders[-1]
        if type(holder) is dict:
            holder[keys.pop()] = done
        else:
            holder.append(done)
    end_of_text(text, end)
    return done


def end_of_text(text: str, offset: int) -> None:
    """Refuse anything but white space from an offset on."""
    at = skip_space(text, offset)
    if at < len(text):
        raise JsonError("trailing", *place(text, at))


def _wrong(text: str, at: int) -> JsonError:
    if at >= len(text):
        return JsonError("end", *place(text, at))
    return JsonError("constant" if _CONSTANT.match(text, at) else "unexpected", *place(text, at))


def _colon(text: str, offset: int) -> int:
    at = skip_space(text, offset)
    if text[at : at + 1] != ":":
        raise _wrong(text, at)
    return at + 1


def _scalar(text: str, at: int, *, infinite: bool) -> tuple[Any, int]:
    char = text[at : at + 1]
    if char == '"':
        return _string(text, at)
    word = _WORDS.get(char)
    if word is not None and text.startswith(word[0], at):
        return word[1], at + len(word[0])
    found = _NUMBER.match(text, at)
    if found is None or _CONSTANT.match(text, at):
        raise _wrong(text, at)
    return _number(text, found, infinite=infinite), found.end()


def _number(text: str, found: re.Match[str], *, infinite: bool) -> int | float:
    whole, fraction, exponent = found.groups()
    if fraction is None and exponent is None and len(whole) <= DIGITS:
        if not infinite or float(whole) not in (float("inf"), float("-inf")):
            return int(whole)
        return float(whole)
    number = float(found[0])
    if number in (float("inf"), float("-inf")) and not infinite:
        raise JsonError("range", *place(text, found.start()))
    return number


def _string(text: str, at: int) -> tuple[str, int]:
    start = at + 1
    pieces = []
    while True:
        end = _PLAIN.match(text, start).end()  # type: ignore[union-attr]  # matches emptiness too
        pieces.append(text[start:end])
        char = text[end : end + 1]
        if char == '"':
            return "".join(pieces), end + 1
        if char != "\\":
            raise JsonError("string" if char else "end", *place(text, end))
        piece, start = _escape(text, end)
        pieces.append(piece)


def _escape(text: str, at: int) -> tuple[str, int]:
    short = _ESCAPES.get(text[at + 1 : at + 2])
    if short is not None:
        return short, at + 2
    found = _HEX.match(text, at + 1)
    if found is None:
        raise JsonError("string" if at + 1 < len(text) else "end", *place(text, at))
    unit = int(found[1], 16)
    if 0xD800 <= unit < 0xDC00 and text.startswith("\\", found.end()):  # noqa: PLR2004 - UTF-16's own ranges
        second = _HEX.match(text, found.end() + 1)
        low = int(second[1], 16) if second else 0
        if second and 0xDC00 <= low < 0xE000:  # noqa: PLR2004 - UTF-16's own ranges
            return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)), second.end()
    return chr(unit), found.end()
