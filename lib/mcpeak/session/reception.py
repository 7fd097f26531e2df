"""Where the child's connections arrive, and find out who they are and where they were meant to go.

Two doors of the loopback interface. At one of them come clients that honour a proxy, and our hooks, with
`MCPEAK TOKEN` and what they want: nothing more, then `PORT HOST PORT` a line, which connection at the other
door is its own and where that was meant to go; `? HOST PORT` (`!`: do not tell how it went), to go on as if
it were there; `=`, to ask in frames. Rule of this file: an edge, run by one thread.
"""

import contextlib
import hmac
import socket
import time
from functools import partial

from mcpeak.session import frames
from mcpeak.session.doors import Doors
from mcpeak.session.guests import HandOver, Tell
from mcpeak.session.line import Desk
from mcpeak.session.loop import Loop
from mcpeak.session.service import Service
from mcpeak.session.sockets import peek

_HELLO = b"MCPEAK "
_LINE = 1 << 12  # bytes that a hook may say in one line
_PIECE = 1 << 16
_PATIENCE = 10.0  # seconds until a connection at the hooks' door must have been announced


class Reception:
    """Serves what comes through the doors until it is closed.

    Args:
        doors: where connections arrive.
        desk: gives the answers.
        token: what every hook must know.
        hand_over: takes what has to wait.
        others: where proxies of the user's are.
    """

    def __init__(
        self, doors: Doors, desk: Desk, token: str, hand_over: HandOver, others: frozenset[tuple[str, int]]
    ) -> None:
        self._doors, self._desk, self._hand_over = doors, desk, hand_over
        self._token = token.encode()
        self._arrived: dict[int, tuple[socket.socket, float]] = {}
        self._announced: dict[int, tuple[str, int, Tell]] = {}
        self._loop = Loop(self._forget)
        self._service = Service(self._loop, desk, hand_over, others)
        self._loop.watch(doors.proxy, self._at_proxy)
        self._loop.watch(doors.hooks, self._at_door)
        self._loop.start()

    def close(self) -> None:
        """Let nobody in any more, and end what is still open."""
        self._loop.close()
        self._doors.close()

    def leave(self, connection: socket.socket) -> None:
        """Close a connection that was handed over."""
        self._loop.leave(connection)

    # --- the hooks' door ---

    def _at_door(self, listener: socket.socket) -> None:
        connection, number = self._loop.accept(listener)
        announced = self._announced.pop(number, None)
        if announced is None:
            self._arrived[number] = connection, time.monotonic()
        else:
            self._service.receive(connection, *announced)

    def _announce(self, number: int, host: str, port: int, tell: Tell) -> None:
        arrived = self._arrived.pop(number, None)
        if arrived is None:
            self._announced[number] = host, port, tell
        else:
            self._service.receive(arrived[0], host, port, tell)

    def _forget(self) -> float | None:
        """Close connections that nobody has announced; tell when to look again."""
        if not self._arrived:
            return None
        late = time.monotonic() - _PATIENCE
        for number in [number for number, (_, since) in self._arrived.items() if since < late]:
            self._loop.leave(self._arrived.pop(number)[0])
        return _PATIENCE

    # --- the proxy's door ---

    def _at_proxy(self, listener: socket.socket) -> None:
        self._loop.watch(self._loop.accept(listener)[0], self._first_words)

    def _first_words(self, connection: socket.socket) -> None:
        """Tell hooks from clients of the proxy."""
        said = peek(connection, _LINE)
        if not said.startswith(_HELLO):
            self._loop.unwatch(connection)
            self._hand_over.proxied(connection)
            return
        end = said.find(b"\n") + 1  # a hook writes its line at once
        _, token, *wish = [*said[:end].decode().split(), "", ""]
        if not hmac.compare_digest(token.encode(), self._token):
            connection.recv(_LINE)  # what is not read makes a reset of the end
            self._loop.drop(connection)
            return
        connection.recv(end)
        self._wished(connection, [word for word in wish if word])

    def _wished(self, connection: socket.socket, wish: list[str]) -> None:
        """Do as a hook wishes."""
        if not wish:
            self._loop.watch(connection, partial(self._listen, bytearray()))
        elif wish == ["="]:
            self._loop.watch(connection, partial(self._framed, bytearray()))
        else:
            mark, host, port = wish
            word = "sure" if self._desk.is_sure(host, int(port)) else "ok"
            tell = partial(_tell, connection, word) if mark == "?" else _silent
            self._service.receive(connection, host, int(port), tell)

    def _listen(self, heard: bytearray, connection: socket.socket) -> None:
        """Hear what a hook announces; answer `PORT ERROR` where one fails."""
        heard += self._heard(connection)
        *lines, rest = bytes(heard).split(b"\n")
        heard[:] = rest
        for line in lines:
            number, host, port = line.decode().split()
            self._announce(int(number), host, int(port), partial(_tell_failure, connection, number))

    def _framed(self, heard: bytearray, connection: socket.socket) -> None:
        """Answer what a hook asks in frames."""
        heard += self._heard(connection)
        for frame in frames.cut(heard):
            connection.sendall(frames.answer(frame, self._desk))

    def _heard(self, connection: socket.socket) -> bytes:
        said = connection.recv(_PIECE)
        if not said:
            self._loop.drop(connection)
        return said


def _tell(connection: socket.socket, word: str, error: str) -> None:
    connection.sendall(f"{error or word}\n".encode())


def _tell_failure(connection: socket.socket, number: str, error: str) -> None:
    if error:
        with contextlib.suppress(OSError):
            connection.sendall(f"{number} {error}\n".encode())


def _silent(_: str) -> None:
    """Tell nobody."""
