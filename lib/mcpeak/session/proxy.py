"""Where the child's connections arrive: a proxy for clients that honour one, and a door for the hooks.

Two ports of the loopback interface. The proxy's speaks HTTP with the run's token as its password: CONNECT,
absolute URLs, and the hooks' own first line. The door takes connections as they would have gone to the API;
a hook that made one says on its own connection which one it is and where it was meant to go.
Rule of this file: an edge; it finds out where a connection is meant to go and hands it on.
"""

import base64
import contextlib
import hmac
import socket
import threading
from collections.abc import Callable

import h11

from mcpeak.session.authority import Authority
from mcpeak.session.conversation import LARGEST_HEAD, answer, converse, read_request
from mcpeak.session.crew import Crew
from mcpeak.session.doors import Doors
from mcpeak.session.exchange import MISS_HEADER
from mcpeak.session.line import Desk, Line, Unreached
from mcpeak.session.reply import Reply
from mcpeak.session.sockets import close, peek, shut, wait_gone
from mcpeak.session.url import DEFAULT_PORTS, split

HELLO = b"MCPEAK "
_CONNECT = b"CONNECT "
_END = b"\r\n\r\n"
_WORDS = 3  # of a request line: method, target, version
_PATIENCE = 10.0  # seconds until a connection at the door must have been announced


class Proxy:
    """Serves what comes through the doors until it is closed.

    Args:
        doors: where connections arrive.
        desk: answers requests.
        authority: makes certificates.
        token: what every client must know.
    """

    def __init__(self, doors: Doors, desk: Desk, authority: Authority, token: str) -> None:
        self._desk, self._authority, self._token = desk, authority, token
        self._basic = "Basic " + base64.b64encode(f"mcpeak:{token}".encode()).decode()
        self._crew = Crew()
        self._open: dict[socket.socket, None] = {}
        self._lock = threading.Lock()
        self._announced: dict[int, tuple[str, int, Callable[[str], None]]] = {}
        self._news = threading.Condition()
        self._doors = doors
        for listener, serve in ((doors.proxy, self._serve_proxy), (doors.hooks, self._serve_door)):
            threading.Thread(target=self._accept, args=(listener, serve), daemon=True).start()

    def close(self, patience: float = 1.0) -> None:
        """Stop listening, end what is still open, and wait a moment for what is being done."""
        self._doors.close()
        with self._lock:
            left = list(self._open)
        for connection in left:
            shut(connection)
        self._crew.finish(patience)

    def _accept(self, listener: socket.socket, serve: Callable[[socket.socket], None]) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with self._lock:
                self._open[connection] = None
            self._crew.do(self._guarded, connection, serve)

    def _guarded(self, connection: socket.socket, serve: Callable[[socket.socket], None]) -> None:
        """Serve one connection; whatever breaks it breaks only it."""
        try:
            with contextlib.suppress(OSError):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                serve(connection)
        finally:
            with self._lock:
                self._open.pop(connection, None)
            close(connection)

    # --- the door ---

    def _serve_door(self, connection: socket.socket) -> None:
        number = connection.getpeername()[1]
        with self._news:
            if not self._news.wait_for(lambda: number in self._announced, _PATIENCE):
                return
            host, port, fail = self._announced.pop(number)
        try:
            line = self._desk.open(host, port)
        except Unreached as failed:
            fail(failed.error)
            wait_gone(connection, _PATIENCE)  # the hook ends it with the error that it was told
            return
        converse(connection, host, port, line, self._authority)

    def _serve_hook(self, connection: socket.socket) -> None:
        """Hear what a hook announces, `PORT HOST PORT` a line; answer `PORT ERROR` where one fails."""
        told = threading.Lock()

        def fail(number: int, error: str) -> None:
            with told, contextlib.suppress(OSError):
                connection.sendall(f"{number} {error}\n".encode())

        lines = connection.makefile("rb")
        if not hmac.compare_digest(lines.readline().strip(), HELLO + self._token.encode()):
            return
        for line in lines:
            number, host, port = line.decode().split()
            with self._news:
                own = int(number)
                self._announced[own] = (host, int(port), lambda error, own=own: fail(own, error))  # type: ignore[misc] # a default binds the loop's value
                self._news.notify_all()

    # --- the proxy ---

    def _serve_proxy(self, connection: socket.socket) -> None:
        if peek(connection, len(HELLO), wait=True) == HELLO:
            self._serve_hook(connection)
            return
        if peek(connection, len(_CONNECT), wait=True) == _CONNECT:
            self._tunnel(connection)
        else:
            self._forward(connection)

    def _tunnel(self, connection: socket.socket) -> None:
        """Answer CONNECT (RFC 9110 §9.3.6), and serve what goes through the tunnel."""
        head = _head(connection)
        host, _, port = head[0].split(" ")[1].rpartition(":")
        password = [
            line.partition(":")[2] for line in head if line.lower().startswith("proxy-authorization:")
        ]
        if not self._knows(password[0].strip() if password else None):
            connection.sendall(_refusal())
            return
        try:
            line = self._desk.open(host.strip("[]"), int(port))
        except Unreached as failed:
            connection.sendall(f"HTTP/1.1 502 {failed.error}\r\nContent-Length: 0\r\n\r\n".encode())
            return
        connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
        converse(connection, host.strip("[]"), int(port), line, self._authority)

    def _forward(self, connection: socket.socket) -> None:
        """Answer requests with absolute URLs, each of which may name another API."""
        machine = h11.Connection(h11.SERVER, max_incomplete_event_size=LARGEST_HEAD)
        raw = connection.dup()
        reply = Reply(connection, raw, machine)
        lines: dict[tuple[str, str, str], Line] = {}
        try:
            while (request := read_request(connection, machine, "http", "")) is not None:
                if not self._knows(request.header("proxy-authorization")):
                    connection.sendall(_refusal())
                    return
                scheme, host, port, _, _ = split(request.url)
                target = f"{host}:{port or DEFAULT_PORTS.get(scheme, '80')}"
                try:
                    line = self._line(lines, scheme, host, int(port or DEFAULT_PORTS[scheme]))
                except (Unreached, OSError, KeyError) as failed:
                    told = failed.error if isinstance(failed, Unreached) else "unreachable"
                    reply.whole(502, told, ((MISS_HEADER, told), ("Connection", "close")), b"")
                    return
                if not answer(connection, request._replace(target=target), reply, line, machine):
                    return
        finally:
            for line in lines.values():
                line.close()
            close(raw)

    def _line(self, lines: dict[tuple[str, str, str], Line], scheme: str, host: str, port: int) -> Line:
        key = (scheme, host, str(port))
        if key not in lines:
            line = self._desk.open(host.strip("[]"), port)
            if scheme == "https":
                line.secure(host)
            lines[key] = line
        return lines[key]

    def _knows(self, password: str | None) -> bool:
        return password is not None and hmac.compare_digest(password.encode(), self._basic.encode())


def _head(connection: socket.socket) -> list[str]:
    """Read the lines of a CONNECT request, and nothing of what comes after it.

    Raises:
        OSError: it does not end, or is none.
    """
    end = peek(connection, LARGEST_HEAD, wait=True).find(_END)
    head = connection.recv(end + len(_END) if end >= 0 else 1)
    while not head.endswith(_END) and len(head) < LARGEST_HEAD and (byte := connection.recv(1)):
        head += byte
    lines = head.decode("latin-1").split("\r\n")
    if len(lines[0].split(" ")) != _WORDS or not lines[0].split(" ")[1].rpartition(":")[2].isdigit():
        raise ConnectionResetError
    return lines


def _refusal() -> bytes:
    challenge = b'Proxy-Authenticate: Basic realm="mcpeak"\r\nContent-Length: 0\r\n\r\n'
    return b"HTTP/1.1 407 Proxy Authentication Required\r\n" + challenge
