"""URLs in the form in which they are compared (CONTRACT §8).

Rule of this file: pure.
"""

import re
from collections.abc import Iterable
from urllib.parse import unquote_plus

DEFAULT_PORTS = {"http": "80", "https": "443"}
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^?#]*)(?:\?([^#]*))?", re.DOTALL)
_AUTHORITY = re.compile(r"(?:(.*)@)?(\[[^\]]*\]|[^:]*)(?::(\d*))?", re.DOTALL)
_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")


class Parts(tuple[str, str, str, str, str | None]):
    """scheme, host, port ("" for the default), path, query (None when there is none)."""

    __slots__ = ()


def split(url: str) -> Parts:
    """Take an absolute URL apart, normalised: lower case, default port and fragment dropped."""
    found = _URL.match(url)
    if found is None:
        return Parts(("", "", "", url, None))
    scheme, authority, path, query = found[1].lower(), found[2], found[3], found[4]
    inner = _AUTHORITY.fullmatch(authority)
    host, port = (inner[2].lower(), inner[3] or "") if inner else (authority.lower(), "")
    if port == DEFAULT_PORTS.get(scheme):
        port = ""
    return Parts((scheme, host, port, _escapes(path) or "/", None if query is None else _escapes(query)))


def join(parts: Parts) -> str:
    """Put a URL together again."""
    scheme, host, port, path, query = parts
    if not scheme:
        return path
    return f"{scheme}://{host}{':' + port if port else ''}{path}{'' if query is None else '?' + query}"


def target_of(host: str, port: int) -> str:
    """Write where a connection goes; an IPv6 address in brackets (RFC 3986 §3.2.2)."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def absolute(path: str, scheme: str, target: str, headers: Iterable[tuple[str, str]]) -> str:
    """Give the URL as the child means it: the Host header has the host, the connection a port left out."""
    if "://" in path.partition("?")[0]:
        return path
    host = next((value for name, value in headers if name.lower() == "host"), "") or target
    port = target.rpartition(":")[2]
    if not host.rpartition("]")[2].partition(":")[2] and port != DEFAULT_PORTS[scheme]:
        host = f"{host.removesuffix(':')}:{port}"
    return f"{scheme}://{host}{path if path.startswith('/') else '/' + path}"


def pairs(query: str) -> list[tuple[str, str]]:
    """Read a query or a form body: decoded names and values in order, blanks kept."""
    found = []
    for piece in query.split("&"):
        if piece:
            name, _, value = piece.partition("=")
            found.append((unquote_plus(name), unquote_plus(value)))
    return found


def _escapes(text: str) -> str:
    """Write percent escapes in one way, and what was redacted as it reads."""
    text = _ESCAPE.sub(lambda found: found[0].upper(), text)
    return text.replace("%5BREDACTED%5D", "[REDACTED]")
