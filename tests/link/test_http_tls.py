"""Certificates are always verified; proxies are used only when named."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trustme

from mcpeak.link.client import ConnectFailed
from mcpeak.link.http import HttpClient
from support.http_client import called, client_of, good
from support.http_server import HttpServer, Request, serving


@contextmanager
def secure(authority: trustme.CA, name: str = "localhost") -> Iterator[HttpServer]:
    rules = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(rules)
    with serving("modern") as server:
        server.socket = rules.wrap_socket(server.socket, server_side=True)
        yield server


def url_of(server: HttpServer) -> str:
    return f"https://localhost:{server.server_address[1]}/mcp"


def refused(client: HttpClient) -> ConnectFailed:
    with pytest.raises(ConnectFailed) as failed:
        client.open(5)
    return failed.value


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def test_certificate_of_a_named_authority_is_trusted(authority: trustme.CA, tmp_path: Path) -> None:
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    with secure(authority) as server, client_of(url_of(server), ca=str(tmp_path / "ca.pem")) as client:
        assert good(called(client))
        assert good(called(client))


def test_certificate_of_a_stranger_is_refused(authority: trustme.CA) -> None:
    with secure(authority) as server, client_of(url_of(server), opened=False) as client:
        failed = refused(client)
    assert (failed.detail, failed.word) == ("HTTP_CONNECT_FAILED", "HTTP_TLS_FAILED")


def test_certificate_for_another_name_is_refused(authority: trustme.CA, tmp_path: Path) -> None:
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    ca = str(tmp_path / "ca.pem")
    with (
        secure(authority, "example.org") as server,
        client_of(url_of(server), opened=False, ca=ca) as client,
    ):
        failed = refused(client)
    assert failed.word == "HTTP_TLS_FAILED"


def test_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with serving("modern") as server, client_of(server.url) as client:
        assert good(called(client))


def test_named_proxy_is_used() -> None:
    with serving("modern") as proxy:  # it gets the whole URL, and plays the server at once
        paths: list[str] = []

        def take(request: Request) -> None:
            paths.append(request.path)
            proxy.ordinary(request)

        proxy.script["server/discover"] = take
        address = f"http://127.0.0.1:{proxy.server_address[1]}"
        with client_of("http://mcp.example.invalid/mcp", proxy=address) as client:
            assert good(called(client))
        assert paths == ["http://mcp.example.invalid/mcp"]


def test_proxy_that_is_not_there_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with client_of("http://mcp.example.invalid/mcp", proxy=address, opened=False) as client:
        assert refused(client).detail == "HTTP_CONNECT_FAILED"


def test_proxy_that_refuses_a_tunnel_is_named() -> None:
    def refuse(listening: socket.socket) -> None:
        with listening.accept()[0] as connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=refuse, args=(listening,))
        thread.start()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with client_of("https://mcp.example.invalid/mcp", proxy=address, opened=False) as client:
            failed = refused(client)
        thread.join(5)
    assert failed.word == "HTTP_PROXY_FAILED"
