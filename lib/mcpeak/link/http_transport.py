"""httpx over sockets under watch: TLS verified, proxies only when named, nothing taken from the environment.

The transport is httpx's own way to httpcore, with our network behind it (HTTPTransport has no place for one).
Imported only when a URL is to be reached.
"""

import ssl
from collections.abc import Iterator
from typing import NamedTuple

import httpcore
import httpx

from mcpeak import __version__
from mcpeak.link.http_net import Backend


class HttpOptions(NamedTuple):
    """`ca`: a file of more certificates to trust; `proxy`: URL of an HTTP proxy (never the environment's)."""

    ca: str | None = None
    proxy: str | None = None


def make_client(
    backend: Backend, options: HttpOptions, headers: dict[str, str], *, tls: bool
) -> httpx.Client:
    """Make a client. `headers`: the user's, sent each time; `tls`: whether certificates are needed."""
    return httpx.Client(
        transport=_Transport(backend, options, tls=tls),
        headers={"User-Agent": f"mcpeak/{__version__}", **headers},
        timeout=None,  # noqa: S113 - the watch limits everything
        follow_redirects=False,
        trust_env=False,
    )


def context(ca: str | None) -> ssl.SSLContext:
    """Make the TLS rules: the system's certificates, and those of `ca`.

    Raises:
        OSError: the file cannot be read or holds no certificate.
    """
    rules = ssl.create_default_context()
    if ca is not None:
        rules.load_verify_locations(cafile=ca)
    return rules


class _Transport(httpx.BaseTransport):
    def __init__(self, backend: Backend, options: HttpOptions, *, tls: bool) -> None:
        rules = context(options.ca) if tls or (options.proxy or "").startswith("https") else None
        self._pool: httpcore.ConnectionPool
        if options.proxy is None:
            self._pool = httpcore.ConnectionPool(ssl_context=rules, network_backend=backend)
        else:
            proxy = httpx.Proxy(options.proxy)
            self._pool = httpcore.HTTPProxy(
                proxy_url=str(proxy.url),
                proxy_auth=proxy.raw_auth,
                ssl_context=rules,
                network_backend=backend,
            )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; give the response with its body still to come. Raises what httpcore raises."""
        url = request.url
        target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        answer = self._pool.handle_request(
            httpcore.Request(request.method, target, headers=request.headers.raw, content=request.stream)
        )
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(answer))

    def close(self) -> None:
        self._pool.close()


class _Body(httpx.SyncByteStream):
    """A response's body as it comes."""

    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._answer.stream)  # type: ignore[arg-type] # a sync pool gives a sync stream

    def close(self) -> None:
        self._answer.close()
