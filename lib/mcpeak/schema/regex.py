"""ECMA-262 regular expressions, parsed as far as a matching text can be made of them.

Rule of this file: parsing only. Assertions (anchors, lookaround) match nothing here and are left out: whoever
makes a text checks it against the real expression.
"""

from typing import NamedTuple

MANY = 1_000_000
"""Stands for no upper limit of a quantifier."""

LAST = 0x10FFFF
DIGITS = ((0x30, 0x39),)
WORDS = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACES = ((0x20, 0x20), (0x09, 0x0D), (0xA0, 0xA0))
CLASSES = {"d": DIGITS, "w": WORDS, "s": SPACES}
CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "v": "\v", "f": "\f", "0": "\0"}
LOWER, UPPER = (0x61, 0x7A), (0x41, 0x5A)
PROPERTIES = {
    "Lu": (UPPER,),
    "Uppercase_Letter": (UPPER,),
    "Ll": (LOWER,),
    "Lowercase_Letter": (LOWER,),
    "N": DIGITS,
    "Nd": DIGITS,
    "P": ((0x21, 0x23),),
    "S": ((0x24, 0x24), (0x2B, 0x2B)),
    "Z": ((0x20, 0x20),),
}
"""Enough of Unicode's properties to find one member; letters stand for all others."""

Ranges = tuple[tuple[int, int], ...]


class Unreadable(Exception):  # noqa: N818 - the text of the schema is at fault, and nobody has to fail for it
    """The expression is none that this parser reads."""


class Chars(NamedTuple):
    """One character of a set; `negated`: of its complement."""

    ranges: Ranges
    negated: bool = False

    def holds(self, char: str) -> bool:
        """Tell whether the set holds a character."""
        return any(low <= ord(char) <= high for low, high in self.ranges) != self.negated


class Sequence(NamedTuple):
    """One after the other."""

    parts: tuple["Part", ...]


class Choice(NamedTuple):
    """One of several."""

    branches: tuple["Part", ...]


class Repeat(NamedTuple):
    """A part, from `least` to `most` times."""

    part: "Part"
    least: int
    most: int


class Group(NamedTuple):
    """A part that back references name by number or name."""

    part: "Part"
    names: tuple[str, ...]


class Back(NamedTuple):
    """What a group has matched before."""

    name: str


Part = Chars | Sequence | Choice | Repeat | Group | Back
NOTHING = Sequence(())


def parse(expression: str) -> Part:
    """Parse an expression.

    Raises:
        Unreadable: it is none, or uses what is not known here.
    """
    reader = _Reader(expression)
    try:
        part = reader.choice()
    except (IndexError, ValueError, RecursionError) as wrong:
        raise Unreadable(expression) from wrong
    if reader.place < len(expression):
        raise Unreadable(expression)
    return part


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.groups = 0

    def _next(self) -> str:
        char = self.text[self.place]
        self.place += 1
        return char

    def _skip(self, words: str) -> bool:
        found = self.text.startswith(words, self.place)
        self.place += len(words) if found else 0
        return found

    def _until(self, end: str) -> str:
        start = self.place
        self.place = self.text.index(end, start) + len(end)
        return self.text[start : self.place - len(end)]

    def choice(self) -> Part:
        branches = [self._sequence()]
        while self._skip("|"):
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def _sequence(self) -> Part:
        parts = []
        while self.place < len(self.text) and self.text[self.place] not in "|)":
            parts.append(self._repeated(self._atom()))
        return Sequence(tuple(parts))

    def _repeated(self, part: Part) -> Part:
        rest = self.text[self.place : self.place + 1]
        if not rest or rest not in "*+?{":
            return part
        least, most = self._quantifier()
        self._skip("?")
        return Repeat(part, least, most)

    def _quantifier(self) -> tuple[int, int]:
        sign = self._next()
        if sign != "{":
            return {"*": (0, MANY), "+": (1, MANY), "?": (0, 1)}[sign]
        low, comma, high = self._until("}").partition(",")
        return int(low), int(high) if high else MANY if comma else int(low)

    def _atom(self) -> Part:
        char = self._next()
        if char in "^$":
            return NOTHING
        if char == ".":
            return Chars(((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)), negated=True)
        if char == "(":
            return self._group()
        if char == "[":
            return self._set()
        if char == "\\":
            return self._escaped()
        return Chars(((ord(char), ord(char)),))

    def _group(self) -> Part:
        look = any(self._skip(sign) for sign in ("?=", "?!", "?<=", "?<!"))
        names: tuple[str, ...] = ()
        if not look and not self._skip("?:"):
            self.groups += 1
            names = (str(self.groups),)
            if self._skip("?<") or self._skip("?P<"):
                names += (self._until(">"),)
        part = self.choice()
        if not self._skip(")"):
            raise Unreadable(self.text)
        return NOTHING if look else Group(part, names)

    def _escaped(self) -> Part:
        char = self.text[self.place]
        if char in "bB":
            self.place += 1
            return NOTHING
        if char == "k":
            self.place += 2
            return Back(self._until(">"))
        if char in "123456789":
            self.place += 1
            return Back(char)
        ranges, negated = self._escape()
        return Chars(ranges, negated)

    def _escape(self) -> tuple[Ranges, bool]:
        char = self._next()
        if char.lower() in CLASSES:
            return CLASSES[char.lower()], char.isupper()
        if char in "pP" and self._skip("{"):
            name = self._until("}").rpartition("=")[2]
            return PROPERTIES.get(name, (LOWER, UPPER)), char == "P"
        code = self._code(char)
        return ((code, code),), False

    def _code(self, char: str) -> int:
        if char in "xu":
            return int(self._until("}"), 16) if self._skip("{") else self._hex(2 if char == "x" else 4)
        if char == "c":
            return ord(self._next()) % 32
        return ord(CONTROLS.get(char, char))

    def _hex(self, digits: int) -> int:
        self.place += digits
        return int(self.text[self.place - digits : self.place], 16)

    def _set(self) -> Part:
        negated = self._skip("^")
        ranges: list[tuple[int, int]] = []
        while not self._skip("]"):
            low, inverse = self._member()
            if inverse:
                ranges += _complement(low)
            elif (
                low[0][0] == low[-1][1] and self.text[self.place] == "-" and self.text[self.place + 1] != "]"
            ):
                self.place += 1
                high, _ = self._member()
                ranges.append((low[0][0], high[0][1]))
            else:
                ranges += low
        return Chars(tuple(ranges), negated)

    def _member(self) -> tuple[Ranges, bool]:
        char = self._next()
        if char == "\\":
            return (((8, 8),), False) if self._skip("b") else self._escape()
        return ((ord(char), ord(char)),), False


def _complement(ranges: Ranges) -> list[tuple[int, int]]:
    left, start = [], 0
    for low, high in sorted(ranges):
        left += [(start, low - 1)] if low > start else []
        start = max(start, high + 1)
    return [*left, (start, LAST)] if start <= LAST else left
