"""The answer as the child gets it: framing is h11's, so that there is one length and never two.

Rule of this file: an edge; it writes answers on one connection and knows nothing of recordings.
"""

import contextlib
import re
import socket

import h11

from mcpeak.session.exchange import Headers
from mcpeak.session.hops import end_to_end, header_bytes
from mcpeak.session.sockets import close, is_gone, linger, shut, wait_gone

_REASON = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")
_HELD = 1 << 16  # bytes that may wait for more, so that a small answer is one packet


class ChildGone(Exception):  # noqa: N818 - named for what happened
    """The child closed the connection before it had the whole answer."""


class Reply:
    """Writes answers to the child.

    Args:
        connection: where to write, with TLS if there is any.
        raw: the same connection beneath TLS.
        machine: the protocol state of the connection.

    `broken`: the connection is of no more use; `bodiless`: the request was HEAD.
    """

    def __init__(self, connection: socket.socket, raw: socket.socket, machine: h11.Connection) -> None:
        self._connection = connection
        self._raw = raw
        self._machine = machine
        self._held = b""
        self.broken = False
        self.bodiless = False

    def begin(self, status: int, reason: str, headers: Headers) -> None:
        """Send the head.

        Raises:
            h11.LocalProtocolError: it is no valid HTTP.
        """
        if not _REASON.fullmatch(reason):  # h11 looks at everything but this
            raise h11.LocalProtocolError(reason)
        pairs = [(header_bytes(name), header_bytes(value)) for name, value in end_to_end(headers)]
        self._send(
            h11.Response(status_code=status, headers=pairs, reason=reason.encode("latin-1", "replace"))
        )

    def data(self, data: bytes) -> None:
        """Send a piece of the body.

        Raises:
            h11.LocalProtocolError: it is more than the head promised.
        """
        self._send(h11.Data(data=data))

    def end(self, trailers: Headers = ()) -> None:
        """Send the end."""
        framed = [(header_bytes(name), header_bytes(value)) for name, value in trailers]
        try:
            self._send(h11.EndOfMessage(headers=framed))
            self.flush()
        except h11.LocalProtocolError:  # fewer bytes than the head promised, or trailers where none can be
            self.cut()

    def whole(self, status: int, reason: str, headers: Headers, body: bytes) -> None:
        """Send an answer in one go."""
        self.begin(status, reason, (*headers, ("Content-Length", str(len(body)))))
        if body and not self.bodiless:
            self.data(body)
        self.end()

    def cut(self) -> None:
        """End the connection in the middle."""
        self._let_go()
        shut(self._raw)
        close(self._raw)
        close(self._connection)

    def reset(self) -> None:
        """End the connection as one that breaks down."""
        self._let_go()
        linger(self._raw)
        close(self._raw)
        close(self._connection)

    def gone(self) -> bool:
        """Tell whether the child has closed its end."""
        return is_gone(self._raw)

    def hold(self) -> None:
        """Say nothing more until the child has had enough."""
        self.flush()
        wait_gone(self._raw)
        self.cut()

    @property
    def descriptor(self) -> int:
        """What to wait on for a sign of the child."""
        return self._raw.fileno()

    def flush(self) -> None:
        """Let go of what waits for more."""
        held, self._held = self._held, b""
        if not held:
            return
        try:
            self._connection.sendall(held)
        except OSError as gone:
            self.broken = True
            raise ChildGone from gone

    def _let_go(self) -> None:
        with contextlib.suppress(ChildGone):
            self.flush()
        self.broken = True

    def _send(self, event: h11.Event) -> None:
        self._held += self._machine.send(event) or b""
        if len(self._held) > _HELD:
            self.flush()
