"""Opening a URL: the era of every kind of server, fallbacks, the old transport."""

import threading

import pytest

from mcpeak.link.client import ConnectFailed
from support.http_client import called, client_of, good
from support.http_server import HttpServer, Request, event, rpc, serving


def test_modern_server_gets_no_initialize() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        assert (client.server.era, good(called(client))) == ("modern", True)
        assert server.methods() == ["server/discover", "tools/call"]


def test_legacy_server_costs_one_round_trip_more() -> None:
    with serving("legacy") as server, client_of(server.url) as client:
        assert client.server.protocol_version == "2025-11-25"
        assert server.methods()[:3] == ["server/discover", "initialize", "notifications/initialized"]
        assert good(called(client))


def test_dual_server_is_taken_modern_and_each_era_on_request() -> None:
    with serving("dual") as server:
        for word, era in (
            ("auto", "modern"),
            ("legacy", "legacy"),
            ("modern", "modern"),
            ("2025-06-18", "legacy"),
        ):
            with client_of(server.url, word) as client:
                assert (client.server.era, good(called(client))) == (era, True)


@pytest.mark.parametrize(
    ("status", "body"), [(400, b""), (405, b""), (406, b"<html>no</html>"), (500, b"oops")]
)
def test_probe_refused_without_a_modern_error_falls_back(status: int, body: bytes) -> None:
    with serving("legacy") as server:
        server.script["server/discover"] = lambda request: request.answer(status, body, "text/html")
        with client_of(server.url) as client:
            assert client.server.era == "legacy"


def test_probe_refused_with_an_unnamed_legacy_error_falls_back() -> None:
    """The TypeScript SDK 1 answers 400 and -32000 with id null."""
    with serving("legacy") as server:
        refusal = rpc(None, error={"code": -32000, "message": "Bad Request: Server not initialized"})
        server.script["server/discover"] = lambda request: request.answer(400, refusal)
        with client_of(server.url) as client:
            assert client.server.era == "legacy"


def test_version_refused_without_an_id_is_retried_modern() -> None:
    with serving("modern") as server:
        refusal = rpc(None, error={"code": -32022, "message": "no", "data": {"supported": ["2026-07-28"]}})
        tries: list[int] = []

        def discover(request: Request) -> None:
            tries.append(1)
            request.answer(400, refusal) if len(tries) == 1 else server.ordinary(request)

        server.script["server/discover"] = discover
        with client_of(server.url) as client:
            assert (client.server.era, len(tries)) == ("modern", 2)


def with_an_open_client(url: str) -> None:
    with client_of(url):
        pass


def test_unknown_version_is_refused_with_both_named() -> None:
    with serving("legacy", versions=("2099-01-01",)) as server, pytest.raises(ConnectFailed) as failed:
        with_an_open_client(server.url)
    assert failed.value.detail == "HANDSHAKE_FAILED"
    assert "2099-01-01" in str(failed.value.values["reason"])


def test_silent_probe_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpeak.link.http_open.PROBE_SECONDS", 0.05)
    release = threading.Event()
    with serving("legacy") as server:
        server.script["server/discover"] = lambda request: release.wait(10) and None
        with client_of(server.url) as client:
            assert client.server.era == "legacy"
        release.set()


def test_limit_of_the_probe_does_not_limit_the_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpeak.link.http_open.PROBE_SECONDS", 0.1)
    with serving("legacy") as server:

        def slow(request: Request) -> None:
            threading.Event().wait(0.2)
            server.ordinary(request)

        server.script["initialize"] = slow
        with client_of(server.url) as client:
            assert client.server.era == "legacy"
            assert server.methods().count("initialize") == 1


def test_server_that_never_answers_is_a_handshake_timeout() -> None:
    release = threading.Event()
    with serving("legacy") as server:
        server.script["initialize"] = lambda request: release.wait(10) and None
        with client_of(server.url, "legacy", opened=False) as client, pytest.raises(ConnectFailed) as failed:
            client.open(0.1)
        release.set()
    assert failed.value.detail == "HANDSHAKE_TIMEOUT"


def old_transport(server: HttpServer, *places: bytes) -> None:
    """Play HTTP+SSE (2024-11-05): GET names where to post, answers come on that stream."""
    answers: list[bytes] = []
    more = threading.Condition()

    def get(request: Request) -> None:
        request.begin_stream()
        for place in (*places, b"/messages?session=1"):
            request.chunk(event(place, "endpoint"))
        while True:
            with more:
                if not answers and not more.wait(10):
                    return
                waiting, answers[:] = list(answers), []
            for answer in waiting:
                request.chunk(event(answer))

    def post(request: Request) -> None:
        if request.path == "/mcp":
            request.answer(405)
            return
        request.answer(202, b"Accepted", "text/plain")
        with more:
            answers.extend(server.pure.take(request.body))
            more.notify()

    server.on_get = get
    server.handle_message = post  # type: ignore[method-assign] # the whole server is bent here


@pytest.mark.parametrize("places", [(), (b"http://[", b"http://elsewhere.invalid/")], ids=["good", "odd"])
def test_old_transport_is_found(places: tuple[bytes, ...]) -> None:
    """An endpoint that is no URL, or on another host, is passed over."""
    with serving("legacy", versions=("2024-11-05",)) as server:
        old_transport(server, *places)
        with client_of(server.url) as client:
            assert client.server.protocol_version == "2024-11-05"
            assert good(called(client))
            assert good(called(client))


def test_modern_only_on_an_older_server_says_so() -> None:
    with serving("legacy") as server, client_of(server.url, "modern", opened=False) as client:
        server.script["server/discover"] = lambda request: request.answer(
            400, b"not initialized", "text/plain"
        )
        with pytest.raises(ConnectFailed) as failed:
            client.open(5)
    assert (failed.value.detail, failed.value.word) == ("HTTP_STATUS_ERROR", "HTTP_NOT_MODERN")
