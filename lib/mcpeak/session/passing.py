"""A request of the child as it is passed on to its API, or to the proxy before it.

Rule of this file: pure.
"""

import h11

from mcpeak.session import coding
from mcpeak.session.exchange import Request
from mcpeak.session.hops import end_to_end
from mcpeak.session.upstream import Proxy

_NOT_PASSED_ON = ("proxy-authorization", "proxy-connection", "expect", "content-length")
_BODY_EXPECTED = ("POST", "PUT", "PATCH")


def events(request: Request, proxy: Proxy | None = None) -> list[h11.Event]:
    """Write a request: for a proxy with the whole URL and with what the proxy wants to hear."""
    headers = []
    for name, value in end_to_end(request.headers):
        if name.lower() == "accept-encoding":
            headers.append((name, coding.acceptable(value)))
        elif name.lower() not in _NOT_PASSED_ON:
            headers.append((name, value))
    if request.header("host") is None:  # of an HTTP/1.0 client; we speak 1.1
        headers.append(("Host", request.target))
    if request.body or request.method in _BODY_EXPECTED:
        headers.append(("Content-Length", str(len(request.body))))
    if proxy is not None and proxy.password:
        headers.append(("Proxy-Authorization", proxy.password))
    path = request.url if proxy is not None else _path(request.url)
    pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    head = h11.Request(method=request.method, target=path or "/", headers=pairs)
    body: list[h11.Event] = [h11.Data(data=request.body)] if request.body else []
    return [head, *body, h11.EndOfMessage()]


def _path(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return rest[len(rest.partition("/")[0]) :] if scheme else url
