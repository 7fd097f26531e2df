"""Whatever the bytes: a suite, or issues that have a place, a sentence and a remedy. Never an exception."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpeak.suite.read import ReadSuite, read_suite
from mcpeak.wire.json import parse
from mcpeak.wire.records import SuiteRecord
from mcpeak.wire.writer import encode
from support.programs import DATA

VECTORS = json.loads((DATA / "vectors/validation.json").read_text("utf-8"))["suites"]
SEEDS = [
    *(v["suiteText"].encode("utf-8", "surrogatepass") for v in VECTORS if len(v["suiteText"]) < 3000),
    (DATA / "cases/validate-many-files/good.json").read_bytes(),
]
LETTERS = [bytes([letter]) for letter in b"{}[],:\"\\-0'/\n\r\x00\xff"]
WORDS = b"NaN null 1e999 1.0 9007199254740993 \\u \\ud800 \\u0061 /**/ \xef\xbb\xbf".split()
KEYS = [b'"cases"', b'"assertions"', b'"\\u0061ssertions":[1]', "한".encode(), "😀".encode(), b""]
PIECES = st.sampled_from(LETTERS + WORDS + KEYS)


@st.composite
def bent(draw):
    """A suite with a few bytes cut out, put in or moved."""
    data = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 12)))
        data = data[:start] + draw(PIECES | st.binary(max_size=3)) + data[end:]
    return data


def sound(data, read):
    if isinstance(read, ReadSuite):
        text = data.decode("utf-8-sig")
        lines = text.split("\n")
        for path, (line, column) in read.positions.items():
            assert path.startswith("cases[")
            assert lines[line - 1][column - 1] == "{"
        assert sum(len(case["assertions"]) + 1 for case in read.value()["cases"]) == len(read.positions)
        record = read.record()
        assert isinstance(record, SuiteRecord)
        assert b"\n" not in encode(record)
        assert parse(bytes(record.suite)) == parse(text.encode())
        return
    assert read
    for issue in read:
        assert issue.line >= 1
        assert issue.column >= 1
        assert issue.message
        assert issue.hint


@settings(max_examples=500, deadline=None)
@given(bent())
def test_bent_suites_are_read_or_refused_with_reasons(data):
    sound(data, read_suite(data, "s.json"))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_with_reasons(data):
    sound(data, read_suite(data, "s.json"))


@pytest.mark.parametrize(
    "case",
    [
        '{"id":"a","name":"assertions","operation":%s,"assertions":[%s,%s]}',
        '{"id":"\\"assertions\\":[1]","name":"n","operation":%s,"assertions" :\n[ %s , %s ]}',
        '{"id":"a","name":"n","operation":%s,"\\u0061ssertions":[%s,%s]}',
        '{"operation":%s,"id":"a","name":"n","\\u0061ssertions":[\n%s\n,\n%s ]}',
    ],
)
def test_assertions_have_their_places_however_the_word_stands_elsewhere(case):
    call = '{"type":"callTool","tool":"t","input":{"assertions":[1,[2]]}}'
    text = case % (call, '{"type":"isError","expected":true}', '{"type":"isError","expected":false}')
    data = f'{{"schemaVersion":1,"id":"s","name":"n","cases":[{text}]}}'.encode()
    read = read_suite(data, "s.json")
    assert isinstance(read, ReadSuite)
    sound(data, read)
    for number in (0, 1):
        line, column = read.positions[f"cases[0].assertions[{number}]"]
        assert data.decode().split("\n")[line - 1][column - 1 :].startswith('{"type":"isError"')
