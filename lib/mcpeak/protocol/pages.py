"""Following `nextCursor` to the end of a list.

Rule of this file: pure; `""` is a cursor like any other, null and absent mean the end (PROTOCOL.md §2).
"""

import msgspec
from msgspec import Raw, Struct

from mcpeak.protocol.errors import PeerMistake
from mcpeak.protocol.messages import NOTHING

MAX_PAGES = 1000
"""A list that is longer never ends."""


class _Page(Struct, rename="camel", gc=False):
    tools: list[Raw] | None = None
    resources: list[Raw] | None = None
    prompts: list[Raw] | None = None
    next_cursor: Raw = NOTHING


class Pages:
    """Collects the pages of one list.

    Args:
        key: `tools`, `resources` or `prompts`: what a page holds.

    Attributes:
        items: raw JSON of each item, in the server's order.
        params: raw params of the next request, None for the first.
        done: whether the last page was taken.
    """

    def __init__(self, key: str = "tools") -> None:
        self.key = key
        self.items: list[Raw] = []
        self.params: bytes | None = None
        self.done = False
        self._seen: set[bytes] = set()

    def take(self, result: Raw) -> None:
        """Take the result of one request.

        Raises:
            PeerMistake: LIST_SHAPE_INVALID, PAGINATION_CURSOR_REPEATED, PAGINATION_TOO_LONG.
        """
        page = _read(result)
        items = getattr(page, self.key) if page is not None else None
        cursor = bytes(page.next_cursor) if page is not None else b""
        if items is None or (cursor not in (b"", b"null") and not cursor.startswith(b'"')):
            raise PeerMistake("LIST_SHAPE_INVALID", key=self.key)
        self.items += items
        if cursor in (b"", b"null"):
            self.done = True
        elif cursor in self._seen:
            raise PeerMistake("PAGINATION_CURSOR_REPEATED", cursor=cursor.decode("utf-8", "replace"))
        elif len(self._seen) + 1 >= MAX_PAGES:
            raise PeerMistake("PAGINATION_TOO_LONG", limit=MAX_PAGES)
        self._seen.add(cursor)
        self.params = b'{"cursor":%b}' % cursor


def _read(result: Raw) -> _Page | None:
    """Read a page; what the fast decoder refuses (lone surrogates, deep nesting) is walked instead."""
    try:
        return msgspec.json.decode(result, type=_Page)
    except (msgspec.DecodeError, ValueError, RecursionError):
        from mcpeak.protocol.careful import scan

        members = scan(bytes(result)).members or {}
        page = _Page(next_cursor=Raw(members.get("nextCursor", b"")))
        for key in ("tools", "resources", "prompts"):
            elements = scan(members.get(key, b"0")).elements
            if elements is not None:
                setattr(page, key, [Raw(element) for element in elements])
        return page
