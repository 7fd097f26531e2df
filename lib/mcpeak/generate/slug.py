"""Identifiers of cases, made of the names of tools and fields (CONTRACT §7, vectors/generate.json).

Rule of this file: pure; the same names give the same identifiers, whatever else is around.
"""

import hashlib
import re
import unicodedata

LONGEST = 80
"""Characters of a tool's part of an identifier."""

RESERVED = re.compile(r"(con|prn|aux|nul|(com|lpt)[1-9])", re.ASCII)
"""Names that Windows gives to no file; a suite may be named after a tool."""


def slug(name: str, other: str) -> str:
    """Reduce a name to lower-case letters, digits, hyphens; if nothing is left, give `other` and a digest."""
    bare = "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))
    made = re.sub("[^a-z0-9]+", "-", bare.lower()).strip("-")[:LONGEST].strip("-")
    return made or f"{other}-{digest(name)}"


def tool_slug(name: str) -> str:
    """Reduce a tool's name; names that Windows reserves are replaced like unreadable ones."""
    made = slug(name, "tool")
    return f"tool-{digest(name)}" if RESERVED.fullmatch(made) else made


def digest(name: str) -> str:
    """Give eight hexadecimal digits of a name's SHA-256."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]


class Taken:
    """Hands out identifiers, each once: a second one gets `-2`."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, wanted: str) -> str:
        """Give the identifier itself, or its next free number."""
        number, given = 2, wanted
        while given in self._taken:
            given, number = f"{wanted}-{number}", number + 1
        self._taken.add(given)
        return given
