"""The headers of the modern era: encodings of the specification's own table, annotations, tools to drop."""

import json
from typing import Any

import pytest
from msgspec import Raw

from mcpeak.protocol.errors import PeerMistake
from mcpeak.protocol.headers import annotations, encoded, mirrored, sift, standard


@pytest.mark.parametrize(
    ("value", "header"),
    [
        ("us-west1", "us-west1"),
        ("", ""),
        ("a b\tc", "a b\tc"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("=?base64?open", "=?base64?open"),
    ],
)
def test_value_is_encoded_as_the_specification_says(value: str, header: str) -> None:
    assert encoded(value) == header


@pytest.mark.parametrize(
    ("method", "params", "name"),
    [
        ("tools/call", {"name": "add", "arguments": {}}, "add"),
        ("prompts/get", {"name": "hi"}, "hi"),
        ("resources/read", {"uri": "file:///a"}, "file:///a"),
        ("tools/list", {"name": "add"}, None),
        ("tools/call", {"name": 7}, None),
    ],
)
def test_name_is_that_of_the_method(method: str, params: dict[str, Any], name: str | None) -> None:
    assert standard("2026-07-28", method, json.dumps(params).encode()).get("Mcp-Name") == name


NESTED = {
    "type": "object",
    "properties": {
        "a": {"type": "object", "properties": {"b": {"type": "string", "x-mcp-header": "Deep"}}},
        "n": {"type": "integer", "x-mcp-header": "N"},
        "on": {"type": ["boolean", "null"], "x-mcp-header": "On"},
        "x-mcp-header": {"type": "string"},
        "note": {"type": "string", "default": {"x-mcp-header": "!"}},
    },
}


def test_annotations_are_found_along_properties() -> None:
    assert annotations(NESTED) == {"Deep": ("a", "b"), "N": ("n",), "On": ("on",)}


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"a": {"b": "x"}, "n": 7, "on": True}, {"Deep": "x", "N": "7", "On": "true"}),
        ({"a": {"b": None}, "n": -7.0, "on": False}, {"N": "-7", "On": "false"}),
        ({"a": "no object"}, {}),
        ({}, {}),
        ({"n": 9007199254740993}, {"N": "9007199254740993"}),
    ],
)
def test_values_are_mirrored_and_absent_ones_are_not(
    arguments: dict[str, Any], headers: dict[str, str]
) -> None:
    params = json.dumps({"name": "t", "arguments": arguments}).encode()
    assert mirrored(annotations(NESTED), params) == {
        f"Mcp-Param-{name}": value for name, value in headers.items()
    }


def at(name: str, schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {name: schema}}


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (at("a", {"type": "string", "x-mcp-header": ""}), "header_token"),
        (at("a", {"type": "string", "x-mcp-header": "a b"}), "header_token"),
        (at("a", {"type": "string", "x-mcp-header": "a\r\nEvil: 1"}), "header_token"),
        (at("a", {"type": "string", "x-mcp-header": "é"}), "header_token"),
        (at("a", {"type": "string", "x-mcp-header": 7}), "header_token"),
        (at("a", {"type": "number", "x-mcp-header": "A"}), "header_type"),
        (at("a", {"type": ["string", "object"], "x-mcp-header": "A"}), "header_type"),
        (at("a", {"x-mcp-header": "A"}), "header_type"),
        (at("a", {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}), "header_place"),
        (at("a", {"anyOf": [{"type": "string", "x-mcp-header": "A"}]}), "header_place"),
        ({"type": "object", "x-mcp-header": "A"}, "header_place"),
        ({"$defs": {"d": at("a", {"type": "string", "x-mcp-header": "A"})}}, "header_place"),
        ({"if": at("a", {"type": "string", "x-mcp-header": "A"})}, "header_place"),
        (
            {
                "properties": {
                    "a": {"type": "string", "x-mcp-header": "A"},
                    "b": {"type": "string", "x-mcp-header": "a"},
                }
            },
            "header_twice",
        ),
    ],
)
def test_annotation_against_the_rules_is_named(schema: Any, why: str) -> None:
    with pytest.raises(PeerMistake) as wrong:
        annotations(schema)
    assert wrong.value.code == why


def test_sifting_keeps_good_tools_byte_for_byte() -> None:
    good = b'{ "name" : "good", "inputSchema": {"type":"object","n":1.0} }'
    bad = json.dumps({"name": "bad", "inputSchema": at("a", {"type": "null", "x-mcp-header": "A"})}).encode()
    sifted = sift(Raw(b'{"resultType":"complete","tools":[%b, %b],"nextCursor":"x"}' % (bad, good)))
    assert bytes(sifted.result) == b'{"resultType":"complete","tools":[%b],"nextCursor":"x"}' % good
    assert sifted.dropped == {"bad": "header_type"}


def test_result_without_annotations_is_not_touched() -> None:
    result = Raw(b'{ "tools": [] }')
    assert sift(result).result is result
