"""Where the child's connections arrive, and where whoever can be answered at once is: one thread, no waiting.

Two doors of the loopback interface. At the proxy's come clients that honour a proxy, and our hooks: one says
`MCPEAK TOKEN`, then `PORT HOST PORT` a line: which connection at the other door is its own, and where that
was meant to go; another says `MCPEAK TOKEN ? HOST PORT` (`!`: do not tell how it went) and goes on as if
it were there. Rule of this file: an edge. What is not plain is handed over to threads that may wait.
"""

import contextlib
import hmac
import selectors
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from mcpeak.session import plain
from mcpeak.session.doors import Doors
from mcpeak.session.guests import Guest, HandOver, Tell
from mcpeak.session.line import Desk, Unreached
from mcpeak.session.sockets import close, peek, shut

_HELLO = b"MCPEAK "
_LINE = 1 << 12  # bytes that a hook may say in one line
_PIECE = 1 << 16
_LARGEST = 1 << 20  # bytes of a body that is waited for here
_PATIENCE = 10.0  # seconds until a connection at the hooks' door must have been announced
_CAPITALS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")


class Reception:
    """Serves what comes through the doors until it is closed.

    Args:
        doors: where connections arrive.
        desk: gives the answers.
        token: what every hook must know.
        hand_over: takes what has to wait.
    """

    def __init__(self, doors: Doors, desk: Desk, token: str, hand_over: HandOver) -> None:
        self._doors, self._desk, self._hand_over = doors, desk, hand_over
        self._token = token.encode()
        self._selector = selectors.DefaultSelector()
        self._open: set[socket.socket] = set()
        self._ready: dict[Any, Callable[[socket.socket], None]] = {}
        self._lock = threading.Lock()
        self._arrived: dict[int, tuple[socket.socket, float]] = {}
        self._announced: dict[int, tuple[str, int, Tell]] = {}
        self._waker, self._woken = socket.socketpair()
        self._over = False
        self._watch(self._woken, self._end)
        self._watch(doors.proxy, self._at_proxy)
        self._watch(doors.hooks, self._at_door)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let nobody in any more, and end what is still open."""
        self._waker.send(b"x")
        self._thread.join()
        self._doors.close()
        self._selector.close()
        self._waker.close()
        self._woken.close()
        with self._lock:
            left = list(self._open)
        for connection in left:
            shut(connection)

    def leave(self, connection: socket.socket) -> None:
        """Close a connection."""
        with self._lock:
            self._open.discard(connection)
        close(connection)

    def _run(self) -> None:
        while not self._over:
            for key, _ in self._selector.select(_PATIENCE if self._arrived else None):
                try:
                    self._ready[key.fileobj](key.fileobj)  # type: ignore[arg-type] # only sockets are watched
                except (OSError, ValueError):  # it broke, or said something that no hook says
                    if key.fileobj not in (self._doors.proxy, self._doors.hooks):
                        self._drop(key.fileobj)  # type: ignore[arg-type] # as above
            self._forget()

    def _watch(self, connection: socket.socket, ready: Callable[[socket.socket], None]) -> None:
        if connection not in self._ready:
            self._selector.register(connection, selectors.EVENT_READ)
        self._ready[connection] = ready

    def _unwatch(self, connection: socket.socket) -> None:
        if self._ready.pop(connection, None) is not None:
            self._selector.unregister(connection)

    def _drop(self, connection: socket.socket) -> None:
        self._unwatch(connection)
        self.leave(connection)

    def _end(self, _: socket.socket) -> None:
        self._over = True

    def _enter(self, listener: socket.socket) -> tuple[socket.socket, int]:
        connection, address = listener.accept()
        with self._lock:
            self._open.add(connection)
        return connection, address[1]

    # --- the hooks' door ---

    def _at_door(self, listener: socket.socket) -> None:
        connection, number = self._enter(listener)
        announced = self._announced.pop(number, None)
        if announced is None:
            self._arrived[number] = connection, time.monotonic()
        else:
            self._receive(connection, *announced)

    def _announce(self, number: int, host: str, port: int, tell: Tell) -> None:
        arrived = self._arrived.pop(number, None)
        if arrived is None:
            self._announced[number] = host, port, tell
        else:
            self._receive(arrived[0], host, port, tell)

    def _forget(self) -> None:
        """Close connections that nobody has announced."""
        if self._arrived:
            late = time.monotonic() - _PATIENCE
            for number in [number for number, (_, since) in self._arrived.items() if since < late]:
                self.leave(self._arrived.pop(number)[0])

    # --- the proxy's door ---

    def _at_proxy(self, listener: socket.socket) -> None:
        self._watch(self._enter(listener)[0], self._first_words)

    def _first_words(self, connection: socket.socket) -> None:
        """Tell hooks from clients of the proxy."""
        said = peek(connection, _LINE)
        if not said.startswith(_HELLO):
            self._unwatch(connection)
            self._hand_over.proxied(connection)
            return
        end = said.find(b"\n") + 1  # a hook writes its line at once
        words = said[:end].split()
        if len(words) < 2 or not hmac.compare_digest(words[1], self._token):  # noqa: PLR2004 - the greeting
            connection.recv(_LINE)  # what is not read makes a reset of the end
            self._drop(connection)
            return
        connection.recv(end)
        if len(words) > 2:  # noqa: PLR2004 - more than that
            self._introduced(connection, words[2].decode(), words[3].decode(), int(words[4]))
        else:
            self._watch(connection, partial(self._listen, bytearray()))

    def _introduced(self, connection: socket.socket, mark: str, host: str, port: int) -> None:
        """Take a connection that says itself where it was meant to go."""

        def tell(error: str) -> None:
            connection.sendall(f"{error or ('sure' if sure else 'ok')}\n".encode())

        sure = self._desk.is_sure(host, port)
        self._receive(connection, host, port, tell if mark == "?" else _silent)

    def _listen(self, heard: bytearray, connection: socket.socket) -> None:
        """Hear what a hook announces; answer `PORT ERROR` where one fails."""
        said = connection.recv(_PIECE)
        if not said:
            self._drop(connection)
        heard += said
        *lines, rest = bytes(heard).split(b"\n")
        heard[:] = rest
        for line in lines:
            number, host, port = line.decode().split()
            self._announce(int(number), host, int(port), partial(_tell_failure, connection, number))

    # --- those whose target is known ---

    def _receive(self, connection: socket.socket, host: str, port: int, tell: Tell) -> None:
        """Take a connection in; it fails where it failed when it was recorded."""
        guest = Guest(connection, host, port)
        if not self._desk.is_quick:
            self._unwatch(connection)
            self._hand_over.targeted(guest, tell)
            return
        try:
            guest.line = self._desk.open(host, port)
        except Unreached as failed:
            tell(failed.error)
            self._unwatch(connection)
            self._hand_over.failed(connection)
            return
        tell("")
        self._watch(connection, partial(self._begin, guest))

    def _begin(self, guest: Guest, connection: socket.socket) -> None:
        """See what is spoken; only HTTP can be plain."""
        if (peek(connection, 1) or b"\0")[0] not in _CAPITALS:
            self._pass_on(guest)
            return
        self._watch(connection, partial(self._ask, guest))
        self._ask(guest, connection)

    def _ask(self, guest: Guest, connection: socket.socket) -> None:
        """Read a request and answer it, if both are plain."""
        piece = connection.recv(_PIECE)
        if not piece:
            self._drop(connection)
            return
        guest.heard += piece
        asked = plain.read(guest.heard, guest.target)
        if asked is not None and 0 < asked.missing < _LARGEST:
            return
        assert guest.line is not None  # noqa: S101 - `_receive` has opened it
        whole = asked is not None and not asked.missing
        answer = guest.line.at_once(asked.request, closes=asked.closes) if asked and whole else None
        if asked is None or answer is None:
            self._pass_on(guest)
            return
        guest.heard = b""
        guest.unsent = answer[_send(connection, answer) :]
        if guest.unsent:
            self._pass_on(guest)
        elif asked.closes:
            self._drop(connection)

    def _pass_on(self, guest: Guest) -> None:
        self._unwatch(guest.connection)
        self._hand_over.targeted(guest, _silent)


def _send(connection: socket.socket, data: bytes) -> int:
    """Send what the child takes without being waited for; give how much that is."""
    try:
        return connection.send(data, socket.MSG_DONTWAIT)
    except BlockingIOError:
        return 0


def _tell_failure(connection: socket.socket, number: str, error: str) -> None:
    if error:
        with contextlib.suppress(OSError):
            connection.sendall(f"{number} {error}\n".encode())


def _silent(_: str) -> None:
    """Tell nobody."""
