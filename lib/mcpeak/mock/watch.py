"""`--watch`: reads the definition again when its file changes, and says what clients should be told.

Rule of this file: an edge; it looks at the file when it is asked to.
"""

import os
from collections.abc import Callable

from mcpeak.mock.book import Book
from mcpeak.mock.definition import Definition, Refused
from mcpeak.mock.server import Server


class Watch:
    """A watched definition file.

    Args:
        path: the file.
        server: who serves it.
        load: reads the file.
        bind: makes a definition ready.
        tell: told RELOADED, or the refusal.
    """

    def __init__(
        self,
        path: str,
        server: Server,
        load: Callable[[str], Definition | Refused],
        bind: Callable[[Definition], Book],
        tell: Callable[[Definition | Refused], None],
    ) -> None:
        self._path = path
        self._server = server
        self._load = load
        self._bind = bind
        self._tell = tell
        self._seen = self._stamp()

    def changed(self) -> list[str]:
        """Read the file again if it has changed; give the methods of the notifications that tell it."""
        stamp = self._stamp()
        if stamp == self._seen or stamp is None:
            return []
        self._seen = stamp
        definition = self._load(self._path)
        self._tell(definition)
        if isinstance(definition, Refused):
            return []
        self._server.open(self._bind(definition))
        lists = ("tools", "resources", "prompts")
        return [
            f"notifications/{name}/list_changed" for name in lists if name in self._server.book.capabilities
        ]

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            facts = os.stat(self._path)
        except OSError:  # between an editor's rename and its new file
            return None
        return facts.st_mtime_ns, facts.st_size, facts.st_ino
