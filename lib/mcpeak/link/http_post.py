"""Requests of one session as HTTP: which headers each carries, where it goes, redirects within one host.

Rule of this file: messages out, responses back unread. Source: PROTOCOL.md §4.
"""

from urllib.parse import urljoin, urlsplit

import httpx

from mcpeak.protocol.headers import Paths, mirrored, standard, tool_name
from mcpeak.protocol.revisions import NO_VERSION_HEADER
from mcpeak.protocol.session import Session
from mcpeak.protocol.states import State

REDIRECTS = 5
_ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
_MODERN_STATES = frozenset({State.PROBING, State.DISCOVERING, State.MODERN})


class Poster:
    """Sends one session's messages.

    Attributes:
        url: where the user pointed; `told`: the same for people, without its query.
        target: where messages go (see `move`).
        session_id: the server's, None without one.
        paths: tool → what of its arguments goes into headers.
    """

    def __init__(self, url: str, client: httpx.Client, session: Session) -> None:
        self.url = url
        self.told = without_secrets(url)
        self.move(url)
        self.session = session
        self.session_id: str | None = None
        self.paths: dict[str, Paths] = {}
        self._client = client

    @property
    def modern(self) -> bool:
        """Whether the next message is of the modern era."""
        return self.session.state in _MODERN_STATES

    def move(self, target: str) -> None:
        """Send messages here from now on: a redirect or an `endpoint` event said so."""
        self.target = target
        self._address = httpx.URL(target)  # read once: that costs as much as the rest of a request

    def post(self, line: bytes, method: str, params: bytes | None) -> httpx.Response:
        """Send one message; give the response, its body unread; redirects stay within the host.

        After REDIRECTS of them the next one is the response.
        """
        headers = {**_ACCEPT, **self._headers(method, params)}
        for followed in range(REDIRECTS + 1):
            request = self._client.build_request("POST", self._address, content=line, headers=headers)
            response = self._client.send(request, stream=True)
            place = response.headers.get("location", "") if response.is_redirect else ""
            target = within_host(self.target, place) if place else None
            if target is None or followed == REDIRECTS:
                break
            response.close()
            self.move(target)
        return response

    def get(self, last_id: str) -> httpx.Response:
        """Ask for the rest of a stream that broke off."""
        headers = {"Accept": "text/event-stream", "Last-Event-ID": last_id, **self.session_headers()}
        request = self._client.build_request("GET", self._address, headers=headers)
        return self._client.send(request, stream=True)

    def delete(self) -> None:
        """End the server's session."""
        self._client.delete(self.target, headers=self.session_headers())

    def session_headers(self) -> dict[str, str]:
        """Give the headers that belong to a legacy session."""
        headers = {}
        server = self.session.server
        if server is not None and server.protocol_version not in NO_VERSION_HEADER:
            headers["MCP-Protocol-Version"] = server.protocol_version
        if self.session_id is not None:
            headers["Mcp-Session-Id"] = self.session_id
        return headers

    def _headers(self, method: str, params: bytes | None) -> dict[str, str]:
        if not self.modern:
            return {} if method == "initialize" else self.session_headers()
        headers = standard(self.session.modern_version, method, params)
        if self.paths and method == "tools/call":
            headers |= mirrored(self.paths.get(tool_name(params), {}), params)
        return headers


def within_host(base: str, place: str) -> str | None:
    """Give where a `Location` leads; None when that is another host, or no URL at all."""
    try:
        target = urljoin(base, place)
        httpx.URL(target)
        return target if same_host(base, target) else None
    except (ValueError, httpx.InvalidURL):
        return None


def same_host(one: str, other: str) -> bool:
    """Tell whether a place is where we were sent to, or the same host with TLS."""
    here, there = urlsplit(one), urlsplit(other)
    if here.hostname != there.hostname:
        return False
    upgrade = (here.scheme, there.scheme) == ("http", "https")
    return upgrade or (here.scheme, here.port) == (there.scheme, there.port)


def without_secrets(url: str) -> str:
    """Give a URL for people: without user, password and query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
