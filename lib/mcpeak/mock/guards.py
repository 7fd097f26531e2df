"""What HTTP headers must say before a body matters: Host, Origin, Accept, Content-Type, `Mcp-*`.

Rule of this file: pure; headers in, a refusal or nothing out. Source: PROTOCOL.md §4; SEP-2243.
"""

from urllib.parse import urlsplit

from mcpeak.mock import words
from mcpeak.mock.answers import Refusal
from mcpeak.mock.book import Book
from mcpeak.mock.eras import Eras
from mcpeak.mock.incoming import Incoming
from mcpeak.mock.params import Headers, decoded, mismatch, missing

LOCAL = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - not bound here
HTTP_REFUSED = -32000
"""The code of what HTTP refuses before it looks at JSON-RPC; it means nothing by itself (PROTOCOL.md §2)."""

_JSON, _EVENTS = "application/json", "text/event-stream"
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def check_origin(headers: Headers, host: str) -> None:
    """Refuse what a page elsewhere may have sent (DNS rebinding): a foreign Host, a foreign Origin."""
    served = {*LOCAL, host}
    told = headers.get("host", "")
    if host in EVERYWHERE:
        served.add(_host(f"//{told}") or "")
    elif _host(f"//{told}") not in served:
        raise _refused("FORBIDDEN_HOST", 421, host=told)
    origin = headers.get("origin")
    if origin is not None and _host(origin) not in served:
        raise _refused("FORBIDDEN_ORIGIN", 403, origin=origin)


def check_get(headers: Headers) -> None:
    """Refuse a GET that does not want the event stream."""
    if not _accepts(headers, _EVENTS):
        raise _refused("NOT_ACCEPTABLE_GET", 406)


def check_post(headers: Headers) -> None:
    """Refuse a POST that sends no JSON or does not take both kinds of answer."""
    if headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
        raise _refused("UNSUPPORTED_MEDIA_TYPE", 415)
    if not (_accepts(headers, _JSON) and _accepts(headers, _EVENTS)):
        raise _refused("NOT_ACCEPTABLE", 406)


def era_of(headers: Headers, message: Incoming, eras: Eras) -> bool:
    """Tell whether a request is of the modern era; refuse a version header that nobody serves.

    Raises:
        Refusal: the header names a version that is not served.
    """
    told = headers.get("mcp-protocol-version")
    if eras.is_modern(message) or (told in eras.modern and told is not None):
        return True
    if told is not None and told not in eras.legacy:
        raise eras.unsupported(told, eras.modern + eras.legacy)
    return False


def check_modern(headers: Headers, message: Incoming, book: Book) -> None:
    """Refuse a modern request whose headers do not say what its body says (-32020)."""
    version = message.params.meta.version
    if isinstance(version, str):
        _same(headers, "MCP-Protocol-Version", version)
    _same(headers, "Mcp-Method", message.method or "")
    field = _NAMED.get(message.method or "")
    named = getattr(message.params, field) if field else None
    if isinstance(named, str):
        _same(headers, "Mcp-Name", named)
    if message.method == "tools/call" and isinstance(named, str) and named in book.tools:
        for header in book.tools[named].headers:
            header.check(headers, message.params.arguments)


def _same(headers: Headers, name: str, meant: str) -> None:
    told = headers.get(name.lower())
    if told is None:
        raise missing(name)
    if decoded(told) != meant:
        raise mismatch(name, told, meant)


def _accepts(headers: Headers, kind: str) -> bool:
    """Tell whether Accept takes a media type: itself, its `type/*` or `*/*`, and not with q=0."""
    for part in headers.get("accept", "").lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        if name in (kind, kind.partition("/")[0] + "/*", "*/*"):
            return not any(
                one.replace(" ", "") in ("q=0", "q=0.0", "q=0.00", "q=0.000") for one in parameters
            )
    return False


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _refused(code: str, status: int, **values: object) -> Refusal:
    return Refusal(HTTP_REFUSED, words.plain(code, **values), status=status)
