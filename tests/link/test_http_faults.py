"""Each way in which HTTP goes wrong: the right name for it, and the next call goes well."""

import socket
import threading
from pathlib import Path

import pytest

from mcpeak.link.client import ConnectFailed, Died, Failed, Halt
from mcpeak.protocol.events import Unreadable
from support.http_client import called, client_of, good
from support.http_server import Request, event, rpc, serving


def test_nobody_listens() -> None:
    with serving() as server:
        url = server.url
    with client_of(url, opened=False) as client, pytest.raises(ConnectFailed) as failed:
        client.open(5)
    assert failed.value.detail == "HTTP_CONNECT_FAILED"


@pytest.mark.parametrize(
    "url", ["localhost:3000", "ftp://127.0.0.1/", "http://", "http://[bad/", "", "http://a:port/"]
)
def test_what_is_no_url_is_named(url: str) -> None:
    with pytest.raises(ConnectFailed) as failed, client_of(url):
        pass
    assert (failed.value.detail, failed.value.word) == ("HTTP_CONNECT_FAILED", "HTTP_URL_INVALID")


@pytest.mark.parametrize(
    ("status", "headers", "detail", "words"),
    [
        (401, {"WWW_Authenticate": "Bearer"}, "HTTP_UNAUTHORIZED", "HTTP_UNAUTHORIZED"),
        (403, {}, "HTTP_STATUS_ERROR", "HTTP_FORBIDDEN"),
        (
            403,
            {"WWW_Authenticate": 'Bearer error="insufficient_scope"'},
            "HTTP_UNAUTHORIZED",
            "HTTP_FORBIDDEN_SCOPE",
        ),
        (404, {}, "HTTP_STATUS_ERROR", "HTTP_NOT_FOUND"),
        (421, {}, "HTTP_STATUS_ERROR", "HTTP_FORBIDDEN"),
        (500, {}, "HTTP_STATUS_ERROR", "HTTP_STATUS_ERROR"),
        (307, {"Location": "http://example.invalid/mcp"}, "HTTP_STATUS_ERROR", "HTTP_REDIRECT"),
        (307, {"Location": "http://["}, "HTTP_STATUS_ERROR", "HTTP_REDIRECT"),
        (307, {"Location": "http://127.0.0.1:999999/"}, "HTTP_STATUS_ERROR", "HTTP_REDIRECT"),
        (308, {"Location": "/mcp"}, "HTTP_STATUS_ERROR", "HTTP_REDIRECT_LOOP"),
        (302, {"Location": "?again"}, "HTTP_STATUS_ERROR", "HTTP_REDIRECT_LOOP"),
    ],
)
def test_status_at_the_start_is_named(status: int, headers: dict[str, str], detail: str, words: str) -> None:
    with serving() as server:
        for method in ("initialize", "server/discover"):
            server.script[method] = lambda request: request.answer(status, b"why", "text/plain", **headers)
        with client_of(server.url, opened=False) as client, pytest.raises(ConnectFailed) as failed:
            client.open(5)
    assert (failed.value.detail, failed.value.word) == (detail, words)


def test_headers_do_not_follow_a_redirect_to_another_host() -> None:
    with serving() as server, serving() as other:
        place = other.url.replace("127.0.0.1", "localhost")
        server.script["initialize"] = lambda request: request.answer(307, Location=place)
        secret = {"Authorization": "Bearer x"}
        with (
            client_of(server.url, "legacy", opened=False, headers=secret) as client,
            pytest.raises(ConnectFailed),
        ):
            client.open(5)
        assert other.seen == []


def test_redirect_within_the_host_is_followed_and_remembered() -> None:
    with serving() as server:

        def moved(request: Request) -> None:
            request.answer(307, Location="/mcp/") if request.path == "/mcp" else server.ordinary(request)

        server.script["initialize"] = moved
        server.script["tools/call"] = moved
        with client_of(server.url, "legacy") as client:
            assert good(called(client))
        assert server.methods().count("tools/call") == 1


@pytest.mark.parametrize("status", [500, 429, 401])
def test_status_midway_fails_that_call_only(status: int) -> None:
    with serving("modern") as server, client_of(server.url) as client:
        server.script["tools/call"] = lambda request: request.answer(status, b"busy", "text/plain")
        assert isinstance(called(client), Failed)
        del server.script["tools/call"]
        assert good(called(client))


def test_error_with_its_status_is_the_servers_answer() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        server.script["tools/call"] = lambda request: request.error(-32602, "no such tool", 400)
        outcome = called(client)
        assert (outcome.error.code, outcome.error.message) == (-32602, "no such tool")


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (b"<html>hello</html>", "text/html", "HTTP_CONTENT_TYPE"),
        (b"{}", None, "HTTP_CONTENT_TYPE"),
        (b"{}", "application/json", "HTTP_NO_ANSWER"),
        (b"not json", "application/json", "HTTP_NO_ANSWER"),
        (b"", None, "HTTP_NO_ANSWER"),
    ],
)
def test_response_that_is_no_answer_fails_that_call_only(body: bytes, kind: str | None, words: str) -> None:
    with serving("modern") as server, client_of(server.url) as client:
        server.script["tools/call"] = lambda request: request.answer(200, body, kind)
        outcome = called(client)
        assert isinstance(outcome, Failed)
        assert (outcome.code, outcome.words) == ("HTTP_RESPONSE_INVALID", words)
        del server.script["tools/call"]
        assert good(called(client))


def test_answer_that_is_no_utf8_is_unreadable() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        body = b'{"jsonrpc":"2.0","id":2,"result":{"t":"caf\xe9"}}'
        server.script["tools/call"] = lambda request: request.answer(200, body)
        assert isinstance(called(client), Unreadable)


@pytest.mark.parametrize("way", ["drop", "reset"])
def test_connection_broken_before_the_answer_fails_that_call_only(way: str) -> None:
    with serving("modern") as server, client_of(server.url) as client:
        server.script["tools/call"] = lambda request: getattr(request, way)()
        outcome = called(client)
        assert isinstance(outcome, Failed)
        assert outcome.words == "HTTP_CONNECTION_BROKEN"
        del server.script["tools/call"]
        assert good(called(client))


def test_body_broken_midway_fails_that_call_only() -> None:
    with serving("modern") as server, client_of(server.url) as client:

        def call(request: Request) -> None:
            request.send_response(200)
            request.send_header("Content-Type", "application/json")
            request.send_header("Content-Length", "1000")
            request.end_headers()
            request.wfile.write(b'{"jsonrpc":"2.0","id":2,')
            request.drop()

        server.script["tools/call"] = call
        assert called(client).words == "HTTP_CONNECTION_BROKEN"
        del server.script["tools/call"]
        assert good(called(client))


def test_half_closed_stream_is_told_as_cut() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        server.script["tools/call"] = lambda request: request.stream(b'data: {"jsonrpc":"2.0","id":2,')
        outcome = called(client)
        assert (outcome.code, outcome.words) == ("HTTP_RESPONSE_INVALID", "HTTP_STREAM_CUT")


def test_stream_without_its_last_chunk_is_a_broken_connection() -> None:
    with serving("modern") as server, client_of(server.url) as client:

        def call(request: Request) -> None:
            request.stream(b": wait\n", end=False)
            request.drop()

        server.script["tools/call"] = call
        assert called(client).words == "HTTP_CONNECTION_BROKEN"


def test_huge_event_is_an_answer() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        text = "x" * 5_000_000
        server.script["tools/call"] = lambda request: request.stream(
            event(rpc(request.message["id"], result={"t": text}))
        )
        assert len(called(client).result) > len(text)


def test_event_beyond_the_limit_fails_that_call_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpeak.link.sse.LIMIT", 10_000)
    with serving("modern") as server, client_of(server.url) as client:
        server.script["tools/call"] = lambda request: request.stream(b"data: " + b"x" * 20_000)
        assert called(client).words == "HTTP_TOO_LARGE"
        del server.script["tools/call"]
        assert good(called(client))


def test_time_limit_holds_against_a_server_that_drips() -> None:
    with serving("legacy") as server, client_of(server.url) as client:
        stop = threading.Event()

        def call(request: Request) -> None:
            request.begin_stream()
            while not stop.wait(0.01):
                request.chunk(b": still here\n\n")

        server.script["tools/call"] = call
        assert called(client, limit=0.1) is Halt.TIMED_OUT
        stop.set()
        del server.script["tools/call"]
        assert good(called(client))
        cancelled = [message for method, _, message in server.seen if method == "notifications/cancelled"]
        assert len(cancelled) == 1


def test_modern_timeout_closes_the_stream_and_sends_nothing() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        gone = threading.Event()

        def call(request: Request) -> None:
            request.begin_stream()
            if request.connection.recv(1) == b"":
                gone.set()

        server.script["tools/call"] = call
        assert called(client, limit=0.1) is Halt.TIMED_OUT
        assert gone.wait(10)
        assert "notifications/cancelled" not in server.methods()


def test_server_gone_midway_is_dead() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        assert good(called(client))
        server.script["tools/call"] = lambda request: request.drop()
        server.shutdown()
        server.server_close()
        assert isinstance(called(client), Failed)
        outcome = called(client)
        assert isinstance(outcome, Died)
        assert outcome.why == "HTTP_CONNECT_FAILED"


def test_something_else_on_the_port_is_no_http() -> None:
    def greet(listening: socket.socket) -> None:
        with listening.accept()[0] as connection:
            connection.sendall(b"SSH-2.0-hello\r\n\r\n")
            connection.recv(65536)

    with socket.create_server(("127.0.0.1", 0)) as other:
        thread = threading.Thread(target=greet, args=(other,))
        thread.start()
        url = f"http://127.0.0.1:{other.getsockname()[1]}/mcp"
        with client_of(url, "modern", opened=False) as client, pytest.raises(ConnectFailed) as failed:
            client.open(5)
        thread.join(5)
    assert (failed.value.detail, failed.value.word) == ("HTTP_RESPONSE_INVALID", "HTTP_NOT_HTTP")


def test_no_descriptor_is_left() -> None:
    def opened() -> int:
        return len(list(Path("/dev/fd").iterdir()))

    with serving("legacy") as server:
        server.on_get = lambda request: request.stream(b": hello\n\n", end=False)
        with client_of(server.url) as client:
            called(client)
        before = opened()
        for _ in range(5):
            with client_of(server.url) as client:
                called(client)
        assert opened() <= before + 2  # the server's threads close theirs a moment later
