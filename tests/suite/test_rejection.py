import json

import pytest

from mcpeak.suite.rejection import NOT_APPLICABLE, Rejection, refuses, rejection
from support.programs import DATA

VECTORS = json.loads((DATA / "vectors" / "report.json").read_text())["vectors"]

REFUSALS = [
    "MCP error -32602: Input validation error: Invalid arguments for tool get-sum",
    '[{"code": "invalid_type", "expected": "string", "received": "undefined", "path": ["city"]}]',
    "Input validation error: 'city' is a required property",
    "Error executing tool add: 2 validation errors for addArguments\na\n  Field required [type=missing]",
    "1 validation error for call[add]\nb\n  Missing required argument [type=missing_argument]",
    "failed to deserialize parameters: missing field `city`",
    'invalid params: validating "arguments": validating root: required: missing properties: ["city"]',
    'required argument "city" not found',
    "The arguments dictionary is missing a value for the required parameter 'city'.",
    "data must have required property 'city'",
    "1.5 is not of type 'integer'",
    "Invalid enum value. Expected 'a' | 'b', received '__mcpeak_invalid_enum__'",
    "Error: Missing arguments",
    "count must be a positive integer",
    "'get_weather': the arguments do not match the tool's inputSchema\ncity: required, but missing",
    "city is required",
    "필수 항목 city 가 없습니다",
]

BREAKS = [
    "TypeError: Cannot read properties of undefined (reading 'length')",
    "Traceback (most recent call last):\n  File \"s.py\", line 3\nKeyError: 'city'",
    "'NoneType' object has no attribute 'get'",
    "something failed",
    "Internal error",
    "thread 'main' panicked at src/main.rs:3",
    "ENOENT: no such file or directory, open 'example'",
    "Unknown tool: x",
    "",
]


@pytest.mark.parametrize("text", REFUSALS)
def test_knows_the_refusals_of_sdks_and_validators(text: str) -> None:
    assert refuses(text)


@pytest.mark.parametrize("text", BREAKS)
def test_takes_no_crash_for_a_refusal(text: str) -> None:
    assert not refuses(text)


def test_a_case_that_expects_no_error_has_no_basis() -> None:
    assert rejection(False, {"content": []}, None) == NOT_APPLICABLE


def test_invalid_params_are_a_refusal_whatever_their_words() -> None:
    assert rejection(True, None, {"code": -32602, "message": "c"}) == Rejection("verified")


def test_an_unknown_tool_is_no_refusal_of_the_input() -> None:
    assert rejection(True, None, {"code": -32602, "message": "Unknown tool: t"}) == Rejection("unverified")


def test_an_unverified_answer_shows_its_only_text() -> None:
    result = {"isError": True, "content": [{"type": "text", "text": "something failed"}]}
    assert rejection(True, result, None) == Rejection("unverified", "something failed")


def test_a_success_is_never_a_refusal() -> None:
    result = {"content": [{"type": "text", "text": "city is required"}]}
    assert rejection(True, result, None) == Rejection("unverified", "city is required")


def test_two_texts_are_no_body() -> None:
    block = {"type": "text", "text": "city is required"}
    assert rejection(True, {"isError": True, "content": [block, block]}, None) == Rejection("unverified")


def test_an_answer_of_the_wrong_shape_is_unverified() -> None:
    assert rejection(True, {"content": "text"}, None) == Rejection("unverified")


def test_nothing_at_all_is_unverified() -> None:
    assert rejection(True, None, None) == Rejection("unverified")


def test_the_vectors_know_no_other_basis() -> None:
    bases = {
        case["rejectionBasis"]
        for vector in VECTORS
        if isinstance(vector["report"], dict)
        for case in vector["report"]["cases"]
    }
    assert bases == {"notApplicable", "unverified"}
