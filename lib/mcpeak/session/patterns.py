"""Where a text names a secret: JSON members, pairs, header lines, elements, form parts, schemes.

Rule of this file: pure; each finder yields the places of the values, whatever surrounds them, so that a JSON
text inside a stream, a log or a page is found like one that stands alone.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import unquote_plus


class Found(NamedTuple):
    """A secret's place. `quoted`: what must be written around its replacement."""

    start: int
    end: int
    quoted: str = ""


IsSecret = Callable[[str], bool]

_STRING = r'"(?:[^"\\]|\\.)*"'
_KEY = re.compile(rf"({_STRING})\s*:\s*", re.DOTALL)
_TOKEN = re.compile(rf'{_STRING}|"(?:[^"\\]|\\.)*\Z|[{{}}\[\]:,]|[^\s{{}}\[\]:,"]+', re.DOTALL)
_PAIR = re.compile(r"(?<![\w.%\[\]$-])([\w.%\[\]$-]{2,200})=((?:[^&#\s\"'<>\\;,]|,(?!\s))+)")
_QUOTED = re.compile(r"(?<![\w.-])([\w.:-]{2,200})\s*=\s*(\\?[\"'])(.*?)\2", re.DOTALL)
_LINE = re.compile(
    r"^[ \t>*-]*([\w.-]{2,200})[ \t]*:[ \t]*(?:(?:Bearer|Basic|Token|Digest)[ \t]+)?"
    r"([^\s\"'{\[][^\s]*)[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_ELEMENT = re.compile(r"<([\w:.-]+)(?:\s[^<>]*)?>([^<]+)</\1\s*>")
_PART = re.compile(
    r"name=\"([^\"]*)\"[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n(.*?)(?=\r\n--|\Z)", re.DOTALL | re.IGNORECASE
)
_NAMED = (("=", _PAIR, 2), (":", _LINE, 2), ("</", _ELEMENT, 2), ("=", _QUOTED, 3), ("form-data", _PART, 2))
_SCHEME = re.compile(r"\b(?:Bearer|Basic)(?:[ \t]|%20|\+)+([A-Za-z0-9+/=._~-]{8,})", re.IGNORECASE)
_USERINFO = re.compile(r"(?<=://)[^/@\s\"'<>?#]+(?=@)")
_COUNT = re.compile(r"-?\d+(?:\.\d+)?")


def find(text: str, is_secret: IsSecret) -> Iterator[Found]:
    """Yield the places of all values whose names are secret; they may overlap.

    Most texts are short and plain: a mark that is not there spares its pattern.
    """
    if '"' in text:
        yield from _members(text, is_secret)
    for mark, pattern, group in _NAMED:
        if mark in text:
            yield from _named(pattern, text, is_secret, group)
    for found in _SCHEME.finditer(text):
        if any(letter.isdigit() for letter in found[1]) or len(found[1]) > 20:  # noqa: PLR2004 - "basic authentication" is no secret
            yield Found(*found.span(1))
    if "@" in text:
        for found in _USERINFO.finditer(text):
            yield Found(*found.span())


def _named(pattern: re.Pattern[str], text: str, is_secret: IsSecret, group: int) -> Iterator[Found]:
    for found in pattern.finditer(text):
        if is_secret(unquote_plus(found[1])):
            yield Found(*found.span(group))


def _members(text: str, is_secret: IsSecret) -> Iterator[Found]:
    """Yield the values of JSON members; of an object or an array every string and number in it."""
    for found in _KEY.finditer(text):
        name = unescape(found[1])
        if is_secret(name):
            yield from _leaves(text, found.end(), counts=name.lower().endswith("tokens"))


def _leaves(text: str, start: int, *, counts: bool) -> Iterator[Found]:
    """Yield the leaves of the JSON value at `start`. `counts`: its numbers are amounts (`total_tokens`)."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        first = token[0][0]
        if first in "{[":
            depth += 1
        elif first in "}]":
            depth -= 1
        elif first == '"':
            if not (depth and _KEY.match(text, token.start())):
                end = token.end() - 1 if token[0].endswith('"') and len(token[0]) > 1 else token.end()
                yield Found(token.start() + 1, end)
        elif first not in ":," and _COUNT.fullmatch(token[0]) and not counts:
            yield Found(token.start(), token.end(), '"')
        if depth <= 0:
            return


def unescape(string: str) -> str:
    """Read a JSON string with its quotes; as it stands where its escapes are broken."""
    if "\\" not in string:
        return string[1:-1]
    import json

    try:
        text: str = json.loads(string, strict=False)
    except ValueError:
        return string[1:-1]
    return text
