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
from mcpeak.session.conversation import LARGEST_HEAD, answer, converse, next_event, read_request
from mcpeak.session.exchange import MISS_HEADER
from mcpeak.session.line import Desk, Line, Unreached
from mcpeak.session.reply import Reply
from mcpeak.session.sockets import close, peek, shut, wait_gone
from mcpeak.session.url import DEFAULT_PORTS, split

HELLO = b"MCPEAK "
_PATIENCE = 10.0  # seconds until a connection at the door must have been announced
_BACKLOG = 256


class Proxy:
    """Listens on the loopback interface until it is closed.

    Args:
        desk: answers requests.
        authority: makes certificates.
        token: what every client must know.
    """

    def __init__(self, desk: Desk, authority: Authority, token: str) -> None:
        self._desk, self._authority, self._token = desk, authority, token
        self._basic = "Basic " + base64.b64encode(f"mcpeak:{token}".encode()).decode()
        self._open: dict[socket.socket, None] = {}
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._announced: dict[int, tuple[str, int, Callable[[str], None]]] = {}
        self._news = threading.Condition()
        self._listeners = [socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG) for _ in range(2)]
        for listener, serve in zip(self._listeners, (self._serve_proxy, self._serve_door), strict=True):
            self._start(self._accept, listener, serve)

    @property
    def port(self) -> int:
        """The proxy's port."""
        port: int = self._listeners[0].getsockname()[1]
        return port

    @property
    def door(self) -> int:
        """The door's port."""
        port: int = self._listeners[1].getsockname()[1]
        return port

    def close(self, patience: float = 1.0) -> None:
        """Stop listening, end what is still open, and wait a moment for its threads."""
        for listener in self._listeners:
            shut(listener)
            close(listener)
        with self._lock:
            left, threads = list(self._open), list(self._threads)
        for connection in left:
            shut(connection)
        for thread in threads:
            thread.join(patience)

    def _accept(self, listener: socket.socket, serve: Callable[[socket.socket], None]) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with self._lock:
                self._open[connection] = None
                self._threads = [thread for thread in self._threads if thread.is_alive()]
            self._start(self._guarded, connection, serve)

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        thread.start()
        with self._lock:
            self._threads.append(thread)

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
        machine = h11.Connection(h11.SERVER, max_incomplete_event_size=LARGEST_HEAD)
        head = _head(connection)
        if head.startswith(b"CONNECT "):
            self._tunnel(connection, machine)
        else:
            self._forward(connection, machine)

    def _tunnel(self, connection: socket.socket, machine: h11.Connection) -> None:
        try:
            event = next_event(connection, machine)
        except h11.RemoteProtocolError:
            return
        if not isinstance(event, h11.Request):
            return
        headers = {name.decode().lower(): value.decode("latin-1") for name, value in event.headers}
        if not self._knows(headers.get("proxy-authorization")):
            connection.sendall(_refusal())
            return
        host, _, port = event.target.decode("latin-1").rpartition(":")
        host = host.strip("[]")
        try:
            line = self._desk.open(host, int(port))
        except Unreached as failed:
            connection.sendall(f"HTTP/1.1 502 {failed.error}\r\nContent-Length: 0\r\n\r\n".encode())
            return
        connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
        converse(connection, host, int(port), line, self._authority)

    def _forward(self, connection: socket.socket, machine: h11.Connection) -> None:
        """Answer requests with absolute URLs, each of which may name another API."""
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


def _head(connection: socket.socket) -> bytes:
    """Look at the first bytes, enough to know the method."""
    return peek(connection, len(b"CONNECT "), wait=True)


def _refusal() -> bytes:
    challenge = b'Proxy-Authenticate: Basic realm="mcpeak"\r\nContent-Length: 0\r\n\r\n'
    return b"HTTP/1.1 407 Proxy Authentication Required\r\n" + challenge
