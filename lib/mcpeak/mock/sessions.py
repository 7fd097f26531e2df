"""Who is asking over HTTP: nobody in particular, or a session with its id (`--sessions`).

Rule of this file: pure but for the ids, which nobody may guess. Source: PROTOCOL.md §4 (400, 404, DELETE).
"""

import secrets
from collections.abc import Mapping

from mcpeak.mock import words
from mcpeak.mock.answers import Refusal
from mcpeak.mock.guards import HTTP_REFUSED
from mcpeak.mock.incoming import Incoming
from mcpeak.mock.peer import Peer
from mcpeak.protocol.errors import INVALID_REQUEST

HEADER = "mcp-session-id"
MOST = 10_000
"""Sessions that are remembered; the oldest is forgotten (and answered 404), so that memory stays flat."""


class Stateless:
    """No sessions: everybody shares the counts of `sequence` and `after`; nothing else is remembered."""

    def __init__(self) -> None:
        self._shared = Peer()

    def peer(self, _headers: Mapping[str, str], _message: Incoming | None) -> tuple[Peer, str | None]:
        """Give the peer of a request, and the id of a session that begins with it."""
        peer = Peer()
        peer.counts, peer.faults = self._shared.counts, self._shared.faults
        return peer, None

    def end(self, _headers: Mapping[str, str]) -> None:
        """End nothing: there is no session to end."""


class Sessions:
    """Sessions by id, each begun by `initialize`."""

    def __init__(self) -> None:
        self._open: dict[str, Peer] = {}

    def peer(self, headers: Mapping[str, str], message: Incoming | None) -> tuple[Peer, str | None]:
        """Give the peer of a request, and the id of a session that begins with it."""
        told = headers.get(HEADER)
        begins = message is not None and message.method == "initialize"
        if told is None and begins:
            while len(self._open) >= MOST:
                del self._open[next(iter(self._open))]
            session = secrets.token_hex(16)
            self._open[session] = Peer()
            return self._open[session], session
        peer = self._known(told)
        if begins:
            raise Refusal(INVALID_REQUEST, words.plain("SESSION_OPEN"), status=400)
        return peer, None

    def end(self, headers: Mapping[str, str]) -> None:
        """End a session (DELETE)."""
        self._known(headers.get(HEADER))
        del self._open[headers[HEADER]]

    def _known(self, session: str | None) -> Peer:
        if session is None:
            raise Refusal(HTTP_REFUSED, words.plain("SESSION_MISSING"), status=400)
        if session not in self._open:
            raise Refusal(HTTP_REFUSED - 1, words.plain("SESSION_UNKNOWN"), status=404)
        return self._open[session]
