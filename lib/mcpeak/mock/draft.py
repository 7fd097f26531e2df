"""A draft of a definition from what was seen: a mock's own log, a server's tools, a suite's runs.

Rule of this file: pure; records in, a definition out. What nobody answered gets `"result": null`.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from mcpeak.mock.matching import key
from mcpeak.mock.stringify import encode, stringify
from mcpeak.wire.json import JsonError, parse
from mcpeak.wire.records import CaseFinished

Response = dict[str, Any]


def from_log(records: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Draft a definition from a log's records: the tools of its mocks, and every call that was made.

    An answer that came from a response is kept; a call that had none gets `"result": null`.
    """
    tools: dict[str, Any] = {}
    asked: dict[tuple[Any, bytes], tuple[Any, Any]] = {}
    responses: list[Response] = []
    for record in records:
        kind, message, process = record.get("type"), record.get("message"), record.get("process")
        if kind == "mockStarted":
            tools.update({tool["name"]: tool for tool in record.get("tools", [])})
        elif not isinstance(message, dict):
            continue
        elif kind == "mockHeard" and message.get("method") == "tools/call":
            params = message.get("params") or {}
            asked[process, encode(message.get("id"))] = params.get("name"), params.get("arguments") or {}
        elif kind == "mockWrote" and (process, encode(message.get("id"))) in asked:
            name, arguments = asked.pop((process, encode(message.get("id"))))
            if name not in tools and isinstance(name, str):
                tools[name] = {"name": name, "inputSchema": {"type": "object"}}
            responses.append({"tool": name, "args": arguments} | answer_of(message))
    return definition(list(tools.values()), [one for one in responses if one["tool"] in tools])


def from_tools(tools: list[dict[str, Any]], runs: Iterable[CaseFinished]) -> dict[str, Any]:
    """Draft a definition from a server's tools, its responses from a suite's runs."""
    names = {tool["name"] for tool in tools}
    responses = [found for case in runs if (found := _of_case(case)) is not None and found["tool"] in names]
    return definition(tools, responses)


def definition(tools: list[dict[str, Any]], responses: list[Response]) -> dict[str, Any]:
    """Put a definition together; of calls with equal arguments the last answer stays."""
    kept = {(one["tool"], key(one["args"])): one for one in responses}
    return {"tools": tools, "responses": list(kept.values())}


def answer_of(message: dict[str, Any]) -> Response:
    """Turn a JSON-RPC answer into the keys of a response."""
    if "error" in message:
        unknown = message["error"].get("code") == -32602  # noqa: PLR2004 - invalid params: nothing to repeat
        return {"result": None} if unknown else {"error": message["error"]}
    result = message.get("result")
    return result_of(result) if isinstance(result, dict) else {"result": None}


def result_of(result: dict[str, Any]) -> Response:
    """Turn a tools/call result into the keys of a response: `result` where that gives the same."""
    content = result.get("content")
    failed = {"isError": True} if result.get("isError") is True else {}
    text = _only_text(content)
    if text is not None and text.startswith("→ '") and failed:
        return {"result": None}  # a mock's own miss
    structured = {"structuredContent": result["structuredContent"]} if "structuredContent" in result else {}
    if text is not None:
        try:
            value = parse(text.encode("utf-8", "surrogatepass"))
        except JsonError:
            return {"content": content} | structured | failed
        if stringify(value) == text:
            return {"result": value} | structured | failed
    return {"content": content if isinstance(content, list) else []} | structured | failed


def _only_text(content: object) -> str | None:
    if not isinstance(content, list) or len(content) != 1 or not isinstance(content[0], dict):
        return None
    block = content[0]
    plain = set(block) == {"type", "text"} and block["type"] == "text" and isinstance(block["text"], str)
    return block["text"] if plain else None


def _of_case(case: CaseFinished) -> Response | None:
    """Give the response that a case's answer is, if it called a tool and its whole answer is known."""
    answer = UNSET if case.answer is None else case.answer.json
    if isinstance(answer, UnsetType):
        return None
    operation = parse(bytes(case.result.spec)).get("operation", {})
    if operation.get("type") != "callTool":
        return None
    told = parse(bytes(answer))
    if not isinstance(told, dict):
        return None
    response = answer_of(told) if "error" in told else result_of(told)
    return {"tool": operation["tool"], "args": operation.get("input", {})} | response


def pretty(value: dict[str, Any]) -> bytes:
    """Lay a definition out for people."""
    return msgspec.json.format(encode(value), indent=2) + b"\n"
