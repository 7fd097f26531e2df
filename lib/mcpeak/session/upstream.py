"""The way to an API while recording: directly, or through the proxy that the user's environment names.

HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY in either case; this machine is reached directly. TLS goes
through a tunnel (CONNECT, RFC 9110 §9.3.6), plain HTTP in absolute form (RFC 9112 §3.2.2).
Rule of this file: an edge; it opens connections and knows nothing of what is recorded.
"""

import base64
import contextlib
import ipaddress
import socket
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from mcpeak.command.failure import InputError
from mcpeak.session.url import target_of

_VARIABLES = {"http": ("http_proxy", "all_proxy"), "https": ("https_proxy", "all_proxy")}
_PATIENCE = 30.0  # seconds for a proxy to answer CONNECT
_HEAD = 1 << 16  # bytes of that answer
_LOCAL = ("127.0.0.1", "::1")


class ProxyFailed(OSError):  # noqa: N818 - named for what happened
    """The proxy cannot be reached, or does not let us through."""


class Proxy(NamedTuple):
    """A proxy. `password`: what it wants to hear in Proxy-Authorization, if anything."""

    host: str
    port: int
    password: str | None


class Way:
    """The way to one target.

    Args:
        host: where.
        port: where there.
        proxies: by scheme; a scheme without one goes directly.
    """

    def __init__(self, host: str, port: int, proxies: Mapping[str, Proxy]) -> None:
        self._host, self._port, self._proxies = host, port, proxies

    @property
    def scheme(self) -> str | None:
        """What is spoken there, as far as it matters for the way; None: that has to be heard first."""
        return {80: "http", 443: "https"}.get(self._port, None if self._proxies else "http")

    def proxy(self, scheme: str) -> Proxy | None:
        """Give the proxy for a scheme."""
        return self._proxies.get(scheme)

    def connect(self, scheme: str) -> socket.socket:
        """Connect to the API, or to what stands for it.

        Raises:
            ProxyFailed: that is a proxy, which fails.
            OSError: the API cannot be reached.
        """
        proxy = self._proxies.get(scheme)
        if proxy is None:
            return socket.create_connection((self._host, self._port))
        try:
            connection = socket.create_connection((proxy.host, proxy.port), _PATIENCE)
        except OSError as failed:
            raise ProxyFailed(str(failed)) from failed
        if scheme == "https":
            _tunnel(connection, target_of(self._host, self._port), proxy.password)
        connection.settimeout(None)
        return connection


class Upstream:
    """Knows the proxies of an environment.

    Raises:
        InputError: one is of a kind that is not spoken here.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._proxies: dict[str, Proxy] = {}
        self._addresses = addresses(environ)
        for scheme, names in _VARIABLES.items():
            named = next((name for name in _spelt(names) if environ.get(name)), None)
            if named is not None:
                self._proxies[scheme] = _proxy(named, environ[named])
        self._spared = environ.get("no_proxy") or environ.get("NO_PROXY") or ""

    def way(self, host: str, port: int) -> Way:
        """Find the way to a target."""
        direct = not self._proxies or (host.lower(), port) in self._addresses or is_local(host)
        return Way(host, port, {} if direct or self._is_spared(host, port) else self._proxies)

    def _is_spared(self, host: str, port: int) -> bool:
        import urllib.request as library  # late: 40 modules that only a proxy should cost

        bypass: Callable[[str, Mapping[str, str]], bool] = vars(library)["proxy_bypass_environment"]
        return bypass(target_of(host, port), {"no": self._spared})


def addresses(environ: Mapping[str, str]) -> frozenset[tuple[str, int]]:
    """Tell where the proxies of an environment are: a client that honours it connects there by itself."""
    found = set()
    for name in _spelt(("http_proxy", "https_proxy", "all_proxy")):
        with contextlib.suppress(InputError):
            proxy = _proxy(name, environ.get(name, ""))
            hosts = _LOCAL if proxy.host == "localhost" else ()
            found |= {(host, proxy.port) for host in (proxy.host, *hosts)}
    return frozenset(found)


def passwords(environ: Mapping[str, str]) -> list[str]:
    """Give the secrets in the URLs of an environment's proxies."""
    found = []
    for name in _spelt(("http_proxy", "https_proxy", "all_proxy")):
        user, mark, password = urlsplit(_full(environ.get(name, ""))).netloc.rpartition("@")[0].partition(":")
        found += [unquote(password if mark else user)]
    return [secret for secret in found if secret]


def is_local(host: str) -> bool:
    """Tell whether a host is this machine by its name."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost" or host.lower().endswith(".localhost")


def _tunnel(connection: socket.socket, target: str, password: str | None) -> None:
    """Have a proxy connect us; nothing of what comes after its answer is read."""
    told = f"Proxy-Authorization: {password}\r\n" if password else ""
    try:
        connection.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{told}\r\n".encode())
        head = b""
        while not head.endswith(b"\r\n\r\n") and len(head) < _HEAD and (byte := connection.recv(1)):
            head += byte
        if not head.startswith((b"HTTP/1.1 2", b"HTTP/1.0 2")):
            raise ProxyFailed(head.partition(b"\r\n")[0].decode("latin-1"))
    except OSError as failed:
        connection.close()
        raise failed if isinstance(failed, ProxyFailed) else ProxyFailed(str(failed)) from failed


def _proxy(name: str, url: str) -> Proxy:
    try:
        found = urlsplit(_full(url))
        host, port = found.hostname, found.port
    except ValueError:
        host = None
    if not host or found.scheme != "http":
        raise InputError("EXTERNAL_SESSION_FAILED", room="session", detail="PROXY_UNUSABLE", variable=name)
    credentials = found.netloc.rpartition("@")[0]
    password = None
    if credentials:
        user, _, secret = credentials.partition(":")
        pair = f"{unquote(user)}:{unquote(secret)}".encode()
        password = "Basic " + base64.b64encode(pair).decode()
    return Proxy(host, port or 80, password)


def _full(url: str) -> str:
    return url if "://" in url else f"http://{url}"


def _spelt(names: tuple[str, ...]) -> list[str]:
    return [spelt for name in names for spelt in (name, name.upper())]
