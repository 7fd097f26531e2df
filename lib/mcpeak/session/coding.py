"""Content codings (RFC 9110 §8.4.1): taking them off to look inside, and putting them on again.

Rule of this file: pure. brotli and zstandard are imported when a body needs them.
"""

import zlib
from collections.abc import Callable
from typing import Any

LARGEST = (
    256 << 20
)  # bytes: what unpacks to more is left alone (a bomb, or nothing that a test would compare)
KNOWN = ("gzip", "x-gzip", "deflate", "br", "zstd", "identity")


class Undecodable(ValueError):  # noqa: N818 - named for what the body is
    """The body's coding is unknown or its bytes are not in that coding."""


def decode(data: bytes, coding: str | None) -> bytes:
    """Take content codings off, the last one first.

    Raises:
        Undecodable: an unknown coding, broken bytes, or more than `LARGEST` of them.
    """
    for name in reversed(_names(coding)):
        try:
            data = _DECODERS[name](data)
        except KeyError as unknown:
            raise Undecodable(name) from unknown
        except Exception as broken:
            # each library has errors of its own, and all mean the same here
            raise Undecodable(name) from broken
    return data


def encode(data: bytes, coding: str | None) -> bytes:
    """Put content codings on that `decode` took off."""
    for name in _names(coding):
        data = _ENCODERS[name](data)
    return data


def acceptable(header: str) -> str:
    """Keep of an Accept-Encoding header what can be looked into."""
    kept = [
        piece.strip()
        for piece in header.split(",")
        if piece.partition(";")[0].strip().lower() in (*KNOWN, "*")
    ]
    return ", ".join("identity" if piece == "*" else piece for piece in kept) or "identity"


def _names(coding: str | None) -> list[str]:
    names = [name.strip().lower() for name in (coding or "").split(",")]
    return [name for name in names if name not in ("", "identity")]


def _inflate(data: bytes, bits: int) -> bytes:
    if not data:
        return data
    machine = zlib.decompressobj(bits)
    made = machine.decompress(data, LARGEST)
    if machine.unconsumed_tail:
        raise Undecodable("size")
    return made + machine.flush()


def _deflate(data: bytes) -> bytes:
    try:
        return _inflate(data, zlib.MAX_WBITS)
    except zlib.error:  # many servers send raw deflate under that name
        return _inflate(data, -zlib.MAX_WBITS)


def _gzip(data: bytes) -> bytes:
    machine = zlib.compressobj(6, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return machine.compress(data) + machine.flush()


def _brotli() -> Any:
    import brotli

    return brotli


def _unzstd(data: bytes) -> bytes:
    import zstandard

    made: bytes = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    return made


def _zstd(data: bytes) -> bytes:
    import zstandard

    return zstandard.ZstdCompressor().compress(data)


_DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: _inflate(data, zlib.MAX_WBITS | 16),
    "x-gzip": lambda data: _inflate(data, zlib.MAX_WBITS | 16),
    "deflate": _deflate,
    "br": lambda data: _brotli().decompress(data) if data else data,
    "zstd": lambda data: _unzstd(data) if data else data,
}
_ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": zlib.compress,
    "br": lambda data: _brotli().compress(data),
    "zstd": _zstd,
}
