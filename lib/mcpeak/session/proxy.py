"""What may have to wait: clients of the proxy, TLS, streams, APIs; a thread for each connection.

The proxy speaks HTTP with the run's token as its password: CONNECT and absolute URLs.
Rule of this file: an edge; it finds out where a connection is meant to go and hands it on.
"""

import base64
import contextlib
import hmac
import socket
from collections.abc import Callable

from mcpeak.session.authority import Authority
from mcpeak.session.crew import Crew
from mcpeak.session.doors import Doors
from mcpeak.session.exchange import MISS_HEADER
from mcpeak.session.guests import Guest, HandOver, Tell
from mcpeak.session.line import Desk, Line, Unreached
from mcpeak.session.reception import Reception
from mcpeak.session.sockets import begins, close, is_gone, peek, wait_gone
from mcpeak.session.url import DEFAULT_PORTS, split

_CONNECT = b"CONNECT "
_END = b"\r\n\r\n"
_HEAD = 1 << 20  # bytes of the largest head
_WORDS = 3  # of a request line: method, target, version


class Proxy:
    """Serves what comes through the doors until it is closed.

    Args:
        doors: where connections arrive.
        desk: answers requests.
        authority: makes certificates.
        token: what every client must know.
        others: proxies of the user's; a connection that goes there is served as they would serve it.
    """

    def __init__(
        self,
        doors: Doors,
        desk: Desk,
        authority: Authority,
        token: str,
        others: frozenset[tuple[str, int]] = frozenset(),
    ) -> None:
        self._desk, self._authority = desk, authority
        self._basic = "Basic " + base64.b64encode(f"mcpeak:{token}".encode()).decode()
        self._crew = Crew()
        proxied, other = self._later(self._serve_proxy), self._later(self._serve_other)
        hand_over = HandOver(proxied, other, self._serve_later, self._later(wait_gone))
        self._reception = Reception(doors, desk, token, hand_over, others)

    def close(self, patience: float = 1.0) -> None:
        """Stop listening, end what is still open, and wait a moment for what is being done."""
        self._reception.close()
        self._crew.finish(patience)

    def _later(self, serve: Callable[[socket.socket], None]) -> Callable[[socket.socket], None]:
        return lambda connection: self._crew.do(self._guarded, connection, lambda: serve(connection))

    def _serve_later(self, guest: Guest, tell: Tell) -> None:
        self._crew.do(self._guarded, guest.connection, lambda: self._serve_target(guest, tell))

    def _guarded(self, connection: socket.socket, serve: Callable[[], None]) -> None:
        """Serve one connection; whatever breaks it breaks only it."""
        try:
            with contextlib.suppress(OSError):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                serve()
        finally:
            self._reception.leave(connection)

    def _serve_target(self, guest: Guest, tell: Tell) -> None:
        """Serve a connection whose target is known."""
        if guest.line is None:
            try:
                guest.line = self._desk.open(guest.host, guest.port, _waits(guest.connection))
            except Unreached as failed:
                if failed.error != "abandoned":
                    tell(failed.error)
                wait_gone(guest.connection)
                return
            tell("")
        if guest.unsent:
            guest.connection.sendall(guest.unsent)
        if guest.closes:
            return
        self._converse(guest.connection, guest.host, guest.port, guest.line, guest.heard)

    def _converse(
        self, connection: socket.socket, host: str, port: int, line: Line, heard: bytes = b""
    ) -> None:
        from mcpeak.session.conversation import converse  # late: a plain replay does without h11

        converse(connection, host, port, line, self._authority, heard)

    # --- the proxy ---

    def _serve_other(self, connection: socket.socket) -> None:
        """Serve what goes to the user's own proxy; who said so knows the token."""
        self._serve_proxy(connection, known=True)

    def _serve_proxy(self, connection: socket.socket, *, known: bool = False) -> None:
        if begins(connection, _CONNECT):
            self._tunnel(connection, known=known)
        else:
            self._forward(connection, known=known)

    def _tunnel(self, connection: socket.socket, *, known: bool) -> None:
        """Answer CONNECT (RFC 9110 §9.3.6), and serve what goes through the tunnel."""
        head = _head(connection)
        host, _, port = head[0].split(" ")[1].rpartition(":")
        password = [
            line.partition(":")[2] for line in head if line.lower().startswith("proxy-authorization:")
        ]
        if not (known or self._knows(password[0].strip() if password else None)):
            connection.sendall(_refusal())
            return
        try:
            line = self._desk.open(host.strip("[]"), int(port), _waits(connection))
        except Unreached as failed:
            if failed.error == "abandoned":
                wait_gone(connection)
            connection.sendall(f"HTTP/1.1 502 {failed.error}\r\nContent-Length: 0\r\n\r\n".encode())
            return
        connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
        self._converse(connection, host.strip("[]"), int(port), line)

    def _forward(self, connection: socket.socket, *, known: bool) -> None:
        """Answer requests with absolute URLs, each of which may name another API."""
        import h11

        from mcpeak.session.conversation import answer, read_request
        from mcpeak.session.reply import Reply

        machine = h11.Connection(h11.SERVER, max_incomplete_event_size=_HEAD)
        raw = connection.dup()
        reply = Reply(connection, raw, machine)
        lines: dict[tuple[str, str, str], Line] = {}
        try:
            while (request := read_request(connection, machine, "http", "")) is not None:
                if not (known or self._knows(request.header("proxy-authorization"))):
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
                own = tuple(pair for pair in request.headers if not pair[0].lower().startswith("proxy-"))
                request = request._replace(target=target, headers=own)
                if not answer(connection, request, reply, line, machine):
                    return
        except h11.RemoteProtocolError:
            for line in lines.values():
                line.unreadable()
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
    end = peek(connection, _HEAD, wait=True).find(_END)
    head = connection.recv(end + len(_END) if end >= 0 else 1)
    while not head.endswith(_END) and len(head) < _HEAD and (byte := connection.recv(1)):
        head += byte
    lines = head.decode("latin-1").split("\r\n")
    if len(lines[0].split(" ")) != _WORDS or not lines[0].split(" ")[1].rpartition(":")[2].isdigit():
        raise ConnectionResetError
    return lines


def _refusal() -> bytes:
    challenge = b'Proxy-Authenticate: Basic realm="mcpeak"\r\nContent-Length: 0\r\n\r\n'
    return b"HTTP/1.1 407 Proxy Authentication Required\r\n" + challenge


def _waits(connection: socket.socket) -> Callable[[], bool]:
    return lambda: not is_gone(connection)
