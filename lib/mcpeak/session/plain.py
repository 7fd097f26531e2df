"""The plainest messages of HTTP/1.1 (RFC 9112), read and written in one go: whole, nothing unusual in them.

Rule of this file: pure. What this strict grammar does not know is left to h11; nothing is guessed here.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from mcpeak.session.exchange import Exchange, Headers, Request, Response
from mcpeak.session.hops import end_to_end, header_bytes
from mcpeak.session.url import absolute

LARGEST = 1 << 16  # bytes of an answer that is written in one go
_NAME = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_FIELD = re.compile(rb"(" + _NAME + rb"):[ \t]*([ -~\t]*?)[ \t]*\r\n")
_HEAD = re.compile(rb"([A-Z]+) (/[!-~]*) HTTP/1\.1\r\n((?:" + _NAME + rb":[ -~\t]*\r\n)+)\r\n")
_WRITTEN = re.compile(rb"HTTP/1\.1 [2-5]\d\d [ -~]*\r\n(?:" + _NAME + rb": [ -~\t\x80-\xff]*\r\n)*")
_LENGTH = re.compile(r"\d{1,9}")
_UNUSUAL = frozenset(("transfer-encoding", "expect", "upgrade", "te", "trailer", "http2-settings"))
_BODILESS = frozenset((204, 205, 304))


class Asked(NamedTuple):
    """A request. `missing`: bytes of its body that have not come yet; `closes`: it is the last."""

    request: Request
    missing: int
    closes: bool


def read(data: bytes, target: str, scheme: str = "http") -> Asked | None:
    """Read the one request that came over a connection to `target` (`host:port`); None: it is not plain."""
    head = _HEAD.match(data)
    if head is None or head[1] in (b"HEAD", b"CONNECT"):
        return None
    fields = _fields(head[3])
    if fields is None:
        return None
    headers, length, closes = fields
    body = data[head.end() :]
    if len(body) > length:
        return None
    url = absolute(head[2].decode(), scheme, target, headers)
    return Asked(Request(head[1].decode(), url, headers, body, target), length - len(body), closes)


@lru_cache(64)
def _fields(block: bytes) -> tuple[Headers, int, bool] | None:
    """Read the header fields: them, the body's length, whether this is the last request; None: not plain.

    A client sends the same ones again and again, so they are read once.
    """
    headers = tuple((name.decode(), value.decode()) for name, value in _FIELD.findall(block))
    named: dict[str, str] = {}
    for name, value in headers:
        lower = name.lower()
        if lower in _UNUSUAL or (lower in named and lower in ("host", "connection", "content-length")):
            return None
        named[lower] = value
    length, closes = named.get("content-length", "0"), named.get("connection", "keep-alive").lower()
    if "host" not in named or not _LENGTH.fullmatch(length) or closes not in ("keep-alive", "close"):
        return None
    return headers, int(length), closes == "close"


def write(exchange: Exchange, *, closes: bool) -> bytes | None:
    """Write a recorded answer; None: it is not plain (broken off, with trailers, large, an error)."""
    response = exchange.response
    if response is None or not response.complete or response.trailers or response.status in _BODILESS:
        return None
    framed = _framed(response)
    if framed is None:
        return None
    framing, body = framed
    fields = [*end_to_end(response.headers), *framing, *([("Connection", "close")] if closes else ())]
    lines = [f"HTTP/1.1 {response.status} {response.reason}\r\n".encode("latin-1", "replace")]
    lines += [header_bytes(name) + b": " + header_bytes(value) + b"\r\n" for name, value in fields]
    head = b"".join(lines)
    if len(head) + len(body) > LARGEST:
        return None
    is_sound = _WRITTEN.fullmatch(head) and head.count(b"\r\n") == len(lines)  # no line within a line
    return head + b"\r\n" + body if is_sound else None


def _framed(response: Response) -> tuple[Headers, bytes] | None:
    """Frame a body as h11 does: by the length that was recorded, else chunk by chunk."""
    told = [value for name, value in response.headers if name.lower() == "content-length"]
    if told:
        body = response.body
        return ((), body) if told == [str(len(body))] else None
    pieces = [b"%x\r\n%b\r\n" % (len(chunk.data), chunk.data) for chunk in response.chunks if chunk.data]
    return (("Transfer-Encoding", "chunked"),), b"".join(pieces) + b"0\r\n\r\n"
