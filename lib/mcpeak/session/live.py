"""Recording: the API itself answers, and what it says is kept.

Rule of this file: an edge; it asks the API on the child's behalf and passes everything on as it comes.
"""

import contextlib
import socket
import ssl
import time
from collections.abc import Callable

import h11

from mcpeak.session.authority import Authority
from mcpeak.session.conversation import LARGEST_HEAD
from mcpeak.session.exchange import Request
from mcpeak.session.line import Unreached
from mcpeak.session.listening import Listening
from mcpeak.session.passing import events
from mcpeak.session.reply import ChildGone, Reply
from mcpeak.session.sockets import close, pump, ready
from mcpeak.session.tape import Tape
from mcpeak.session.upstream import ProxyFailed, Upstream, Way
from mcpeak.session.url import target_of

_PATIENT = 0.5  # seconds; a child that leaves before only looked whether somebody is there


class LiveDesk:
    """Opens lines to the network."""

    is_quick = False

    def __init__(
        self,
        tape: Tape,
        authority: Authority,
        upstream: Upstream | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tape = tape
        self._authority = authority
        self._upstream = upstream or Upstream({})
        self._clock = clock

    def is_sure(self, host: str, port: int) -> bool:
        """Tell that nothing is sure about a network."""
        del host, port
        return False

    def open(self, host: str, port: int, waits: Callable[[], bool] = lambda: True) -> "LiveLine":
        """Connect to the API, see `Desk.open`.

        Raises:
            Unreached: it cannot be reached, or the child waits no longer; that is kept, too.
        """
        line = LiveLine(self._upstream.way(host, port), host, port, self._tape, self._authority, self._clock)
        place, began = self._tape.trying(line.target), self._clock()
        try:
            line.begin()
        except OSError as failed:
            error = error_of(failed) if waits() else "abandoned"
            self._tape.put(place, None, error)
            raise Unreached(error) from failed
        if self._clock() - began > _PATIENT and not waits():
            line.close()
            raise Unreached("abandoned")
        self._tape.reached(place)
        return line


class LiveLine:
    """A connection to the API, made anew where it was closed between two requests.

    Behind a proxy it is made once it is clear what is spoken: that decides about the way.
    """

    def __init__(
        self,
        way: Way,
        host: str,
        port: int,
        tape: Tape,
        authority: Authority,
        clock: Callable[[], float],
    ) -> None:
        self._way, self._scheme = way, ""
        self._connection: socket.socket | None = None
        self.target = target_of(host, port)
        self._name: str | None = None
        self._checked = True
        self._tape = tape
        self._authority = authority
        self._clock = clock
        self._machine = _client()
        self._used = self._stale = False

    @property
    def descriptor(self) -> int | None:
        """The connection to the API, if there is one by now."""
        return None if self._connection is None else self._connection.fileno()

    def begin(self) -> None:
        """Connect, if the way is clear.

        Raises:
            OSError: the API, or a proxy before it, cannot be reached.
        """
        if self._way.scheme is not None:
            self._reach(self._way.scheme)

    def secure(self, name: str) -> bool:
        """Begin TLS; where the certificate cannot be trusted, begin again without asking for it.

        Raises:
            OSError: the API speaks no TLS that we do; that is kept.
        """
        self._name = name
        try:
            self._reach("https")
            self._encrypt()
        except ssl.SSLCertVerificationError:
            self._checked = False
            self._reconnect()
        except OSError:
            self._tape.failed(self.target, "handshake")
            raise
        return self._checked

    def insecure(self) -> None:
        """Keep that the child refused a certificate that nobody could trust."""
        self._tape.failed(self.target, "tls")

    def ask(self, request: Request, reply: Reply) -> None:
        """Ask the API and pass its answer on while it comes."""
        place = self._tape.begin(request)
        exchange = Listening(self._clock, reply)
        error = None
        try:
            exchange.read(self._send(request), self._machine)
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

    def raw(self, connection: socket.socket, protocol: str, said: bytes = b"") -> None:
        """Carry bytes both ways; note that they were not kept."""
        self._tape.skip(self.target, protocol)
        with contextlib.suppress(OSError):
            api = self._reach("https")  # behind a proxy only a tunnel carries anything
            api.sendall(said)
            pump(connection, api)

    def unreadable(self) -> None:
        """Note that a request was not passed on."""
        self._tape.skip(self.target, "broken")

    def close(self) -> None:
        """Let go of the API."""
        if self._connection is not None:
            close(self._connection)

    def _reach(self, scheme: str) -> socket.socket:
        """Give the connection, made anew where another way leads to this scheme."""
        other = scheme != self._scheme and (self._way.proxy(scheme) or self._way.proxy(self._scheme))
        if self._connection is None or other:
            self.close()
            try:
                self._connection = _prompt(self._way.connect(scheme))
            except ProxyFailed:
                self._tape.skip(self.target, "proxy")
                raise
        self._scheme = scheme
        return self._connection

    def _encrypt(self) -> None:
        context = self._authority.upstream(checked=self._checked)
        self._connection = context.wrap_socket(self._reach("https"), server_hostname=self._name)

    def _reconnect(self) -> None:
        self.close()
        self._connection = None
        self._machine, self._used, self._stale = _client(), False, False
        if self._name is not None:
            self._encrypt()

    def _send(self, request: Request) -> socket.socket:
        """Send a request; a connection that went stale since the last one is made anew. Give it."""
        if self._stale or (self._used and self.descriptor is not None and ready([self.descriptor], 0)):
            self._reconnect()
        self._used = True
        connection = self._reach("http" if self._name is None else "https")
        proxy = self._way.proxy("http") if self._name is None else None
        for event in events(request, proxy):
            data = self._machine.send(event)
            if data:
                connection.sendall(data)
        return connection

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


def _client() -> h11.Connection:
    return h11.Connection(h11.CLIENT, max_incomplete_event_size=LARGEST_HEAD)


def _prompt(connection: socket.socket) -> socket.socket:
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection
