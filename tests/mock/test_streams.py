"""Event streams over HTTP: progress, questions, news, cancellation, faults, and a definition that changes."""

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from support.mocks import BOTH, WEATHER, Served, call, modern, request, serving
from support.programs import run

TOOL = {"name": "t", "inputSchema": {"type": "object"}}
DEFINITION: dict[str, Any] = {
    "tools": [TOOL],
    "responses": [
        {
            "tool": "t",
            "args": {"do": "progress"},
            "progress": [{"progress": 1}, {"progress": 2}],
            "result": 1,
        },
        {
            "tool": "t",
            "args": {"do": "ask"},
            "ask": {"r": {"method": "roots/list"}},
            "result": "{{@r.roots}}",
        },
        {"tool": "t", "args": {"do": "notify"}, "notify": ["notifications/tools/list_changed"], "result": 1},
        {"tool": "t", "args": {"do": "wait"}, "delayMs": 600_000, "result": 1},
        {"tool": "t", "args": {"do": "close"}, "fault": "close", "result": 1},
        {"tool": "t", "args": {"do": "hang"}, "fault": "hang", "result": 1},
        {"tool": "t", "args": {"do": "crash"}, "fault": {"kind": "crash", "exitCode": 7}, "result": 1},
    ],
}


@pytest.fixture(scope="module")
def mock() -> Iterator[Served]:
    """A mock that does what `do` says."""
    with serving(DEFINITION) as served:
        yield served


@contextmanager
def stream(mock: Served, body: Any, method: str = "POST", **headers: str) -> Iterator[Iterator[Any]]:
    """Send a request and give the events of its answer as they come."""
    place = urlsplit(mock.url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=20)
    told = {"Accept": BOTH, "Content-Type": "application/json"} | {
        k.replace("_", "-"): v for k, v in headers.items()
    }
    connection.request(method, place.path, None if body is None else json.dumps(body), told)
    answer = connection.getresponse()
    assert answer.headers["content-type"] == "text/event-stream"
    lines = iter(answer.readline, b"")
    try:
        yield (json.loads(line.removeprefix(b"data: ")) for line in lines if line.startswith(b"data: "))
    finally:
        answer.close()
        connection.close()


def doing(word: str, number: Any = 1) -> dict[str, Any]:
    return call(number, "t", {"do": word})


def headers_of(body: dict[str, Any]) -> dict[str, str]:
    named = {"Mcp_Name": body["params"]["name"]} if "name" in body["params"] else {}
    return {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": body["method"]} | named


def test_progress_comes_before_the_answer(mock: Served) -> None:
    body = doing("progress")
    body["params"]["_meta"] = {"progressToken": 0}
    with stream(mock, body) as events:
        assert [one.get("method", "answer") for one in events] == ["notifications/progress"] * 2 + ["answer"]


def test_a_question_is_answered_by_another_request(mock: Served) -> None:
    with stream(mock, doing("ask")) as events:
        asked = next(events)
        answer = {"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": [{"uri": "file:///a"}]}}
        assert mock.post(answer).status == 202
        assert next(events)["result"]["content"][0]["text"] == '[{"uri":"file:///a"}]'


def test_news_reach_the_subscription_that_wants_them_and_the_legacy_stream(mock: Served) -> None:
    listen = modern("s", "subscriptions/listen", notifications={"toolsListChanged": True})
    with stream(mock, listen, **headers_of(listen)) as tagged, stream(mock, None, "GET") as plain:
        assert next(tagged)["method"] == "notifications/subscriptions/acknowledged"
        mock.post(doing("notify"))
        assert next(tagged)["params"]["_meta"] == {"io.modelcontextprotocol/subscriptionId": "s"}
        assert next(plain) == {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}


def test_a_client_that_goes_away_ends_its_call(mock: Served) -> None:
    """The mock lives on and answers others."""
    with stream(mock, doing("wait")):
        pass
    assert mock.post(request(2, "ping")).json["result"] == {}


def test_a_session_may_cancel_its_call() -> None:
    opened = request(0, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}})
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    with serving(DEFINITION, "--sessions") as served:
        session = served.post(opened).headers["mcp-session-id"]
        with stream(served, doing("wait"), Mcp_Session_Id=session) as events:
            served.post(cancel, Mcp_Session_Id=session)
            assert list(events) == []


def test_a_batch_of_which_something_takes_time_is_a_stream(mock: Served) -> None:
    with stream(
        mock, [request(1, "ping"), doing("progress", 2)], MCP_Protocol_Version="2025-03-26"
    ) as events:
        assert [one["id"] for one in events] == [1, 2]


def test_fault_close_ends_the_response_without_an_answer(mock: Served) -> None:
    with (
        stream(mock, doing("close")) as events,
        pytest.raises((http.client.IncompleteRead, StopIteration, OSError)),
    ):
        next(events)
    assert mock.post(request(2, "ping")).status == 200


def test_fault_hang_holds_one_call_and_no_other(mock: Served) -> None:
    with stream(mock, doing("hang")):
        assert mock.post(request(2, "ping")).status == 200


def test_fault_crash_ends_the_process() -> None:
    with serving(DEFINITION) as served:
        with pytest.raises((OSError, http.client.HTTPException)):
            served.post(doing("crash")).json["result"]
        assert served.process.wait(timeout=20) == 7


def test_a_watched_definition_changes_what_is_served(tmp_path: Path) -> None:
    with serving(WEATHER, "--watch") as served, stream(served, None, "GET") as events:
        assert served.post(request(1, "initialize", {})).json["result"]["capabilities"]["tools"] == {
            "listChanged": True
        }
        path = Path(served.process.args[2])  # type: ignore[index]  # a list, as we made it
        path.write_text(json.dumps({"tools": []}))
        assert next(events)["method"] == "notifications/tools/list_changed"
        assert served.post(request(2, "tools/list")).json["result"] == {"tools": []}


def test_an_address_that_is_taken_gives_4(mock: Served) -> None:
    port = str(urlsplit(mock.url).port)
    with_file = run("mcpeak-mock", str(mock.process.args[2]), "--http", "--port", port)
    assert (with_file.returncode, b"[PORT_TAKEN]" in with_file.stderr) == (4, True)


def test_a_log_over_http_holds_both_sides(tmp_path: Path) -> None:
    log = tmp_path / "log.ndjson"
    with serving(WEATHER, "--log", str(log)) as served:
        served.post(call(1, "get_weather", {"city": "Seoul"}))
    kinds = [json.loads(line)["type"] for line in log.read_text().splitlines()]
    assert kinds == ["mockStarted", "mockHeard", "mockWrote", "mockEnded"]
