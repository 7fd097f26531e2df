"""What a recording keeps: requests, answers, and connections that failed.

Rule of this file: shapes only, no I/O; bytes are as they went over the wire, without the transfer coding.
"""

from typing import NamedTuple

REDACTED = "[REDACTED]"
MISS_STATUS = 599
"""The status of an answer that the recording does not have: the last that HTTP knows (RFC 9110 §15)."""
MISS_HEADER = "x-mcpeak-session"
CONNECT = "CONNECT"
"""The method of an exchange that never came to a request: the connection itself failed."""

Headers = tuple[tuple[str, str], ...]


class Request(NamedTuple):
    """One request. `url`: absolute; `target`: `host:port` connected to; `body`: with its content coding."""

    method: str
    url: str
    headers: Headers = ()
    body: bytes = b""
    target: str = ""

    def header(self, name: str) -> str | None:
        """Give the first value of a header (name in lower case)."""
        return header(self.headers, name)


class Chunk(NamedTuple):
    """A piece of an answer's body. `at_ms`: milliseconds since the request was complete."""

    at_ms: float
    data: bytes


class Response(NamedTuple):
    """One answer. `complete`: false when it was cut, by the API or by the child that had read enough."""

    status: int
    reason: str
    headers: Headers
    chunks: tuple[Chunk, ...] = ()
    trailers: Headers = ()
    complete: bool = True

    @property
    def body(self) -> bytes:
        """The whole body, with its content coding."""
        return b"".join(chunk.data for chunk in self.chunks)


class Exchange(NamedTuple):
    """A request with its answer, or with the error that came instead.

    `error`: of a connection refused, unreachable, dns, timeout, abandoned (the child waited no longer), tls
    (its certificate), handshake (no TLS at all); of a request reset, closed, timeout, protocol.
    `part`: which start of the server in its run, "" when nobody counted.
    """

    request: Request
    response: Response | None
    error: str | None = None
    part: str = ""


class Recording(NamedTuple):
    """All that a session file holds.

    `status`: passed, failed, unknown (of the run that was recorded); `run`: which run wrote it;
    `names`: further secret names; `rules`: how to compare, see rules.py; `paths`: whether path segments that
    look like credentials were redacted.
    """

    exchanges: tuple[Exchange, ...]
    status: str = "unknown"
    run: str = ""
    names: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    paths: bool = False


def header(headers: Headers, name: str) -> str | None:
    """Give the first value of a header (name in lower case)."""
    return next((value for key, value in headers if key.lower() == name), None)


def connection_failure(target: str, error: str, part: str = "") -> Exchange:
    """Make the exchange for a connection that never came about."""
    return Exchange(Request(CONNECT, target, target=target), None, error, part)
