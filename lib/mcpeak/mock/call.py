"""One request as the handlers see it, and the shapes of results in both eras.

Rule of this file: pure. Source: PROTOCOL.md §2 (`resultType`, `ttlMs`, `cacheScope`, `_meta`).
"""

from typing import Any, NamedTuple

from msgspec import UNSET, Raw

from mcpeak.mock import words
from mcpeak.mock.answers import Refusal
from mcpeak.mock.book import Book
from mcpeak.mock.incoming import Params
from mcpeak.mock.peer import Peer
from mcpeak.mock.stringify import encode
from mcpeak.protocol.errors import INVALID_PARAMS

_CACHE = {"ttlMs": 0, "cacheScope": "private"}


class Call(NamedTuple):
    """A request that is being answered. `id`: its bytes."""

    id: bytes
    method: str
    params: Params
    modern: bool
    book: Book
    peer: Peer

    def result(
        self, members: dict[str, Any], *, cached: bool = False, tag: dict[str, Any] | None = None
    ) -> bytes:
        """Build a result of its members. `cached`: say how long it may be kept; `tag`: more `_meta`."""
        if self.modern:
            members = {"resultType": "complete"} | members | (_CACHE if cached else {})
            members["_meta"] = self.book.meta | (tag or {})
        return encode(members)

    def string(self, name: str) -> str:
        """Give a parameter that must be a string."""
        value = getattr(self.params, name)
        if not isinstance(value, str):
            raise Refusal(INVALID_PARAMS, words.plain("PARAM_MISSING", name=name, kind=words.kind("string")))
        return value

    @property
    def capabilities(self) -> dict[str, Any] | None:
        """What the client says that it can; None where nobody knows."""
        told = self.params.meta.capabilities if self.modern else self.peer.capabilities
        return told if isinstance(told, dict) else None

    @property
    def progress_token(self) -> Raw | None:
        """The token under which progress is told, if the client wants any."""
        token = self.params.meta.progress_token
        return token if bytes(token) and bytes(token) != b"null" else None

    @property
    def log_level(self) -> str | None:
        """From which level on the client wants log messages; None for none."""
        if self.modern:
            level = self.params.meta.log_level
            return level if isinstance(level, str) else None
        return self.peer.level or "debug"


def page(call: Call, key: str, items: list[Any]) -> bytes:
    """Build one page of a list; the cursor is the place where the next page begins."""
    size = call.book.page_size
    start = _start(call.params.cursor, size, len(items))
    members: dict[str, Any] = {key: items[start : start + size] if size else items}
    if size and start + size < len(items):
        members["nextCursor"] = f"{start + size}"
    return call.result(members, cached=True)


def _start(cursor: Any, size: int, total: int) -> int:
    if cursor is UNSET or cursor is None:
        return 0
    place = int(cursor) if isinstance(cursor, str) and cursor.isdecimal() and len(cursor) < 10 else -1  # noqa: PLR2004 - more digits than any list has members
    if not size or place <= 0 or place % size or place >= total:
        raise Refusal(INVALID_PARAMS, words.plain("BAD_CURSOR"))
    return place
