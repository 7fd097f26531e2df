"""Secrets taken out of what a recording keeps: by name, by value, encoded or not (CONTRACT §4, §8).

A name marks a value as secret where it stands; the value is then looked for everywhere, in all its spellings.
So a recording is walked twice: `learn` everything, then redact. Rule of this file: pure; text is Latin-1
of bytes.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import accumulate
from urllib.parse import quote, unquote_to_bytes

from mcpeak.command.secret_names import is_secret as is_secret_name
from mcpeak.session.credentials import (
    decode_base64,
    encode_base64,
    is_telling,
    latin,
    looks_like_credential,
    spellings,
)
from mcpeak.session.edits import Edit, any_of, apply, in_order
from mcpeak.session.exchange import REDACTED, Headers
from mcpeak.session.patterns import find, unescape

_INNOCENT = 1000  # sets of headers that are remembered: a client sends the same ones again and again
DEEPEST = 3  # encodings within encodings
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_PERCENT = re.compile(
    r"(?:[A-Za-z0-9_.~!*'()+/=:;,@-]|%[0-9A-Fa-f]{2})*%[0-9A-Fa-f]{2}(?:[A-Za-z0-9_.~!*'()+/=:;,@-]|%[0-9A-Fa-f]{2})*"
)
_UNIT = re.compile(r"%[0-9A-Fa-f]{2}|.", re.DOTALL)
_NESTED = re.compile(r'"(?:[^"\\]|\\.)*\\"(?:[^"\\]|\\.)*"', re.DOTALL)
_ATTRIBUTES = frozenset(
    ("path", "domain", "expires", "max-age", "samesite", "secure", "httponly", "partitioned", "priority")
)


class Redactor:
    """Finds and replaces secrets.

    Args:
        names: further names whose values are secret, compared like the built-in ones.
        paths: replace path segments that look like credentials, too.
        known: values that are secret wherever they stand.
    """

    def __init__(self, names: Iterable[str] = (), *, paths: bool = False, known: Iterable[str] = ()) -> None:
        self._names = frozenset(_plain(name) for name in names)
        self._paths = paths
        self._known: frozenset[str] = frozenset()
        self._pattern: re.Pattern[str] | None = None
        self._searching = True
        self._innocent: set[Headers] = set()  # in which nothing is secret by its name
        for value in known:
            self.learn(latin(value))

    def is_secret(self, name: str) -> bool:
        """Tell whether a name's value is secret."""
        return is_secret_name(name) or (bool(self._names) and _plain(name) in self._names)

    def learn(self, value: str) -> None:
        """Remember a secret; it will be found wherever it stands."""
        if value not in self._known and is_telling(value):
            self._known |= {value}  # a new set: other threads may be walking the old one
            self._pattern = None

    def own(self) -> "Redactor":
        """Give a redactor that knows what this one knows, and learns for itself."""
        fresh = object.__new__(type(self))  # for every request: `copy` takes six times as long
        fresh.__dict__.update(self.__dict__)
        return fresh

    @property
    def knows_values(self) -> bool:
        """Whether any value is looked for wherever it stands."""
        return bool(self._known)

    @contextmanager
    def learning(self) -> Iterator[None]:
        """For a while, find secrets by their names only: the first of two walks need not look for values."""
        self._searching = False
        try:
            yield
        finally:
            self._searching = True

    def text(self, text: str, depth: int = 0) -> str:
        """Redact text."""
        for edits in self.rounds(text, depth):
            text = apply(text, edits)
        return text

    def rounds(self, text: str, depth: int = 0) -> Iterable[list[Edit]]:
        """Yield edits to be applied one after the other, until nothing secret is left."""
        for _ in range(3):  # what one edit uncovers, the next round finds; two are enough in practice
            edits = self.edits(text, depth)
            if not edits:
                return
            yield edits
            text = apply(text, edits)

    def edits(self, text: str, depth: int = 0) -> list[Edit]:
        """Find what must be replaced, in order and without overlaps; learn what is found by its name."""
        found = []
        for place in find(text, self.is_secret):
            value = text[place.start : place.end]
            if not _is_redacted(value):
                self._learn_spelt(value)
                found.append(Edit(place.start, place.end, f"{place.quoted}{REDACTED}{place.quoted}"))
        if depth < DEEPEST:
            found += self._encoded(text, depth + 1)
        if self._paths:
            segments = _segments(text)
            for segment in segments:
                self.learn(text[segment.start : segment.end])
            found += segments
        if self._known and self._searching:
            found += [Edit(*place.span(), REDACTED) for place in self._compiled().finditer(text)]
        return in_order(found)

    def url(self, url: str) -> str:
        """Redact a URL, as it came over the wire."""
        return self.text(url)

    def headers(self, headers: Headers) -> Headers:
        """Redact headers: secret names whole, cookies value by value, the rest as text."""
        if headers in self._innocent and not (self._known and self._searching):
            return headers
        fresh = tuple((name, self._header(name.lower(), value)) for name, value in headers)
        if fresh == headers and len(self._innocent) < _INNOCENT:
            self._innocent.add(headers)
        return fresh

    def _header(self, name: str, value: str) -> str:
        if name in ("cookie", "set-cookie"):
            return self._cookies(value, whole=name == "cookie")
        if self.is_secret(name) and not _is_redacted(value):
            self._learn_spelt(value)
            self._learn_spelt(value.partition(" ")[2])  # what follows a scheme such as Bearer
            return REDACTED
        return self.text(value)

    def _cookies(self, value: str, *, whole: bool) -> str:
        """Redact the values of cookies but not their names and attributes, which say how they are kept."""
        pieces = value.split(";")
        for place, piece in enumerate(pieces):
            name, mark, secret = piece.partition("=")
            if (
                mark
                and (whole or place == 0 or name.strip().lower() not in _ATTRIBUTES)
                and not _is_redacted(secret)
            ):
                self._learn_spelt(secret.strip('"'))
                pieces[place] = f"{name}={REDACTED}"
        return ";".join(pieces)

    def _learn_spelt(self, value: str) -> None:
        """Learn a value, and what it is when its encoding is taken off; of `user:password` the password."""
        unquoted = [unquote_to_bytes(text).decode("latin-1") for text in (value, value.replace("+", " "))]
        for plain in {value, *unquoted, latin(unescape(f'"{value}"'))}:
            self.learn(plain)
            inner = decode_base64(plain)
            if inner and ":" in inner:
                self.learn(inner.partition(":")[2])
            if inner:
                self.learn(inner)

    def _encoded(self, text: str, depth: int) -> list[Edit]:
        """Look into what is encoded; where something secret is in it, encode it again without."""
        made = []
        for found in _BASE64.finditer(text):
            inner = decode_base64(found[0])
            if inner is not None and (fresh := self.text(inner, depth)) != inner:
                made.append(Edit(*found.span(), encode_base64(fresh, found[0])))
        for found in _PERCENT.finditer(text) if "%" in text else ():
            made += self._percent(found, depth)
        for found in _NESTED.finditer(text) if '\\"' in text else ():
            inner = latin(unescape(found[0]))
            if (fresh := self.text(inner, depth)) != inner:
                made.append(Edit(*found.span(), _as_string(fresh)))
        return made

    def _percent(self, found: re.Match[str], depth: int) -> list[Edit]:
        """Look into percent-encoded text; what need not be replaced stays encoded as it was."""
        units = _UNIT.findall(found[0])
        places = [0, *accumulate(map(len, units))]
        inner = "".join(chr(int(unit[1:], 16)) if len(unit) > 1 else unit for unit in units)
        return [
            Edit(found.start() + places[edit.start], found.start() + places[edit.end], _quoted(edit.text))
            for edit in self.edits(inner, depth)
        ]

    def _compiled(self) -> re.Pattern[str]:
        pattern = self._pattern
        if pattern is None:
            pattern = self._pattern = any_of({form for secret in self._known for form in spellings(secret)})
        return pattern


def suspicious_segments(url: str) -> list[str]:
    """Give the path segments of a URL that look like credentials."""
    path = url.partition("://")[2].partition("?")[0]
    return [segment for segment in path.split("/")[1:] if looks_like_credential(segment)]


def unlatin(text: str) -> str:
    """Read Latin-1 of bytes as the UTF-8 text that it is; as it stands where it is none."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _segments(text: str) -> list[Edit]:
    """Find path segments of URLs in a text that look like credentials."""
    found = []
    for url in re.finditer(r"(?<=://)[^\s\"'<>?#]+", text):
        found += [
            Edit(url.start() + segment.start(), url.start() + segment.end(), REDACTED)
            for segment in re.finditer(r"(?<=/)[^/]+", url[0])
            if looks_like_credential(segment[0])
        ]
    return found


def _is_redacted(value: str) -> bool:
    return value in ("", REDACTED, "%5BREDACTED%5D", "%5bREDACTED%5d")


def _quoted(text: str) -> str:
    return quote(text.encode("latin-1"), safe="").replace("%5BREDACTED%5D", REDACTED)


def _as_string(text: str) -> str:
    import json

    return json.dumps(unlatin(text))


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
