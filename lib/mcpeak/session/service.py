"""Answering, at once, those whose target is known: a plain request that has a plain answer in the recording.

Rule of this file: an edge, run by the loop's thread. What would have to wait is handed over.
"""

import socket
from functools import partial

from mcpeak.session import plain
from mcpeak.session.guests import Guest, HandOver, Tell
from mcpeak.session.line import Desk, Unreached
from mcpeak.session.loop import Loop
from mcpeak.session.sockets import peek

_PIECE = 1 << 16
_LARGEST = 1 << 20  # bytes of a body that is waited for here
_CAPITALS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")


class Service:
    """Serves connections to targets.

    Args:
        loop: watches them.
        desk: gives the answers.
        hand_over: takes what has to wait.
        others: where proxies of the user's are.
    """

    def __init__(
        self, loop: Loop, desk: Desk, hand_over: HandOver, others: frozenset[tuple[str, int]]
    ) -> None:
        self._loop, self._desk, self._hand_over, self._others = loop, desk, hand_over, others

    def receive(self, connection: socket.socket, host: str, port: int, tell: Tell) -> None:
        """Take a connection in; it fails where it failed when it was recorded."""
        if (host.lower(), port) in self._others:
            tell("")
            self._loop.unwatch(connection)
            self._hand_over.other(connection)
            return
        guest = Guest(connection, host, port)
        if not self._desk.is_quick:
            self._pass_on(guest, tell)
            return
        try:
            guest.line = self._desk.open(host, port)
        except Unreached as failed:
            if failed.error != "abandoned":  # there the child waits until it has had enough
                tell(failed.error)
            self._loop.unwatch(connection)
            self._hand_over.failed(connection)
            return
        tell("")
        self._loop.watch(connection, partial(self._begin, guest))

    def _begin(self, guest: Guest, connection: socket.socket) -> None:
        """See what is spoken; only HTTP can be plain."""
        if (peek(connection, 1) or b"\0")[0] not in _CAPITALS:
            self._pass_on(guest)
            return
        self._loop.watch(connection, partial(self._ask, guest))
        self._ask(guest, connection)

    def _ask(self, guest: Guest, connection: socket.socket) -> None:
        """Read a request and answer it, if both are plain."""
        piece = connection.recv(_PIECE)
        if not piece:
            self._loop.drop(connection)
            return
        guest.heard += piece
        asked = plain.read(guest.heard, guest.target)
        if asked is not None and 0 < asked.missing < _LARGEST:
            return
        answer = None
        if asked is not None and not asked.missing and guest.line is not None:
            answer = guest.line.at_once(asked.request, closes=asked.closes)
        if asked is None or answer is None:
            self._pass_on(guest)
        else:
            self._answer(guest, answer, closes=asked.closes)

    def _answer(self, guest: Guest, answer: bytes, *, closes: bool) -> None:
        guest.heard = b""
        guest.unsent = answer[_send(guest.connection, answer) :]
        if guest.unsent:
            guest.closes = closes
            self._pass_on(guest)
        elif closes:
            self._loop.drop(guest.connection)

    def _pass_on(self, guest: Guest, tell: Tell = lambda _: None) -> None:
        self._loop.unwatch(guest.connection)
        self._hand_over.targeted(guest, tell)


def _send(connection: socket.socket, data: bytes) -> int:
    """Send what the child takes without being waited for; give how much that is."""
    try:
        return connection.send(data, socket.MSG_DONTWAIT)
    except BlockingIOError:
        return 0
