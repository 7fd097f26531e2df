"""Recording: the API itself answers, and what it says is kept.

Rule of this file: an edge; it asks the API on the child's behalf and passes everything on as it comes.
"""

import contextlib
import socket
import ssl
import time
from collections.abc import Callable

import h11

from mcpeak.session import coding
from mcpeak.session.authority import Authority
from mcpeak.session.conversation import LARGEST_HEAD
from mcpeak.session.exchange import Request
from mcpeak.session.hops import end_to_end
from mcpeak.session.line import Unreached
from mcpeak.session.listening import Listening
from mcpeak.session.reply import ChildGone, Reply
from mcpeak.session.sockets import close, pump, ready
from mcpeak.session.tape import Tape

_NOT_PASSED_ON = ("proxy-authorization", "proxy-connection", "expect", "content-length")
_BODY_EXPECTED = ("POST", "PUT", "PATCH")


class LiveDesk:
    """Opens lines to the network."""

    is_quick = False

    def __init__(self, tape: Tape, authority: Authority, clock: Callable[[], float] = time.monotonic) -> None:
        self._tape = tape
        self._authority = authority
        self._clock = clock

    def is_sure(self, host: str, port: int) -> bool:
        """Tell that nothing is sure about a network."""
        del host, port
        return False

    def open(self, host: str, port: int) -> "LiveLine":
        """Connect to the API.

        Raises:
            Unreached: it cannot be reached; that is kept, too.
        """
        target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        try:
            connection = socket.create_connection((host, port))
        except OSError as failed:
            error = error_of(failed)
            self._tape.failed(target, error)
            raise Unreached(error) from failed
        return LiveLine(connection, host, port, self._tape, self._authority, self._clock)


class LiveLine:
    """A connection to the API, made anew where it was closed between two requests."""

    def __init__(
        self,
        connection: socket.socket,
        host: str,
        port: int,
        tape: Tape,
        authority: Authority,
        clock: Callable[[], float],
    ) -> None:
        self._connection = _prompt(connection)
        self._host, self._port = host, port
        self._name: str | None = None
        self._checked = True
        self._tape = tape
        self._authority = authority
        self._clock = clock
        self._machine = _client()
        self._used = self._stale = False

    @property
    def descriptor(self) -> int | None:
        """The connection to the API."""
        return self._connection.fileno()

    def secure(self, name: str) -> bool:
        """Begin TLS; where the certificate cannot be trusted, begin again without asking for it.

        Raises:
            OSError: the API speaks no TLS that we do; that is kept.
        """
        self._name = name
        try:
            self._encrypt()
        except ssl.SSLCertVerificationError:
            self._checked = False
            self._reconnect()
        except OSError:
            self._tape.failed(self._target, "tls")
            raise
        return self._checked

    def insecure(self) -> None:
        """Keep that the child refused a certificate that nobody could trust."""
        self._tape.failed(self._target, "tls")

    def ask(self, request: Request, reply: Reply) -> None:
        """Ask the API and pass its answer on while it comes."""
        place = self._tape.begin(request)
        exchange = Listening(self._clock, reply)
        error = None
        try:
            self._send(request)
            exchange.read(self._connection, self._machine)
        except ChildGone:
            error = None if exchange.begun else "timeout"
        except (OSError, h11.RemoteProtocolError, h11.LocalProtocolError) as failed:
            error = error_of(failed)
        self._tape.put(place, exchange.response(), error)
        if error and error != "timeout":
            (reply.reset if error == "reset" else reply.cut)()
        self._settle(whole=exchange.complete)

    def at_once(self, request: Request, *, closes: bool) -> None:
        """Give nothing: an API takes its time."""
        del request, closes

    def raw(self, connection: socket.socket, protocol: str) -> None:
        """Carry bytes both ways; note that they were not kept."""
        self._tape.skip(self._target, protocol)
        pump(connection, self._connection)

    def close(self) -> None:
        """Let go of the API."""
        close(self._connection)

    @property
    def _target(self) -> str:
        return f"[{self._host}]:{self._port}" if ":" in self._host else f"{self._host}:{self._port}"

    def _encrypt(self) -> None:
        context = self._authority.upstream(checked=self._checked)
        self._connection = context.wrap_socket(self._connection, server_hostname=self._name)

    def _reconnect(self) -> None:
        close(self._connection)
        self._connection = _prompt(socket.create_connection((self._host, self._port)))
        self._machine, self._used, self._stale = _client(), False, False
        if self._name is not None:
            self._encrypt()

    def _send(self, request: Request) -> None:
        """Send a request; a connection that went stale since the last one is made anew."""
        if self._stale or (self._used and ready([self._connection.fileno()], 0)):
            self._reconnect()
        self._used = True
        for event in _events(request):
            data = self._machine.send(event)
            if data:
                self._connection.sendall(data)

    def _settle(self, *, whole: bool) -> None:
        if whole and self._machine.our_state is h11.DONE and self._machine.their_state is h11.DONE:
            self._machine.start_next_cycle()
        else:
            self._stale = True


def error_of(failed: Exception) -> str:
    """Name what went wrong with a connection."""
    if isinstance(failed, h11.RemoteProtocolError):
        return "closed" if "closed" in str(failed).lower() else "protocol"
    kinds: tuple[tuple[type[Exception], str], ...] = (
        (ConnectionRefusedError, "refused"),
        (ConnectionResetError, "reset"),
        (BrokenPipeError, "reset"),
        (TimeoutError, "timeout"),
        (socket.gaierror, "dns"),
        (ssl.SSLError, "tls"),
        (h11.LocalProtocolError, "protocol"),
    )
    return next((name for kind, name in kinds if isinstance(failed, kind)), "unreachable")


def _events(request: Request) -> list[h11.Event]:
    headers = []
    for name, value in end_to_end(request.headers):
        if name.lower() == "accept-encoding":
            headers.append((name, coding.acceptable(value)))
        elif name.lower() not in _NOT_PASSED_ON:
            headers.append((name, value))
    if request.body or request.method in _BODY_EXPECTED:
        headers.append(("Content-Length", str(len(request.body))))
    scheme, _, rest = request.url.partition("://")
    path = rest[len(rest.partition("/")[0]) :] if scheme else request.url
    pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    head = h11.Request(method=request.method, target=path or "/", headers=pairs)
    body: list[h11.Event] = [h11.Data(data=request.body)] if request.body else []
    return [head, *body, h11.EndOfMessage()]


def _client() -> h11.Connection:
    return h11.Connection(h11.CLIENT, max_incomplete_event_size=LARGEST_HEAD)


def _prompt(connection: socket.socket) -> socket.socket:
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection
