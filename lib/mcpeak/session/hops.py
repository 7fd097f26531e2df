"""What of a message's headers goes from one connection to the next, and how it is written there.

Rule of this file: pure.
"""

from collections.abc import Iterable

_HOP = frozenset(
    [
        "connection",
        "keep-alive",
        "proxy-connection",
        "proxy-authenticate",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ]
)


def end_to_end(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Leave out the headers that belong to one connection only (RFC 9110 §7.6.1)."""
    pairs = list(headers)
    named = {
        word.strip().lower()
        for name, value in pairs
        if name.lower() == "connection"
        for word in value.split(",")
    }
    return [
        (name, value)
        for name, value in pairs
        if name.lower() not in _HOP and name.lower() not in named - {"close"}
    ]


def header_bytes(value: str) -> bytes:
    """Write a header's value as it was, or as UTF-8 where that cannot be."""
    try:
        return value.encode("latin-1")
    except UnicodeEncodeError:
        return value.encode("utf-8")
