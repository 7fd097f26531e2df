"""Lines that the fast decoder refuses: are they JSON after all, and whose answer is it.

One iterative walk (any depth, no recursion) over the bytes. It checks the grammar of RFC 8259 and keeps the
span of each member of the outermost object. It goes on after a mistake, so that the id of a cut or broken
line is still found. It never makes values: what it gives is slices of the line.
"""

import codecs
import re
from typing import NamedTuple

# One token at a time; a string may be cut, anything else unknown is one wrong byte.
_TOKEN = re.compile(
    rb"[ \t\r\n]*(?:"
    rb"(?P<string>\"[^\"\\\x00-\x1f]*+(?:\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4})[^\"\\\x00-\x1f]*)*\")"
    rb"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![0-9a-zA-Z.+-])"
    rb"|(?P<word>true|false|null)(?![0-9a-zA-Z])"
    rb"|(?P<mark>[\[\]{}:,])"
    rb"|(?P<nonfinite>-?Infinity|NaN)"
    rb"|(?P<other>\"(?:[^\"\\]|\\.)*\"?|[^\[\]{}:,\" \t\r\n]+)"
    rb")",
    re.DOTALL,
)
_END = re.compile(rb"[ \t\r\n]*\Z")
_SURROGATE = re.compile(
    rb"(?P<kept>\\[^u]|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_BOM = b"\xef\xbb\xbf"
_PIECE = 1 << 20
_VALUES = frozenset({"string", "number", "word"})


class Scan(NamedTuple):
    """What a line is made of.

    `members`: key → raw value of the outermost object, or None for other JSON; `elements`: raw values of an
    outermost array; `why`/`at`: the first mistake and its byte (`""` and -1 when the line is JSON).
    """

    members: dict[str, bytes] | None
    elements: list[bytes] | None
    why: str
    at: int


def scan(line: bytes) -> Scan:
    """Walk a line of (supposed) JSON in UTF-8; a byte order mark before it is nothing."""
    walk = _Walk(line)
    walk.run(len(_BOM) if line.startswith(_BOM) else 0)
    wrong = bad_utf8(line)
    if wrong >= 0:
        walk.note("encoding", wrong, first=True)
    return Scan(walk.members, walk.elements, walk.why, walk.at)


def bad_utf8(line: bytes) -> int:
    """Find the first byte that is no UTF-8, or -1; in pieces: a huge line must not double in memory."""
    if line.isascii():
        return -1
    read = codecs.getincrementaldecoder("utf-8")().decode
    for start in range(0, len(line), _PIECE):
        piece = line[start : start + _PIECE]
        try:
            read(piece, start + _PIECE >= len(line))
        except UnicodeDecodeError as wrong:
            # a character cut by the piece before begins there
            return start + wrong.start - (len(wrong.object) - len(piece))
    return -1


def without_lone_surrogates(raw: bytes) -> bytes:
    """Put U+FFFD for every escaped surrogate that stands alone, so that the fast decoder reads the rest."""
    return _SURROGATE.sub(lambda found: found[0] if found["kept"] else rb"\ufffd", raw)


class _Walk:
    """The walk: `expect` is what may come next, `stack` the open brackets."""

    def __init__(self, line: bytes) -> None:
        self.line = line
        self.stack: list[int] = []
        self.expect = "value"
        self.members: dict[str, bytes] | None = None
        self.elements: list[bytes] | None = None
        self.why = ""
        self.at = -1
        self._key = b""
        self._start = 0

    def note(self, why: str, at: int, *, first: bool = False) -> None:
        """Keep the first mistake."""
        if not self.why or first:
            self.why, self.at = why, at

    def run(self, place: int) -> None:
        match = _TOKEN.match
        line = self.line
        while (found := match(line, place)) is not None:
            kind = str(found.lastgroup)
            start = found.start(kind)
            if kind == "mark":
                self._mark(line[start], start)
            else:
                self._scalar(kind, start, found.end())
            place = found.end()
        if self.stack or self.expect != "end":
            self.note("cut", len(line))
        elif not _END.match(line, place):
            self.note("syntax", place)

    def _scalar(self, kind: str, start: int, end: int) -> None:
        if kind not in _VALUES:
            cut = kind == "other" and end == len(self.line)
            self.note("number" if kind == "nonfinite" else "cut" if cut else "syntax", start)
        if self.expect in ("key", "key or }") and kind == "string":
            if len(self.stack) == 1:
                self._key = self.line[start + 1 : end - 1]
            self.expect = ":"
        elif self.expect in ("value", "value or ]"):
            self._begin(start)
            self._finish(end)
        else:
            self.note("syntax", start)

    def _mark(self, mark: int, start: int) -> None:
        if mark in b"{[" and self.expect in ("value", "value or ]"):
            self._open(mark, start)
        elif mark in b"}]" and self.stack and self.stack[-1] == mark:
            self._close(mark, start)
        elif mark == ord(":") and self.expect == ":":
            self.expect = "value"
        elif mark == ord(",") and self.expect == "," and self.stack:
            self.expect = "key" if self.stack[-1] == ord("}") else "value"
        else:
            self.note("syntax", start)

    def _open(self, mark: int, start: int) -> None:
        self._begin(start)
        if not self.stack:
            self.members, self.elements = ({}, None) if mark == ord("{") else (None, [])
        self.stack.append(ord("}") if mark == ord("{") else ord("]"))
        self.expect = "key or }" if mark == ord("{") else "value or ]"

    def _close(self, mark: int, start: int) -> None:
        if self.expect not in (",", "key or }" if mark == ord("}") else "value or ]"):
            self.note("syntax", start)
        self.stack.pop()
        self._finish(start + 1)

    def _begin(self, start: int) -> None:
        if len(self.stack) == 1:
            self._start = start

    def _finish(self, end: int) -> None:
        """Keep a value that is complete."""
        self.expect = "," if self.stack else "end"
        if len(self.stack) != 1:
            return
        value = self.line[self._start : end]
        if self.members is not None:
            self.members[self._key.decode("utf-8", "replace")] = value
        elif self.elements is not None:
            self.elements.append(value)
