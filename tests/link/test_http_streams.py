"""Answers as JSON and as events, resumption, what the server asks, and sessions lost midway."""

import gzip
import json
import os
import signal
import threading

import pytest

from mcpeak.link.client import Died, Halt
from mcpeak.link.interrupt import Interrupts
from mcpeak.protocol.answers import Answers, Elicitation
from mcpeak.protocol.events import UnknownId
from support.http_client import OK, called, client_of, good, headers_of
from support.http_server import Request, event, rpc, serving


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_stream_of_events_is_an_answer_whatever_its_line_ends(end: bytes) -> None:
    with serving("legacy") as server, client_of(server.url) as client:

        def call(request: Request) -> None:
            note = json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": {}}).encode()
            answer = rpc(request.message["id"], result=OK)
            half = len(answer) // 2
            parts = [b":hello" + end, b"id: 0" + end + b"retry: 10" + end + b"data:" + end + end]
            parts += [event(note, end=end), b"data: " + answer[:half], answer[half:] + end + end]
            request.stream(*parts)

        server.script["tools/call"] = call
        assert good(called(client))
        assert good(called(client))


def test_stream_byte_by_byte_is_an_answer() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        text = json.dumps(
            {"jsonrpc": "2.0", "id": 2, "result": {"content": [], "t": "é漢😀"}}, ensure_ascii=False
        )
        server.script["tools/call"] = lambda request: request.stream(
            *(bytes([b]) for b in event(text.encode(), end=b"\r\n"))
        )
        outcome = called(client)
        assert json.loads(bytes(outcome.result))["t"] == "é漢😀"


def test_data_over_several_lines_is_one_message() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        server.script["tools/call"] = lambda request: request.stream(
            b'data: {"jsonrpc":"2.0",\ndata: "id":%d,\ndata:"result":{"content":[]}}\n\n'
            % request.message["id"]
        )
        assert good(called(client))


def test_connection_is_kept_between_calls() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        ports = set()

        def call(request: Request) -> None:
            ports.add(request.client_address[1])
            request.stream(event(rpc(request.message["id"], result=OK)))

        server.script["tools/call"] = call
        for _ in range(5):
            assert good(called(client))
        assert len(ports) == 1


def test_server_that_leaves_streams_open_is_no_hindrance() -> None:
    release = threading.Event()
    with serving("modern") as server, client_of(server.url) as client:

        def call(request: Request) -> None:
            request.stream(event(rpc(request.message["id"], result=OK)), end=False)
            release.wait(10)

        server.script["tools/call"] = call
        assert good(called(client))
        assert good(called(client))
        release.set()


def test_server_asks_on_the_response_stream_while_we_wait() -> None:
    with serving("legacy") as server, client_of(server.url) as client:

        def call(request: Request) -> None:
            request.begin_stream()
            request.chunk(event(b'{"jsonrpc":"2.0","id":"s1","method":"roots/list"}'))
            assert server.replied.wait(10)
            request.chunk(event(rpc(request.message["id"], result=OK)))
            request.wfile.write(b"0\r\n\r\n")

        server.script["tools/call"] = call
        assert good(called(client))
        (reply,) = [message for method, _, message in server.seen if method == "reply"]
        assert (reply["id"], reply["error"]["code"]) == ("s1", -32601)


def test_server_asks_on_its_own_stream_while_we_wait() -> None:
    accept = Answers(elicitation=(Elicitation("accept", defaults=True),))
    schema = {"type": "object", "properties": {"name": {"type": "string", "default": "Kim"}}}
    ask = {
        "jsonrpc": "2.0",
        "id": 9,
        "method": "elicitation/create",
        "params": {"message": "?", "requestedSchema": schema},
    }
    with serving("legacy") as server:
        wanted, done = threading.Event(), threading.Event()

        def get(request: Request) -> None:
            request.begin_stream()
            if wanted.wait(10):
                request.chunk(event(json.dumps(ask).encode()))
            done.wait(10)

        def call(request: Request) -> None:
            wanted.set()
            assert server.replied.wait(10)
            request.result(OK)

        server.on_get = get
        server.script["tools/call"] = call
        with client_of(server.url, answers=accept) as client:
            assert good(called(client))
        done.set()
        (reply,) = [message for method, _, message in server.seen if method == "reply"]
        assert reply == {
            "jsonrpc": "2.0",
            "id": 9,
            "result": {"action": "accept", "content": {"name": "Kim"}},
        }


def test_broken_stream_is_resumed_after_its_last_event() -> None:
    with serving("legacy") as server, client_of(server.url) as client:
        asked: list[int] = []

        def call(request: Request) -> None:
            asked.append(request.message["id"])
            request.stream(b"id: e7\nretry: 20\ndata:\n\n")

        def get(request: Request) -> None:
            if "last-event-id" not in request.headers:
                request.answer(405)
            else:
                request.stream(event(rpc(asked[0], result=OK), number="e8"))

        server.script["tools/call"], server.on_get = call, get
        assert good(called(client))
        resumed = [headers for headers in headers_of(server, "GET") if "last-event-id" in headers]
        assert [headers["last-event-id"] for headers in resumed] == ["e7"]
        assert resumed[0]["mcp-session-id"] == "session-1"


def test_modern_stream_is_not_resumed() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        server.script["tools/call"] = lambda request: request.stream(b"id: e7\nretry: 20\ndata:\n\n")
        assert called(client).words == "HTTP_STREAM_ENDED"
        assert "GET" not in server.methods()


def test_answer_may_come_on_the_servers_own_stream() -> None:
    with serving("legacy") as server:
        asked, number = threading.Event(), []

        def get(request: Request) -> None:
            request.begin_stream()
            if asked.wait(10):
                request.chunk(event(rpc(number[0], result=OK)))

        def call(request: Request) -> None:
            number.append(request.message["id"])
            request.answer(202)
            asked.set()

        server.on_get, server.script["tools/call"] = get, call
        with client_of(server.url) as client:
            assert good(called(client))


def test_lost_session_is_begun_anew_and_the_call_repeated() -> None:
    with serving("legacy") as server, client_of(server.url) as client:
        assert good(called(client))
        server.sessions.clear()
        server.sessions.add("gone")
        assert good(called(client))
        assert headers_of(server, "initialize")[-1].get("mcp-session-id") is None
        assert headers_of(server, "tools/call")[-1]["mcp-session-id"] == "session-2"


def test_lost_session_with_status_400_is_begun_anew() -> None:
    """server-everything answers 400 where the specification wants 404."""
    with serving("legacy") as server, client_of(server.url) as client:
        refusal = rpc(None, error={"code": -32000, "message": "Bad Request: No valid session ID provided"})

        def call(request: Request) -> None:
            lost = request.headers["mcp-session-id"] == "session-1"
            request.answer(400, refusal) if lost else server.ordinary(request)

        server.script["tools/call"] = call
        assert good(called(client))


def test_session_that_is_lost_again_is_told() -> None:
    with serving("legacy") as server, client_of(server.url) as client:
        server.script["tools/call"] = lambda request: request.answer(404)
        outcome = called(client)
        assert isinstance(outcome, Died)
        assert outcome.why == "HTTP_SESSION_LOST"


def test_second_answer_and_unknown_id_are_heard() -> None:
    with serving("modern") as server, client_of(server.url) as client:

        def call(request: Request) -> None:
            answer = event(rpc(request.message["id"], result=OK))
            request.stream(event(rpc(777, result=OK)), answer, answer)

        server.script["tools/call"] = call
        assert good(called(client))
        assert client.heard == [UnknownId(777, again=False), UnknownId(2, again=True)]  # type: ignore[attr-defined] # set by client_of


def test_connection_that_the_server_closed_meanwhile_is_replaced() -> None:
    with serving("modern") as server, client_of(server.url) as client:

        def call(request: Request) -> None:
            server.ordinary(request)
            request.close_connection = True

        server.script["tools/call"] = call
        assert good(called(client))
        assert good(called(client))


def test_compressed_answer_is_an_answer() -> None:
    with serving("modern") as server, client_of(server.url) as client:

        def call(request: Request) -> None:
            assert "gzip" in request.headers["accept-encoding"]
            request.answer(200, gzip.compress(rpc(request.message["id"], result=OK)), Content_Encoding="gzip")

        server.script["tools/call"] = call
        assert good(called(client))


def test_round_for_input_is_a_request_of_its_own() -> None:
    ask = {"k": {"method": "roots/list"}}
    with serving("modern") as server, client_of(server.url, answers=Answers(roots=b"[]")) as client:

        def call(request: Request) -> None:
            if "inputResponses" in request.message["params"]:
                server.ordinary(request)
            else:
                request.result({"resultType": "input_required", "inputRequests": ask, "requestState": "s"})

        server.script["tools/call"] = call
        number = client.call("add", b"{}")
        outcome = client.wait(number, 10)
        assert (good(outcome), outcome.id) == (True, number)
        first, second = headers_of(server, "tools/call")
        assert first["mcp-name"] == second["mcp-name"] == "add"


def test_own_stream_that_breaks_is_opened_again_where_it_was() -> None:
    with serving("legacy") as server:
        again = threading.Event()

        def get(request: Request) -> None:
            if "last-event-id" in request.headers:
                again.set()
                request.answer(405)
            else:
                request.stream(
                    event(b'{"jsonrpc":"2.0","method":"notifications/x"}', number="e1") + b"retry: 5\n\n"
                )

        server.on_get = get
        with client_of(server.url):
            assert again.wait(10)
        assert [headers.get("last-event-id") for headers in headers_of(server, "GET")] == [None, "e1"]


def test_interrupt_ends_the_wait_at_once() -> None:
    release = threading.Event()
    interrupts = Interrupts()
    with serving("legacy") as server:
        server.script["tools/call"] = lambda request: release.wait(10) and None
        with client_of(server.url, interrupts=interrupts) as client:
            number = client.call("add", b"{}")
            interrupts.came(signal.SIGINT)
            assert client.wait(number, 30) is Halt.INTERRUPTED
        release.set()
    for descriptor in (interrupts.soon, interrupts.hard, interrupts._soon, interrupts._hard):
        os.close(descriptor)
