"""From an outcome to a verdict, without any server."""

import json

import msgspec
import pytest
from msgspec import Raw

from mcpeak.command.redact import Redactor
from mcpeak.link.child import Ended
from mcpeak.link.client import Died, Halt, TooLong
from mcpeak.protocol.events import Answer, Problem, RpcError, Unreadable
from mcpeak.run.assertions import Listed
from mcpeak.run.cases import read_case
from mcpeak.run.judge import Judge, Verdict
from support.running import case

WANTED = {"type": "isError", "expected": True}
OBJECT = {"type": "object"}


def judged(value, outcome, *secrets) -> Verdict:
    raw = Raw(json.dumps(value).encode())
    return Judge(Redactor(secrets)).case(read_case(raw), raw, outcome, 500, "last words")


def answer(result):
    data = result if isinstance(result, bytes) else json.dumps(result).encode()
    return Answer(1, Raw(data))


def shown(part):
    return json.loads(msgspec.json.encode(part))


def text(words, **more):
    return {"content": [{"type": "text", "text": words}]} | more


def codes(verdict):
    return [part.diagnostic.code if part.diagnostic else None for part in verdict.result.assertions]


@pytest.mark.parametrize("flag", [{}, {"isError": False}, {"isError": None}])
def test_a_result_without_an_error_is_a_success(flag):
    assert judged(case("a", "t"), answer(text("x", **flag))).result.status == "passed"


def test_is_error_is_compared_with_what_the_case_expects():
    assert codes(judged(case("a", "t"), answer(text("x", isError=True)))) == ["IS_ERROR_MISMATCH"]
    assert codes(judged(case("a", "t", WANTED), answer(text("x")))) == ["IS_ERROR_MISMATCH"]


def test_an_expected_error_has_a_rejection_basis():
    result = judged(case("a", "t", WANTED), answer(text("fine"))).result
    assert (result.rejection_basis, result.rejection_body) == ("unverified", "fine")


def test_a_body_is_compared_as_json_where_it_is_json():
    body = {"type": "bodyMatchesSchema", "schema": OBJECT | {"required": ["a"]}}
    assert judged(case("a", "t", body), answer(text('{"a":1}'))).result.status == "passed"
    (part,) = judged(case("a", "t", body), answer(text('{"b":1}'))).result.assertions
    (violation,) = shown(part.diagnostic)["violations"]
    assert (violation["code"], violation["path"]) == ("REQUIRED_MISSING", "$.a")


@pytest.mark.parametrize(
    ("content", "actual"),
    [
        ([], 0),
        ([{"type": "text", "text": "a"}] * 2, 2),
        ([{"type": "image"}], "image"),
        ([{"type": "text"}], "undefined"),
    ],
)
def test_a_body_needs_exactly_one_text_block(content, actual):
    body = {"type": "bodyMatchesSchema", "schema": OBJECT}
    (part,) = judged(case("a", "t", body), answer({"content": content})).result.assertions
    assert (part.diagnostic.code, part.diagnostic.actual) == ("BODY_EXTRACTION_FAILED", actual)


def test_structured_content_is_all_that_its_assertion_looks_at():
    structured = {"type": "structuredContentMatchesSchema", "schema": OBJECT}
    assert codes(judged(case("a", "t", structured), answer(text("{}")))) == ["STRUCTURED_CONTENT_MISSING"]
    assert judged(case("a", "t", structured), answer({"structuredContent": {}})).result.status == "passed"
    assert codes(judged(case("a", "t", structured), answer({"structuredContent": None}))) == [
        "STRUCTURED_CONTENT_SCHEMA_MISMATCH"
    ]


def test_a_refusal_without_structured_content_is_not_blamed_on_the_missing_content():
    structured = {"type": "structuredContentMatchesSchema", "schema": OBJECT}
    refusal = answer(text("no such sheet") | {"isError": True})
    (part,) = judged(case("a", "t", structured), refusal).result.assertions
    assert part.diagnostic.code == "STRUCTURED_CONTENT_MISSING"
    assert "why the tool refused" in part.diagnostic.hint


def test_a_violation_does_not_show_what_stands_under_a_secret_key():
    schema = OBJECT | {"properties": {"apiKey": OBJECT | {"properties": {"v": {"type": "integer"}}}}}
    structured = {"type": "structuredContentMatchesSchema", "schema": schema}
    (part,) = judged(
        case("a", "t", structured), answer({"structuredContent": {"apiKey": {"v": "k"}}})
    ).result.assertions
    assert part.diagnostic.violations[0].actual == "[REDACTED]"


def test_a_missing_tool_names_the_nearest_one():
    listed = Listed(["get_weather", "add"], [], Raw(b"{}"))
    exists = {"type": "toolExists", "tool": "get_wether"}
    (part,) = judged(case("a", None, exists), listed).result.assertions
    assert part.diagnostic.code == "TOOL_NOT_FOUND"
    assert "get_weather" in part.diagnostic.message


def test_a_protocol_error_fails_a_case_that_expects_success():
    result = judged(case("a", "t"), Answer(1, None, RpcError(-32602, "bad", Raw(b'{"x":1}')))).result
    assert result.operation.diagnostic.actual == {"code": -32602, "message": "bad", "data": {"x": 1}}
    assert [part.status for part in result.assertions] == ["skipped"]


def test_a_protocol_error_is_the_rejection_where_every_assertion_wants_one():
    verdict = judged(case("a", "t", WANTED), Answer(1, None, RpcError(-32602, "bad")))
    assert verdict.result.status == "passed"
    assert verdict.refused.code == -32602


def test_a_protocol_error_has_no_body_to_compare():
    body = {"type": "bodyMatchesSchema", "schema": OBJECT}
    verdict = judged(case("a", "t", WANTED, body), Answer(1, None, RpcError(-32602, "bad")))
    assert [part.status for part in verdict.result.assertions] == ["passed", "failed"]


def test_contradictory_assertions_make_a_protocol_error_a_failure():
    both = judged(
        case("a", "t", WANTED, {"type": "isError", "expected": False}), Answer(1, None, RpcError(1, "bad"))
    )
    assert both.result.operation.status == "failed"


@pytest.mark.parametrize(
    ("outcome", "status", "code"),
    [
        (Halt.TIMED_OUT, "timedOut", "CASE_TIMEOUT"),
        (Halt.INTERRUPTED, "cancelled", "RUN_CANCELLED"),
        (Died("exited", Ended(3, None)), "failed", "SERVER_EXITED"),
        (Died("stdout"), "failed", "SERVER_EXITED"),
        (Unreadable(b'{"id":1', 1, "cut", 7), "failed", "OPERATION_FAILED"),
        (TooLong(b'{"id":1', 70_000_000, 1), "failed", "OPERATION_FAILED"),
        (
            Answer(1, Raw(b"{}"), None, Problem("RESULT_TYPE_UNKNOWN", {"kind": "x"})),
            "failed",
            "OPERATION_FAILED",
        ),
        (answer(b"[1]"), "failed", "OPERATION_FAILED"),
        (answer(b'{"content":"x"}'), "failed", "OPERATION_FAILED"),
    ],
)
def test_what_is_no_judgeable_answer_is_the_operations_failure(outcome, status, code):
    result = judged(case("a", "t"), outcome).result
    assert (result.status, result.operation.status, result.operation.diagnostic.code) == (
        status,
        status,
        code,
    )
    assert result.operation.timeout_ms == 500
    assert [part.status for part in result.assertions] == ["skipped"]


def test_a_result_that_msgspec_refuses_is_still_read():
    assert (
        judged(case("a", "t"), answer(b'{"content":[{"type":"text","text":"\\ud800"}]}')).result.status
        == "passed"
    )


def test_the_answer_is_shown_and_its_digest_taken():
    verdict = judged(case("a", "t"), answer(text("x")))
    assert json.loads(bytes(verdict.answer.json)) == text("x")
    assert len(verdict.digest) == 64


def test_a_secret_is_out_of_spec_answer_and_notes():
    value = case("a", "t", input={"token": "s3cr3t", "n": 1})
    verdict = judged(value, answer(text("my-secret-value", isError=True)), "my-secret-value")
    written = msgspec.json.encode((verdict.result, verdict.answer)).decode()
    assert "s3cr3t" not in written
    assert "my-secret-value" not in written


def test_a_case_without_a_turn_tells_why():
    raw = Raw(json.dumps(case("a", "t")).encode())
    judge = Judge(Redactor())
    assert judge.not_run(read_case(raw), raw).operation.status == "notRun"
    assert judge.not_run(read_case(raw), raw, "cancelled").operation.diagnostic.code == "RUN_CANCELLED"
