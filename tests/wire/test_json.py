"""JSON beyond msgspec: what is read exactly, what is refused and where, what is written and how."""

import json
import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.wire.json import JsonError, dumps_line, parse, raw_fields
from mcpeak.wire.reader import decode
from mcpeak.wire.records import CaseFinished, Notice, SuiteRecord
from mcpeak.wire.scan import build

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec=None))
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec=None)), inner),
    max_leaves=20,
)


def same(a, b):
    return type(a) is type(b) and json.dumps(a) == json.dumps(b)


@given(VALUES)
def test_what_is_written_is_read_back_exactly(value):
    assert same(parse(dumps_line(value)), value)


@given(VALUES)
def test_the_careful_reader_agrees_with_the_standard_library(value):
    for text in (json.dumps(value), json.dumps(value, indent=1, ensure_ascii=False)):
        assert same(build(text), json.loads(text))


@given(st.text('[]{}":,\\u0d8e+-.tfn 1\n'))
def test_the_careful_reader_refuses_what_the_standard_library_refuses(text):
    try:
        expected = json.loads(text, parse_constant=lambda _: 1 / 0)
    except (ValueError, ZeroDivisionError):
        with pytest.raises(JsonError):
            build(text)
    else:
        assert same(build(text, infinite=True), expected)


@pytest.mark.parametrize("depth", [500, 2_000, 200_000])
def test_any_depth_is_read_and_written(depth):
    text = b"[" * depth + b"]" * depth
    assert dumps_line(parse(text)) == text


def test_integers_keep_every_digit():
    digits = "123456789012345678901234567890"
    assert parse(f"[{digits},-{digits}]".encode()) == [int(digits), -int(digits)]


def test_lone_surrogates_survive_and_pairs_join():
    assert parse(rb'["\ud800","\udc00\ud800","\ud83d\ude00","\ud83d\ud83d\ude00"]') == [
        "\ud800",
        "\udc00\ud800",
        "\U0001f600",
        "\ud83d\U0001f600",
    ]


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        (b"", "end", 1, 1),
        (b"{", "end", 1, 2),
        (b'{"a"', "end", 1, 5),
        (b'"abc', "end", 1, 5),
        (b'"abc\\', "end", 1, 5),
        (b"[1,\n 2,]", "unexpected", 2, 4),
        (b"{\n'a':1}", "unexpected", 2, 1),
        (b"[1] x", "trailing", 1, 5),
        (b"1 1", "trailing", 1, 3),
        (b"01", "trailing", 1, 2),
        (b'["\xed\x95\x9c", nul]', "unexpected", 1, 7),
        (b'"a\tb"', "string", 1, 3),
        (b'"a\\x"', "string", 1, 3),
        (b"[NaN]", "constant", 1, 2),
        (b"[-Infinity]", "constant", 1, 2),
        (b"[0,1e999]", "range", 1, 4),
        (b"1" * 5000, "range", 1, 1),
        (b'\n"\xff"', "encoding", 2, 2),
        (b"\xef\xbb\xbf1", "unexpected", 1, 1),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(data, code, line, column):
    with pytest.raises(JsonError) as refused:
        parse(data)
    assert (refused.value.code, refused.value.line, refused.value.column) == (code, line, column)


def test_infinity_is_a_value_only_when_asked_for():
    assert build("[1e999,-1e999]", infinite=True) == [math.inf, -math.inf]
    assert build("1" * 400, infinite=True) == math.inf
    assert build("1" * 400) == int("1" * 400)


def case_finished():
    result = {
        "spec": {"id": "c", "n": 2**80, "x": "\ud800"},
        "status": "passed",
        "operation": {"status": "completed", "timeoutMs": 5},
        "assertions": [{"spec": {"type": "isError", "expected": False}, "status": "passed"}],
        "rejectionBasis": "notApplicable",
    }
    return {"type": "caseFinished", "run": 0, "index": 0, "elapsedMs": 1.5, "result": result}


def test_a_record_with_a_lone_surrogate_in_user_json_is_read():
    record = decode(dumps_line(case_finished() | {"answer": {"size": 3, "json": ["\ud800"]}}))
    assert isinstance(record, CaseFinished)
    assert parse(bytes(record.result.spec)) == case_finished()["result"]["spec"]
    assert bytes(record.answer.json) == b'["\\ud800"]'


def test_a_record_is_written_as_msgspec_would():
    record = msgspec.convert(
        raw_fields(case_finished() | {"result": case_finished()["result"]}), CaseFinished
    )
    assert parse(dumps_line(record)) == parse(msgspec.json.encode(record))
    assert list(parse(dumps_line(record))) == list(parse(msgspec.json.encode(record)))


def test_raw_text_keeps_its_numbers_and_becomes_one_ascii_line():
    record = SuiteRecord(
        source="s", suite=msgspec.Raw('{"a":\n1.0,"é":"😀"}'.encode()), fingerprint="", approval="absent"
    )
    line = dumps_line(record)
    assert b'"suite":{"a": 1.0,"\\u00e9":"\\ud83d\\ude00"}' in line
    assert b"\n" not in line


def test_a_surrogate_in_our_own_text_is_written():
    assert parse(dumps_line(Notice(severity="info", code="X", message="\udfff")))["message"] == "\udfff"


def test_a_deep_record_is_read():
    deep = b"[" * 5_000 + b"]" * 5_000
    line = b'{"type":"suite","source":"s","fingerprint":"f","approval":"absent","suite":' + deep + b"}"
    assert bytes(decode(line).suite) == deep


@pytest.mark.parametrize("value", [object(), {None: 1}, {"a": {(1,): 2}}])
def test_a_value_without_a_json_form_is_a_type_error(value):
    with pytest.raises(TypeError):
        dumps_line(value)
