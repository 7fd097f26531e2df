"""Messages without their secrets, and what then must be put right: lengths, digests, places of chunks.

Rule of this file: pure.
"""

import base64
import hashlib
import zlib
from collections.abc import Callable, Sequence

from mcpeak.session import coding
from mcpeak.session.edits import Edit, apply, moved
from mcpeak.session.exchange import Chunk, Exchange, Headers, Request, Response
from mcpeak.session.redact import Redactor


def learn(exchange: Exchange, redactor: Redactor) -> None:
    """Let a redactor see all of an exchange, so that it knows its secrets."""
    with redactor.learning():
        clean(exchange, redactor)


def clean(exchange: Exchange, redactor: Redactor) -> Exchange:
    """Give an exchange without the secrets that the redactor knows or finds."""
    response = exchange.response
    return exchange._replace(
        request=request(exchange.request, redactor),
        response=None if response is None else _response(response, redactor),
    )


def request(message: Request, redactor: Redactor) -> Request:
    """Redact a request."""
    url, headers = redactor.url(message.url), redactor.headers(message.headers)
    pieces = _body((message.body,), message.header("content-encoding"), redactor)
    if pieces is not None:
        headers = _put_right(headers, message.body, pieces[0])
    return message._replace(url=url, headers=headers, body=message.body if pieces is None else pieces[0])


def _response(message: Response, redactor: Redactor) -> Response:
    headers, trailers = redactor.headers(message.headers), redactor.headers(message.trailers)
    encoding = next((value for name, value in message.headers if name.lower() == "content-encoding"), None)
    pieces = _body([chunk.data for chunk in message.chunks], encoding, redactor)
    if pieces is None:
        return message._replace(headers=headers, trailers=trailers)
    times = [chunk.at_ms for chunk in message.chunks]
    chunks = tuple(Chunk(at, data) for at, data in zip(times[-len(pieces) :], pieces, strict=True))
    fresh = _put_right(headers, message.body, b"".join(pieces))
    return message._replace(headers=fresh, trailers=trailers, chunks=chunks)


def _body(pieces: Sequence[bytes], encoding: str | None, redactor: Redactor) -> list[bytes] | None:
    """Redact a body, whole but with its pieces kept; None when nothing had to be changed.

    A body with a coding comes back in one piece, in the same coding.
    """
    whole = b"".join(pieces)
    if not whole:
        return None
    try:
        plain = coding.decode(whole, encoding)
    except coding.Undecodable:
        plain, encoding = whole, None
    text = plain.decode("latin-1")
    rounds = list(redactor.rounds(text))
    if not rounds:
        return None
    if plain is not whole:
        for edits in rounds:
            text = apply(text, edits)
        return [coding.encode(text.encode("latin-1"), encoding)]
    return _cut(text, [len(piece) for piece in pieces], rounds)


def _cut(text: str, sizes: list[int], rounds: Sequence[list[Edit]]) -> list[bytes]:
    """Apply edits and cut the text where its pieces ended."""
    ends = [sum(sizes[: place + 1]) for place in range(len(sizes))]
    for edits in rounds:
        ends = [moved(end, edits) for end in ends]
        text = apply(text, edits)
    data = text.encode("latin-1")
    return [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _put_right(headers: Headers, before: bytes, after: bytes) -> Headers:
    """Make lengths and digests those of the new body; drop the digests that cannot be made again."""
    fresh = []
    for name, value in headers:
        lower = name.lower()
        if lower == "content-length" and value == str(len(before)):
            fresh.append((name, str(len(after))))
        elif lower in ("digest", "content-digest", "repr-digest", "content-md5") or lower.startswith(
            "x-amz-checksum-"
        ):
            kept = _digests(value, before, after)
            fresh += [(name, kept)] if kept else []
        elif lower == "etag" and _of(hashlib.md5, before).hex() in value:
            fresh.append((name, value.replace(_of(hashlib.md5, before).hex(), _of(hashlib.md5, after).hex())))
        else:
            fresh.append((name, value))
    return tuple(fresh)


def _digests(value: str, before: bytes, after: bytes) -> str:
    """Make the digests of a header again (RFC 9530, RFC 3230, Content-MD5): those that were right before."""
    for make in _MAKERS:
        old, new = (base64.b64encode(make(data)).decode() for data in (before, after))
        value = value.replace(old, new)
    told = [base64.b64encode(make(after)).decode() for make in _MAKERS]
    pieces = [piece for piece in value.split(",") if any(one in piece for one in told)]
    return ",".join(pieces).strip()


def _of(maker: Callable[..., "hashlib._Hash"], data: bytes) -> bytes:
    return maker(data, usedforsecurity=False).digest()


_MAKERS: tuple[Callable[[bytes], bytes], ...] = (
    lambda data: _of(hashlib.md5, data),
    lambda data: _of(hashlib.sha1, data),
    lambda data: _of(hashlib.sha256, data),
    lambda data: _of(hashlib.sha512, data),
    lambda data: zlib.crc32(data).to_bytes(4, "big"),
)
