"""The HTTP headers of the modern era: what of a message is mirrored, and how it is encoded.

Rule of this file: pure; values in, header texts out. Source: the specification 2026-07-28, "Streamable HTTP",
§ Request Metadata (SEP-2243).
"""

import base64
import re
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw

from mcpeak.protocol.careful import scan, without_lone_surrogates
from mcpeak.protocol.errors import PeerMistake
from mcpeak.protocol.rpc import TROUBLE

KEYWORD = "x-mcp-header"
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+\Z")
_PLAIN = re.compile(r"[\t\x20-\x7e]*\Z")
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_PRIMITIVE = frozenset({"string", "integer", "boolean"})
_DATA = frozenset({"const", "enum", "default", "examples", "example"})
_NAMED_SCHEMAS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})

Paths = dict[str, tuple[str, ...]]
"""Header name after `Mcp-Param-` → the property path whose value it mirrors."""


def encoded(value: str) -> str:
    """Make a header value: as it is where that is safe, else as base64 between sentinels."""
    sentinel = value.startswith("=?base64?") and value.endswith("?=")
    if _PLAIN.match(value) and value == value.strip() and not sentinel:
        return value
    return f"=?base64?{base64.b64encode(value.encode('utf-8', 'replace')).decode()}?="


def standard(version: str, method: str, params: bytes | None) -> dict[str, str]:
    """Give the headers that every request carries, and `Mcp-Name` where the method has one."""
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": method}
    if method in _NAMED:
        value = _loaded(params or b"{}").get(_NAMED[method])
        if isinstance(value, str):
            headers["Mcp-Name"] = encoded(value)
    return headers


def mirrored(paths: Paths, params: bytes | None) -> dict[str, str]:
    """Give the `Mcp-Param-*` headers of one tools/call; absent and null values have none."""
    if not paths:
        return {}
    arguments = _loaded(params or b"{}").get("arguments")
    headers = {}
    for name, path in paths.items():
        value = _at(arguments, path)
        if value is not None:
            headers[f"Mcp-Param-{name}"] = encoded(_text(value))
    return headers


def tool_name(params: bytes | None) -> str:
    """Tell which tool a tools/call names."""
    value = _loaded(params or b"{}").get("name")
    return value if isinstance(value, str) else ""


class Sifted(NamedTuple):
    """A tools/list result without the tools that a client must drop. `dropped`: name → why (a label)."""

    result: Raw
    paths: dict[str, Paths]
    dropped: dict[str, str]


def sift(result: Raw) -> Sifted:
    """Read the annotations of a tools/list result; tools stay byte for byte, invalid ones go."""
    if KEYWORD.encode() not in bytes(result):
        return Sifted(result, {}, {})
    members = scan(bytes(result)).members or {}
    kept: list[bytes] = []
    paths: dict[str, Paths] = {}
    dropped: dict[str, str] = {}
    for raw in scan(members.get("tools", b"0")).elements or []:
        tool = _loaded(raw)
        name = str(tool.get("name"))
        try:
            paths[name] = annotations(tool.get("inputSchema"))
            kept.append(raw)
        except PeerMistake as wrong:
            dropped[name] = wrong.code
    if not dropped:
        return Sifted(result, paths, dropped)
    members["tools"] = b"[%b]" % b",".join(kept)
    body = b",".join(b'"%b":%b' % (key.encode(), value) for key, value in members.items())
    return Sifted(Raw(b"{%b}" % body), paths, dropped)


class _Node(NamedTuple):
    schema: Any
    path: tuple[str, ...]
    reachable: bool


def annotations(schema: Any) -> Paths:
    """Collect the `x-mcp-header` annotations of an input schema.

    Raises:
        PeerMistake: one breaks a rule; its code is a label of the protocol room (`header_…`).
    """
    found: Paths = {}
    waiting = [_Node(schema, (), reachable=True)]
    while waiting:
        node = waiting.pop()
        if isinstance(node.schema, list):
            waiting += [_Node(item, (), reachable=False) for item in node.schema]
        elif isinstance(node.schema, dict):
            if KEYWORD in node.schema:
                _annotate(found, node)
            for key, value in node.schema.items():
                waiting += _below(node, key, value)
    return found


def _annotate(found: Paths, node: _Node) -> None:
    name = node.schema[KEYWORD]
    if not isinstance(name, str) or not _TOKEN.match(name):
        raise PeerMistake("header_token")
    if not node.reachable or not node.path:
        raise PeerMistake("header_place")
    if not _primitive(node.schema.get("type")):
        raise PeerMistake("header_type")
    if name.lower() in {known.lower() for known in found}:
        raise PeerMistake("header_twice")
    found[name] = node.path


def _primitive(kind: Any) -> bool:
    """Tell whether a type can be a header; a value may be null (it has no header then), not only null."""
    kinds = [each for each in (kind if isinstance(kind, list) else [kind]) if each != "null"]
    return bool(kinds) and all(isinstance(each, str) and each in _PRIMITIVE for each in kinds)


def _below(node: _Node, key: str, value: Any) -> list[_Node]:
    if key in _DATA or key == KEYWORD:
        return []
    if key in _NAMED_SCHEMAS and isinstance(value, dict):
        reachable = key == "properties" and node.reachable
        return [_Node(schema, (*node.path, name), reachable) for name, schema in value.items()]
    return [_Node(value, (), reachable=False)]


def _loaded(raw: bytes) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(without_lone_surrogates(raw))
    except TROUBLE:
        return {}
    return value if isinstance(value, dict) else {}


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
