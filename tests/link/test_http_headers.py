"""What the requests carry: versions, sessions, the user's headers, mirrored arguments."""

import json
from typing import Any

from mcpeak.protocol.events import Dropped
from support.http_client import called, client_of, good, headers_of
from support.http_server import HttpServer, Request, serving


def test_modern_headers_repeat_the_message() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        called(client, "더하기")
        (discover,), (call,) = headers_of(server, "server/discover"), headers_of(server, "tools/call")
        assert discover["mcp-protocol-version"] == call["mcp-protocol-version"] == "2026-07-28"
        assert discover["mcp-method"] == "server/discover"
        assert (call["mcp-method"], call["mcp-name"]) == ("tools/call", "=?base64?642U7ZWY6riw?=")
        assert {"application/json", "text/event-stream"} <= {
            part.strip() for part in call["accept"].split(",")
        }


def test_legacy_headers_name_version_and_session() -> None:
    with serving("legacy") as server, client_of(server.url) as client:
        called(client)
        (call,) = headers_of(server, "tools/call")
        assert (call["mcp-protocol-version"], call["mcp-session-id"]) == ("2025-11-25", "session-1")
        assert "mcp-method" not in call
        assert "mcp-protocol-version" not in headers_of(server, "initialize")[0]


def test_older_revisions_get_no_version_header() -> None:
    with serving("legacy", versions=("2025-03-26",)) as server, client_of(server.url) as client:
        called(client)
        assert "mcp-protocol-version" not in headers_of(server, "tools/call")[0]


def test_headers_of_the_user_are_on_every_request() -> None:
    with serving("legacy") as server, client_of(server.url, headers={"Authorization": "Bearer x"}) as client:
        called(client)
        client.close()
        assert all(
            headers["authorization"] == "Bearer x"
            for method in set(server.methods())
            for headers in headers_of(server, method)
        )


def test_session_is_ended_with_delete() -> None:
    with serving("legacy") as server:
        with client_of(server.url):
            pass
        assert server.methods()[-1] == "DELETE"
        assert headers_of(server, "DELETE")[0]["mcp-session-id"] == "session-1"


def test_modern_server_gets_neither_get_nor_delete() -> None:
    with serving("modern") as server:
        with client_of(server.url) as client:
            called(client)
        assert not {"GET", "DELETE"} & set(server.methods())


ANNOTATED = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "n": {"type": "integer", "x-mcp-header": "N"},
    },
}


def annotated(server: HttpServer, schema: dict[str, Any]) -> None:
    tools = [{"name": "add", "inputSchema": schema}, {"name": "plain", "inputSchema": {"type": "object"}}]
    server.script["tools/list"] = lambda request: request.result({"resultType": "complete", "tools": tools})


def test_annotated_arguments_are_mirrored_once_the_list_is_known() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        annotated(server, ANNOTATED)
        client.wait(client.request("tools/list"), 10)
        called(client, "add", b'{"region":" \xec\x84\x9c\xec\x9a\xb8","n":7}')
        called(client, "add", b'{"region":null}')
        first, second = headers_of(server, "tools/call")
        assert (first["mcp-param-region"], first["mcp-param-n"]) == ("=?base64?IOyEnOyauA==?=", "7")
        assert not {"mcp-param-region", "mcp-param-n"} & set(second)


def test_missed_headers_are_learnt_from_the_list_and_the_call_repeated() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        annotated(server, ANNOTATED)

        def strict(request: Request) -> None:
            if "mcp-param-region" in request.headers:
                server.ordinary(request)
            else:
                request.error(-32020, "Header mismatch", 400)

        server.script["tools/call"] = strict
        number = client.call("add", b'{"region":"eu"}')
        outcome = client.wait(number, 10)
        assert (good(outcome), outcome.id) == (True, number)
        assert server.methods() == ["server/discover", "tools/call", "tools/list", "tools/call"]


def test_tool_with_an_invalid_annotation_is_dropped() -> None:
    with serving("modern") as server, client_of(server.url) as client:
        annotated(server, {"type": "object", "properties": {"x": {"type": "number", "x-mcp-header": "X"}}})
        outcome = client.wait(client.request("tools/list"), 10)
        assert [tool["name"] for tool in json.loads(bytes(outcome.result))["tools"]] == ["plain"]
        assert client.heard == [Dropped("add", "header_type")]  # type: ignore[attr-defined] # set by client_of
