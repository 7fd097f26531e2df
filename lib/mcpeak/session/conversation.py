"""One connection of the child, from its first byte to its last: TLS or not, HTTP or not, each request.

Rule of this file: an edge; it reads requests and passes them on, and knows neither API nor recording.
"""

import contextlib
import socket
import ssl

import h11

from mcpeak.session.authority import Authority
from mcpeak.session.exchange import Headers, Request
from mcpeak.session.line import Line
from mcpeak.session.opening import kind_of
from mcpeak.session.reply import ChildGone, Reply
from mcpeak.session.sockets import close, peek, ready
from mcpeak.session.url import absolute, target_of

LARGEST_HEAD = 1 << 20  # bytes; h11 wants a limit, and 16 KiB is too small for some cookies
_PIECE = 1 << 16


def converse(
    connection: socket.socket, host: str, port: int, line: Line, authority: Authority, heard: bytes = b""
) -> None:
    """Serve a connection that the child made to `host:port`, until either side ends it.

    Args:
        connection: the child's.
        host: where it was meant to go.
        port: where there.
        line: what answers.
        authority: makes certificates.
        heard: the beginning of a request that was read from the connection before.
    """
    raw = connection.dup()
    try:
        kind, heard = _opening(connection, line, heard)
        if kind == "tls":
            secured = _handshake(connection, host, line, authority)
            if secured is None:
                return
            connection = secured
            _plain(connection, raw, "https", target_of(host, port), line)
        elif kind == "http":
            _plain(connection, raw, "http", target_of(host, port), line, heard)
        elif kind is not None:
            line.raw(connection, kind)
    finally:
        line.close()
        close(raw)
        close(connection)


def _opening(connection: socket.socket, line: Line, heard: bytes) -> tuple[str | None, bytes]:
    """Wait until it is clear what is spoken; None when the child leaves before. Give what was read till then.

    What was read already is read on; else nothing is taken from the connection.
    """
    if heard:
        while (kind := kind_of(heard)) is None and (more := connection.recv(_PIECE)):
            heard += more
        return kind, heard
    ours = connection.fileno()
    watched = [ours] if line.descriptor is None else [ours, line.descriptor]
    if ours not in ready(watched, None):
        return "other", b""  # it is the API that speaks first
    first = peek(connection, _PIECE, wait=True)
    while first and (kind := kind_of(first)) is None:
        size = len(first)
        if len(peek(connection, size + 1, wait=True, whole=True)) <= size:
            return None, b""
        first = peek(connection, _PIECE, wait=True)
    return (kind if first else None), b""


def _handshake(
    connection: socket.socket, host: str, line: Line, authority: Authority
) -> ssl.SSLSocket | None:
    """Be the API to the child, with a certificate as good as the API's own."""
    trusted = True

    def named(secured: ssl.SSLObject | ssl.SSLSocket, name: str | None, _: ssl.SSLContext) -> int | None:
        nonlocal trusted
        try:
            trusted = line.secure(name or host)
        except OSError:
            return int(ssl.ALERT_DESCRIPTION_HANDSHAKE_FAILURE)
        secured.context = authority.context(name or host, trusted=trusted)
        return None

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["http/1.1"])
    context.sni_callback = named
    try:
        return context.wrap_socket(connection, server_side=True)
    except OSError:
        if not trusted:
            line.insecure()
        return None


def _plain(
    connection: socket.socket, raw: socket.socket, scheme: str, target: str, line: Line, heard: bytes = b""
) -> None:
    """Answer requests, one after the other."""
    machine = h11.Connection(h11.SERVER, max_incomplete_event_size=LARGEST_HEAD)
    if heard:
        machine.receive_data(heard)
    reply = Reply(connection, raw, machine)
    try:
        while (request := read_request(connection, machine, scheme, target)) is not None:
            if not answer(connection, request, reply, line, machine):
                return
    except h11.RemoteProtocolError:
        line.unreadable()


def answer(
    connection: socket.socket, request: Request, reply: Reply, line: Line, machine: h11.Connection
) -> bool:
    """Have one request answered; tell whether another may follow."""
    if (request.header("upgrade") or "").lower() == "websocket":
        line.raw(connection, "websocket", _upgrade(request) + machine.trailing_data[0])
        return False
    reply.bodiless = request.method == "HEAD"
    with contextlib.suppress(ChildGone):
        line.ask(request, reply)
    if reply.broken or machine.our_state is not h11.DONE or machine.their_state is not h11.DONE:
        return False
    machine.start_next_cycle()
    return True


def _upgrade(request: Request) -> bytes:
    """Write a request that asks for another protocol as it was: it goes on as it came."""
    path = request.url.partition("://")[2].partition("/")[2]
    lines = [f"{request.method} /{path} HTTP/1.1", *(f"{name}: {value}" for name, value in request.headers)]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def read_request(
    connection: socket.socket, machine: h11.Connection, scheme: str, target: str
) -> Request | None:
    """Read a whole request; None when the child is done.

    Raises:
        h11.RemoteProtocolError: what it says is no HTTP.
    """
    try:
        head = next_event(connection, machine)
        if not isinstance(head, h11.Request):
            return None
        body = bytearray()
        if machine.they_are_waiting_for_100_continue:
            connection.sendall(machine.send(h11.InformationalResponse(status_code=100, headers=[])) or b"")
        while isinstance(event := next_event(connection, machine), h11.Data):
            body += event.data
    except OSError:
        return None
    if not isinstance(event, h11.EndOfMessage):
        return None
    headers = headers_of(head)
    url = absolute(head.target.decode("latin-1"), scheme, target, headers)
    return Request(head.method.decode("latin-1"), url, headers, bytes(body), target)


def next_event(connection: socket.socket, machine: h11.Connection) -> h11.Event | type[h11.PAUSED]:
    """Read until there is an event.

    Raises:
        OSError: the connection broke, or ended.
        h11.RemoteProtocolError: what came is no HTTP.
    """
    while True:
        event = machine.next_event()
        if event is not h11.NEED_DATA:
            return event  # type: ignore[return-value] # h11 types its sentinels as classes of a private kind
        data = connection.recv(_PIECE)
        if not data:
            raise ConnectionResetError
        machine.receive_data(data)


def headers_of(message: h11.Request | h11.Response | h11.EndOfMessage) -> Headers:
    """Give a message's headers as they were spelt."""
    return tuple(
        (name.decode("latin-1"), value.decode("latin-1")) for name, value in message.headers.raw_items()
    )
