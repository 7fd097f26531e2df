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
from mcpeak.session.reply import ChildGone, Reply
from mcpeak.session.sockets import close, is_tls, peek, ready
from mcpeak.session.url import absolute

LARGEST_HEAD = 1 << 20  # bytes; h11 wants a limit, and 16 KiB is too small for some cookies
_PREFACE = b"PRI * HTTP/2.0"  # RFC 9113 §3.4
_METHOD = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ-_")


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
        first = heard or _first(connection, line)
        if is_tls(first):
            secured = _handshake(connection, host, line, authority)
            if secured is None:
                return
            connection = secured
            _plain(connection, raw, "https", f"{_bracketed(host)}:{port}", line)
        elif first and first[0] in _METHOD and not _PREFACE.startswith(first[: len(_PREFACE)]):
            _plain(connection, raw, "http", f"{_bracketed(host)}:{port}", line, heard)
        elif first or line.descriptor is not None:
            line.raw(connection, "http2" if first and _PREFACE.startswith(first) else "other")
    finally:
        line.close()
        close(raw)
        close(connection)


def _first(connection: socket.socket, line: Line) -> bytes:
    """Wait until somebody speaks; give what the child said first, b"" when the API did or the child left."""
    ours = connection.fileno()
    watched = [ours] if line.descriptor is None else [ours, line.descriptor]
    if ours not in ready(watched, None):
        return b""
    first = peek(connection, len(_PREFACE), wait=True)
    if first.startswith(b"PRI") and len(first) < len(_PREFACE):
        return _PREFACE
    return first


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
    while (request := read_request(connection, machine, scheme, target)) is not None:
        if not answer(connection, request, reply, line, machine):
            return


def answer(
    connection: socket.socket, request: Request, reply: Reply, line: Line, machine: h11.Connection
) -> bool:
    """Have one request answered; tell whether another may follow."""
    if (request.header("upgrade") or "").lower() == "websocket":
        line.raw(connection, "websocket")
        return False
    reply.bodiless = request.method == "HEAD"
    with contextlib.suppress(ChildGone):
        line.ask(request, reply)
    if reply.broken or machine.our_state is not h11.DONE or machine.their_state is not h11.DONE:
        return False
    machine.start_next_cycle()
    return True


def read_request(
    connection: socket.socket, machine: h11.Connection, scheme: str, target: str
) -> Request | None:
    """Read a whole request; None when the child is done, or speaks something that is no HTTP."""
    try:
        head = next_event(connection, machine)
        if not isinstance(head, h11.Request):
            return None
        body = bytearray()
        if machine.they_are_waiting_for_100_continue:
            connection.sendall(machine.send(h11.InformationalResponse(status_code=100, headers=[])) or b"")
        while isinstance(event := next_event(connection, machine), h11.Data):
            body += event.data
    except (h11.RemoteProtocolError, OSError):
        return None
    if not isinstance(event, h11.EndOfMessage):
        return None
    headers = headers_of(head)
    url = absolute(head.target.decode("latin-1"), scheme, target, headers)
    return Request(head.method.decode("latin-1"), url, headers, bytes(body), target)


def next_event(connection: socket.socket, machine: h11.Connection) -> h11.Event | type[h11.PAUSED]:
    """Read until there is an event.

    Raises:
        OSError: the connection broke.
        h11.RemoteProtocolError: what came is no HTTP.
    """
    while True:
        event = machine.next_event()
        if event is not h11.NEED_DATA:
            return event  # type: ignore[return-value] # h11 types its sentinels as classes of a private kind
        machine.receive_data(connection.recv(1 << 16))


def headers_of(message: h11.Request | h11.Response | h11.EndOfMessage) -> Headers:
    """Give a message's headers as they were spelt."""
    return tuple(
        (name.decode("latin-1"), value.decode("latin-1")) for name, value in message.headers.raw_items()
    )


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
