"""What a run of the server asked of the outside, in the order in which it asked.

Rule of this file: no I/O; safe for threads.
"""

import threading

from mcpeak.session.exchange import Exchange, Request, Response, connection_failure


class Tape:
    """Keeps what happens, in the order in which it was asked for; safe for threads."""

    def __init__(self, part: str = "") -> None:
        self.part = part
        self._kept: list[Exchange | None] = []
        self._lock = threading.Lock()
        self.skipped: dict[tuple[str, str], None] = {}

    def begin(self, request: Request) -> int:
        """Keep a place for a request; until it is filled, the request counts as one without an answer."""
        with self._lock:
            self._kept.append(Exchange(request, None, "timeout", self.part))
            return len(self._kept) - 1

    def put(self, place: int, response: Response | None, error: str | None) -> None:
        """Fill a place."""
        with self._lock:
            kept = self._kept[place]
            if kept is not None:
                self._kept[place] = kept._replace(response=response, error=error)

    def trying(self, target: str) -> int:
        """Keep a place for a connection; until it is made or fails, nobody has waited for it."""
        with self._lock:
            self._kept.append(connection_failure(target, "abandoned", self.part))
            return len(self._kept) - 1

    def reached(self, place: int) -> None:
        """Give up a place: the connection was made."""
        with self._lock:
            self._kept[place] = None

    def failed(self, target: str, error: str) -> None:
        """Keep a connection that failed."""
        self.put(self.trying(target), None, error)

    def skip(self, target: str, protocol: str) -> None:
        """Note a connection that cannot be recorded."""
        with self._lock:
            self.skipped[target, protocol] = None

    def exchanges(self) -> tuple[Exchange, ...]:
        """Give what was kept so far."""
        with self._lock:
            return tuple(exchange for exchange in self._kept if exchange is not None)
