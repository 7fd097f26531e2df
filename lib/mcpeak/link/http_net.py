"""Sockets that know when to stop: a deadline for all that one request does, and descriptors that wake us.

httpcore's own time limits begin anew with every read, so a server that drips a byte a second would never be
late. Here each wait is a poll with what is left of the request's time, next to the interrupt and whatever
else must be served meanwhile (`Watch.also`).
"""

import select
import socket
import ssl
from collections.abc import Callable, Iterable
from math import ceil
from typing import Any

import httpcore

from mcpeak.link.client import Interrupted
from mcpeak.link.clock import Clock, now

CONNECT_LIMIT = 10.0
"""How long one connection may take to come about (seconds)."""
_IN = select.POLLIN | select.POLLHUP | select.POLLERR


class TlsFailed(httpcore.ConnectError):
    """The secure connection did not come about (httpcore drops the cause, so the type must tell)."""


class Watch:
    """What a wait must look out for.

    Attributes:
        deadline: of the clock; a wait beyond it raises httpcore.ReadTimeout.
        interrupt: readable when we must stop: Interrupted.
        also: descriptors and what serves each of them.
    """

    def __init__(self, interrupt: int | None = None, clock: Clock = now) -> None:
        self.deadline = float("inf")
        self.interrupt = interrupt
        self.also: Callable[[], dict[int, Callable[[], None]]] = dict
        self.clock = clock

    def left(self, most: float = float("inf")) -> float:
        """Give the seconds that are left, at most `most`.

        Raises:
            httpcore.ReadTimeout: none are.
        """
        seconds = min(self.deadline - self.clock(), most)
        if seconds <= 0:
            raise httpcore.ReadTimeout
        return seconds

    def wait(self, descriptor: int | None, mask: int = _IN) -> None:
        """Wait for a descriptor (None: only for the others), and serve the others.

        Raises:
            httpcore.ReadTimeout: the deadline passed.
            Interrupted: the interrupt came.
        """
        while True:
            served = self.also()
            poll = select.poll()
            for other in served:
                poll.register(other, _IN)
            if descriptor is not None:
                poll.register(descriptor, mask)
            if self.interrupt is not None:
                poll.register(self.interrupt, _IN)
            ready = {found for found, _ in poll.poll(_milliseconds(self.left(3600)))}
            if self.interrupt in ready:
                raise Interrupted
            for other in ready & served.keys():
                served[other]()
            if descriptor in ready or (descriptor is None and ready):
                return

    def pause(self, seconds: float) -> None:
        """Wait for a time, serving the others.

        Raises:
            httpcore.ReadTimeout: the deadline comes first; it is not waited for.
        """
        whole, end = self.deadline, self.clock() + seconds
        if end >= whole:
            raise httpcore.ReadTimeout
        self.deadline = end
        try:
            while True:
                self.wait(None)
        except httpcore.ReadTimeout:
            return
        finally:
            self.deadline = whole


def _milliseconds(seconds: float) -> int:
    return ceil(seconds * 1000)


class Stream(httpcore.NetworkStream):
    """A connected socket under watch."""

    def __init__(self, sock: socket.socket, watch: Watch) -> None:
        self.socket = sock
        self._watch = watch

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002 - the watch knows better
        """Read what is there, waiting for it as long as the watch allows."""
        if not (isinstance(self.socket, ssl.SSLSocket) and self.socket.pending()):
            self._watch.wait(self.socket.fileno())
        try:
            self.socket.settimeout(self._watch.left(3600))
            return self.socket.recv(max_bytes)
        except TimeoutError as late:
            raise httpcore.ReadTimeout from late
        except OSError as broken:
            raise httpcore.ReadError(str(broken)) from broken

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002 - as read
        """Write everything, as long as the watch allows."""
        rest = memoryview(buffer)
        while rest:
            try:
                self.socket.settimeout(self._watch.left(3600))
                rest = rest[self.socket.send(rest) :]
            except TimeoutError as late:
                raise httpcore.WriteTimeout from late
            except OSError as broken:
                raise httpcore.WriteError(str(broken)) from broken

    def close(self) -> None:
        """Let go of the socket."""
        self.socket.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """Begin TLS on this connection; its certificate is verified by the context."""
        try:
            self.socket.settimeout(self._watch.left(min(timeout or CONNECT_LIMIT, CONNECT_LIMIT)))
            return Stream(ssl_context.wrap_socket(self.socket, server_hostname=server_hostname), self._watch)
        except TimeoutError as late:
            self.close()
            raise httpcore.ConnectTimeout(str(late)) from late
        except ssl.SSLError as refused:
            self.close()
            raise TlsFailed(getattr(refused, "verify_message", "") or str(refused)) from refused
        except OSError as broken:
            self.close()
            raise httpcore.ConnectError(str(broken)) from broken

    def get_extra_info(self, info: str) -> Any:
        """Tell what httpcore asks of a stream."""
        if info == "socket":
            return self.socket
        if info == "is_readable":
            poll = select.poll()
            poll.register(self.socket.fileno(), _IN)
            return bool(poll.poll(0))
        if info == "ssl_object" and isinstance(self.socket, ssl.SSLSocket):
            return self.socket
        return None


class Backend(httpcore.NetworkBackend):
    """Makes streams under watch."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - the watch and CONNECT_LIMIT decide
        local_address: str | None = None,  # noqa: ARG002 - never asked for
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to a host."""
        try:
            sock = socket.create_connection((host, port), self._watch.left(CONNECT_LIMIT))
        except TimeoutError as late:
            raise httpcore.ConnectTimeout(str(late)) from late
        except OSError as refused:
            raise httpcore.ConnectError(refused.strerror or str(refused)) from refused
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for option in socket_options or ():
            sock.setsockopt(*option)
        return Stream(sock, self._watch)
