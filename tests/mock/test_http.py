"""Streamable HTTP: the status matrix of PROTOCOL.md §4 at its most correct, sessions, a clean end."""

import json
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from support.differences import differences
from support.mocks import WEATHER, Served, call, modern, request, serving
from support.programs import DATA

VECTORS = json.loads((DATA / "vectors" / "mock.json").read_text("utf-8"))["streamableHttp"]["requests"]
LIST = request(3, "tools/list", {})
INIT = request(
    1,
    "initialize",
    {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "0"}},
)
V = {"MCP_Protocol_Version": "2025-11-25"}
M = {"MCP_Protocol_Version": "2026-07-28"}
OLD = "1900-01-01"
DISCOVER = modern(1, "server/discover")


@pytest.fixture(scope="module")
def mock() -> Iterator[Served]:
    """A mock without sessions."""
    with serving(WEATHER) as served:
        yield served


@pytest.fixture(scope="module")
def kept() -> Iterator[Served]:
    """A mock with sessions."""
    with serving(WEATHER, "--sessions") as served:
        yield served


LEGACY = [
    ("initialize", INIT, {}, 200, None),
    ("notification", {"jsonrpc": "2.0", "method": "notifications/initialized"}, V, 202, None),
    ("list", LIST, V, 200, None),
    ("no version header", LIST, {}, 200, None),
    ("bad version header", LIST, {"MCP_Protocol_Version": "1999-01-01"}, 400, -32022),
    ("other supported version header", LIST, {"MCP_Protocol_Version": "2025-03-26"}, 200, None),
    ("session id without sessions", LIST, V | {"Mcp_Session_Id": "nope"}, 200, None),
    ("accept json only", LIST, V | {"Accept": "application/json"}, 406, -32000),
    ("accept everything", LIST, V | {"Accept": "*/*"}, 200, None),
    ("accept nothing", LIST, V | {"Accept": None}, 406, -32000),
    ("text/plain", LIST, V | {"Content_Type": "text/plain"}, 415, -32000),
    ("json with charset", LIST, V | {"Content_Type": "application/json; charset=utf-8"}, 200, None),
    ("malformed JSON", b"{not json", V, 400, -32700),
    ("empty body", b"", V, 400, -32700),
    ("not UTF-8", b'{"jsonrpc":"2.0","id":1,"method":"ping\xff"}', V, 400, -32700),
    ("a JSON string", b'"x"', V, 400, -32600),
    ("batch after 2025-03-26", [request(4, "ping")], V, 400, -32600),
    ("not a request", {"jsonrpc": "2.0", "id": 9}, V, 400, -32600),
    ("id null", request(None, "ping"), V, 400, -32600),
    ("fractional id", request(1.5, "ping"), V, 400, -32600),
    ("not 2.0", {"jsonrpc": "1.0", "id": 1, "method": "ping"}, V, 400, -32600),
    ("unknown method", request(6, "no/such"), V, 200, -32601),
    ("unknown tool", call(6, "no_such"), V, 200, -32602),
    ("stray response", {"jsonrpc": "2.0", "id": 77, "result": {}}, V, 202, None),
    ("second initialize", INIT | {"id": 10}, V, 200, None),
    ("evil origin", LIST, V | {"Origin": "http://evil.example"}, 403, -32000),
    ("null origin", LIST, V | {"Origin": "null"}, 403, -32000),
    ("local origin", LIST, V | {"Origin": "http://localhost:1234"}, 200, None),
    ("evil host", LIST, V | {"Host": "evil.example"}, 421, -32000),
]
MODERN = [
    ("discover", DISCOVER, M | {"Mcp_Method": "server/discover"}, 200, None),
    ("no Mcp-Method", DISCOVER, M, 400, -32020),
    ("no version header", DISCOVER, {"Mcp_Method": "server/discover"}, 400, -32020),
    (
        "unsupported version",
        modern(1, "server/discover", {"io.modelcontextprotocol/protocolVersion": OLD}),
        {"MCP_Protocol_Version": OLD, "Mcp_Method": "server/discover"},
        400,
        -32022,
    ),
    ("header and body differ", DISCOVER, V | {"Mcp_Method": "server/discover"}, 400, -32020),
    ("list", modern(2, "tools/list"), M | {"Mcp_Method": "tools/list"}, 200, None),
    ("no _meta", request(2, "tools/list", {}), M | {"Mcp_Method": "tools/list"}, 400, -32602),
    ("other Mcp-Method", modern(2, "tools/list"), M | {"Mcp_Method": "tools/call"}, 400, -32020),
    ("ping is gone", modern(3, "ping"), M | {"Mcp_Method": "ping"}, 404, -32601),
    ("initialize is gone", modern(3, "initialize"), M | {"Mcp_Method": "initialize"}, 404, -32601),
    (
        "no Mcp-Name",
        modern(3, "tools/call", name="get_weather", arguments={}),
        M | {"Mcp_Method": "tools/call"},
        400,
        -32020,
    ),
    (
        "call",
        modern(3, "tools/call", name="get_weather", arguments={"city": "Seoul"}),
        M | {"Mcp_Method": "tools/call", "Mcp_Name": "get_weather"},
        200,
        None,
    ),
    (
        "unknown tool",
        modern(3, "tools/call", name="no_such", arguments={}),
        M | {"Mcp_Method": "tools/call", "Mcp_Name": "no_such"},
        200,
        -32602,
    ),
]


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"), [r[1:] for r in LEGACY], ids=[r[0] for r in LEGACY]
)
def test_legacy_posts(
    mock: Served, body: Any, headers: dict[str, str | None], status: int, code: int | None
) -> None:
    """Each gets the status and the error code that fit."""
    reply = mock.post(body, **headers)
    assert (reply.status, reply.json["error"]["code"] if code else None) == (status, code)


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"), [r[1:] for r in MODERN], ids=[r[0] for r in MODERN]
)
def test_modern_posts(
    mock: Served, body: Any, headers: dict[str, str | None], status: int, code: int | None
) -> None:
    """Each gets the status and the error code that fit."""
    reply = mock.post(body, **headers)
    assert (reply.status, reply.json["error"]["code"] if code else None) == (status, code)


def test_an_error_answer_carries_the_id_of_its_request(mock: Served) -> None:
    assert mock.post(modern("abc", "ping"), **M, Mcp_Method="ping").json["id"] == "abc"


def test_a_batch_is_answered_where_the_revision_has_them(mock: Served) -> None:
    batch = [
        request(1, "ping"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        call(2, "get_weather"),
    ]
    reply = mock.post(batch, MCP_Protocol_Version="2025-03-26")
    assert [one["id"] for one in reply.json] == [1, 2]


def test_get_opens_a_stream_in_the_legacy_era_only(mock: Served) -> None:
    told = {"Accept": "text/event-stream"}
    assert mock.send("GET", None, told | {"MCP-Protocol-Version": "2025-11-25"}).status == 200
    assert mock.send("GET", None, told | {"MCP-Protocol-Version": "2026-07-28"}).status == 405
    assert mock.send("GET", None, {"Accept": "application/json"}).status == 406


def test_other_methods_are_refused_with_what_is_allowed(mock: Served) -> None:
    reply = mock.send("PUT", b"")
    assert (reply.status, reply.headers["allow"]) == (405, "GET, POST, DELETE")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_statuses_are_those_of_the_reference(mock: Served, vector: dict[str, Any]) -> None:
    """The recorded requests get the recorded status."""
    version = "1999-01-01" if vector["name"].startswith("bad") else "2025-06-18"
    headers: dict[str, str | None] = {"MCP-Protocol-Version": version}
    if vector["name"] == "accept json only":
        headers["Accept"] = "application/json"
    reply = mock.send(vector["method"], LIST if vector["method"] == "POST" else None, headers)
    assert reply.status == vector["status"]
    assert f"http {vector['name']}" not in differences("mock")


def test_sse_answers_every_request_as_a_stream() -> None:
    with serving(WEATHER, "--sse") as served:
        reply = served.post(call(5, "get_weather", {"city": "Seoul"}))
    assert reply.headers["content-type"] == "text/event-stream"
    assert reply.json["result"]["content"][0]["text"] == '{"tempC":21}'


def test_sessions_are_handed_out_and_insisted_on(kept: Served) -> None:
    session = kept.post(INIT).headers["mcp-session-id"]
    assert kept.post(LIST, **V).status == 400
    assert kept.post(LIST, **V, Mcp_Session_Id="nope").status == 404
    assert kept.post(LIST, **V, Mcp_Session_Id=session).status == 200
    assert kept.post(INIT, **V, Mcp_Session_Id=session).status == 400
    assert kept.send("DELETE", None, {"Mcp-Session-Id": session}).status == 200
    assert kept.post(LIST, **V, Mcp_Session_Id=session).status == 404


def test_a_modern_request_needs_no_session(kept: Served) -> None:
    reply = kept.post(modern(2, "tools/list"), **M, Mcp_Method="tools/list")
    assert (reply.status, reply.headers.get("mcp-session-id")) == (200, None)


def test_64_clients_at_once_get_their_own_answers(mock: Served) -> None:
    with ThreadPoolExecutor(64) as pool:
        replies = list(
            pool.map(lambda n: mock.post(call(n, "get_weather", {"city": "Seoul"})).json, range(256))
        )
    assert [one["id"] for one in replies] == list(range(256))


def test_sigterm_ends_it_cleanly_even_with_an_open_stream() -> None:
    with serving(WEATHER) as served:
        served.send("GET", None, {"Accept": "text/event-stream"})
        served.process.send_signal(signal.SIGTERM)
        assert served.process.wait(timeout=20) == 0
        assert served.process.stderr is not None
        assert served.process.stderr.read() == b""


def test_a_pinned_modern_server_names_its_versions_to_initialize() -> None:
    with serving(WEATHER, "--protocol", "modern") as served:
        reply = served.post(INIT)
    assert (reply.status, reply.json["error"]["data"]["supported"]) == (400, ["2026-07-28"])


def test_a_pinned_legacy_server_knows_no_modern_method() -> None:
    with serving(WEATHER, "--protocol", "legacy") as served:
        reply = served.post(DISCOVER, Mcp_Method="server/discover")
    assert reply.json["error"]["code"] == -32601


HEADED = {
    "tools": [
        {
            "name": "t",
            "inputSchema": {
                "type": "object",
                "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
            },
        }
    ],
    "responses": [{"tool": "t", "result": 1}],
}
SENT = [
    ("", "", 400),
    ("eu", "eu", 200),
    ("eu", "us", 400),
    ("=?base64?ZXU=?=", "eu", 200),
    ("=?base64?ZX!=?=", "eu", 400),
]


@pytest.mark.parametrize(("header", "value", "status"), SENT)
def test_an_argument_header_must_say_what_the_argument_says(header: str, value: str, status: int) -> None:
    told = {"Mcp_Method": "tools/call", "Mcp_Name": "t"} | ({"Mcp_Param_Region": header} if header else {})
    with serving(HEADED) as served:
        body = modern(1, "tools/call", name="t", arguments={"region": value})
        assert served.post(body, **M, **told).status == status
