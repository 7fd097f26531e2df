"""What can go wrong over HTTP: one exception with a code of CONTRACT §4 and words of `messages/*/http.toml`.

Rule of this file: it names; who hears it decides whether the case, the run or the connection is lost.
"""

from typing import NamedTuple

import httpcore
import httpx

from mcpeak.command.text import clean, cut
from mcpeak.link.http_net import TlsFailed
from mcpeak.link.http_post import within_host

QUOTED = 200  # code points of a body that are worth quoting
CONNECT, INVALID, STATUS = "HTTP_CONNECT_FAILED", "HTTP_RESPONSE_INVALID", "HTTP_STATUS_ERROR"
UNAUTHORIZED, LOST = "HTTP_UNAUTHORIZED", "HTTP_SESSION_LOST"


class HttpTrouble(Exception):  # noqa: N818 - the field's own word would be HTTPError, which is taken
    """An exchange that failed.

    Attributes:
        code: one of the five codes above.
        words: the sentence in the http room, more exact than the code, with its `values`.
        status: the HTTP status that said so, 0 when none did.
        broken: the connection broke, though the server may still be there.
    """

    def __init__(
        self, code: str, words: str, values: dict[str, object], *, status: int = 0, broken: bool = False
    ) -> None:
        super().__init__(code, words, values)
        self.code = code
        self.words = words
        self.values = values
        self.status = status
        self.broken = broken


class Reply(NamedTuple):
    """The part of a response that says what went wrong."""

    status: int
    headers: httpx.Headers
    body: bytes


_STATUS = {
    401: (UNAUTHORIZED, "HTTP_UNAUTHORIZED"),
    403: (STATUS, "HTTP_FORBIDDEN"),
    404: (STATUS, "HTTP_NOT_FOUND"),
    407: (UNAUTHORIZED, "HTTP_PROXY_AUTH"),
    421: (STATUS, "HTTP_FORBIDDEN"),
}
_RAISED: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str, str], ...] = (
    (httpcore.ConnectTimeout, CONNECT, "HTTP_CONNECT_TIMEOUT"),
    (TlsFailed, CONNECT, "HTTP_TLS_FAILED"),
    (httpcore.ConnectError, CONNECT, "HTTP_CONNECT_FAILED"),
    (httpcore.ProxyError, CONNECT, "HTTP_PROXY_FAILED"),
    (
        (httpcore.UnsupportedProtocol, httpx.InvalidURL, httpx.UnsupportedProtocol),
        CONNECT,
        "HTTP_URL_INVALID",
    ),
    ((httpcore.RemoteProtocolError, httpx.DecodingError), INVALID, "HTTP_NOT_HTTP"),
)
_FOLLOWED = (301, 302, 303, 307, 308)  # one of these to the same host comes here after many others only
_ENDED = ("disconnected", "closed connection")  # h11 has one exception for an end and for nonsense


def of_status(reply: Reply, url: str) -> HttpTrouble:
    """Name a response that is no success."""
    code, words = _STATUS.get(reply.status, (STATUS, "HTTP_STATUS_ERROR"))
    place = reply.headers.get("location", "")
    challenge = reply.headers.get("www-authenticate", "")
    if place and 300 <= reply.status < 400:  # noqa: PLR2004 - the redirects of RFC 9110
        here = reply.status in _FOLLOWED and within_host(url, place) is not None
        words = "HTTP_REDIRECT_LOOP" if here else "HTTP_REDIRECT"
    elif challenge and words == "HTTP_FORBIDDEN":
        code, words = UNAUTHORIZED, "HTTP_FORBIDDEN_SCOPE"
    values: dict[str, object] = {
        "url": url,
        "status": reply.status,
        "body": quoted(reply.body) or "-",
        "location": quoted(place.encode()),
        "challenge": quoted(challenge.encode()),
    }
    return HttpTrouble(code, words, values, status=reply.status)


def of_exception(error: Exception, url: str) -> HttpTrouble:
    """Name what httpcore or httpx raised (time limits are not trouble: they stay what they are)."""
    reason = quoted(str(error).encode("utf-8", "replace")) or type(error).__name__
    values: dict[str, object] = {"url": url, "reason": reason}
    if not any(word in reason for word in _ENDED):
        for kind, code, words in _RAISED:
            if isinstance(error, kind):
                return HttpTrouble(code, words, values)
    return HttpTrouble(CONNECT, "HTTP_CONNECTION_BROKEN", values, broken=True)


def invalid(words: str, url: str, **values: object) -> HttpTrouble:
    """Name a response that says nothing usable."""
    return HttpTrouble(INVALID, words, {"url": url, **values})


def quoted(body: bytes) -> str:
    """Make the beginning of a body fit for a sentence."""
    return cut(clean(" ".join(body[: QUOTED * 4].decode("utf-8", "replace").split())), QUOTED)
