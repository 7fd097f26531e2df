"""Listening to an API: its answer passed on and kept while it comes.

Rule of this file: an edge; it waits for the API, but not longer than the child does.
"""

import socket
import ssl
from collections.abc import Callable

import h11

from mcpeak.session.conversation import headers_of
from mcpeak.session.exchange import Chunk, Response
from mcpeak.session.reply import ChildGone, Reply
from mcpeak.session.sockets import ready


class Listening:
    """One answer, while it comes."""

    def __init__(self, clock: Callable[[], float], reply: Reply) -> None:
        self._clock, self._reply = clock, reply
        self._started = clock()
        self._chunks: list[Chunk] = []
        self._head: h11.Response | None = None
        self._end: h11.EndOfMessage | None = None

    @property
    def begun(self) -> bool:
        """Whether the API has said anything."""
        return self._head is not None

    @property
    def complete(self) -> bool:
        """Whether the API has said everything."""
        return self._end is not None

    def read(self, connection: socket.socket, machine: h11.Connection) -> None:
        """Pass the answer on until its end.

        Raises:
            ChildGone: the child has had enough.
            OSError, h11.RemoteProtocolError: the API broke off.
        """
        while self._end is None:
            event = machine.next_event()
            if event is h11.NEED_DATA:
                self._wait(connection)
                machine.receive_data(connection.recv(1 << 16))
            elif isinstance(event, h11.Response):
                self._head = event
                self._reply.begin(event.status_code, _reason(event), headers_of(event))
            elif isinstance(event, h11.Data):
                self._chunks.append(Chunk(self._now(), bytes(event.data)))
                self._reply.data(bytes(event.data))
            elif isinstance(event, h11.EndOfMessage):
                self._end = event
                self._reply.end(headers_of(event))
            elif isinstance(event, h11.ConnectionClosed):
                raise h11.RemoteProtocolError("closed")

    def response(self) -> Response | None:
        """Give what was heard; a body whose length was known beforehand in one piece."""
        if self._head is None:
            return None
        chunks = tuple(self._chunks)
        if any(name == b"content-length" for name, _ in self._head.headers) and chunks:
            chunks = (Chunk(chunks[0].at_ms, b"".join(chunk.data for chunk in chunks)),)
        trailers = headers_of(self._end) if self._end is not None else ()
        head = self._head
        return Response(head.status_code, _reason(head), headers_of(head), chunks, trailers, self.complete)

    def _wait(self, connection: socket.socket) -> None:
        """Wait for the API, but not longer than the child does."""
        if isinstance(connection, ssl.SSLSocket) and connection.pending():
            return
        self._reply.flush()
        api, child = connection.fileno(), self._reply.descriptor
        while api not in ready([api, child], None):
            if self._reply.gone():
                raise ChildGone
            if api not in ready(
                [api], 0.05
            ):  # the child sends its next request early; look again in a moment
                continue
            return

    def _now(self) -> float:
        return round((self._clock() - self._started) * 1000, 3)


def _reason(head: h11.Response) -> str:
    return head.reason.decode("latin-1")
