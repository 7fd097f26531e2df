"""The reading end keeps a cut stream from looking green, and touches nothing that it does not know."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.wire.reader import BadLine, CutStream, decode, read
from mcpeak.wire.records import Issue, Notice, Unknown
from mcpeak.wire.writer import Writer, encode

BEGIN = b'{"type":"begin","stage":"validate","stream":1}\n'
END = b'{"type":"end","stage":"validate","counts":{}}\n'
NOTICE = b'{"type":"notice","severity":"info","code":"X","message":"m"}\n'


def names(*lines: bytes) -> list[str]:
    return [type(record).__name__ for record, _ in read(lines)]


def test_begin_and_end_are_taken_away():
    assert names(BEGIN, NOTICE, END) == ["Notice"]


def test_a_hand_made_stream_may_leave_begin_out():
    assert names(NOTICE, END) == ["Notice"]


def test_concatenated_streams_are_one():
    assert names(BEGIN, NOTICE, END, BEGIN, NOTICE, END) == ["Notice", "Notice"]


def test_blank_lines_are_nothing():
    assert names(BEGIN, b"\n", b"  \r\n", NOTICE, END) == ["Notice"]


def test_a_last_line_without_newline_counts():
    assert names(BEGIN, NOTICE, END.rstrip()) == ["Notice"]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([], "empty"),
        ([b"\n"], "empty"),
        ([BEGIN], "end"),
        ([BEGIN, NOTICE], "end"),
        ([NOTICE], "end"),
        ([BEGIN, END, NOTICE], "end"),
        ([BEGIN, BEGIN, END], "begin"),
        ([NOTICE, BEGIN, END], "begin"),
        ([b'{"type":"begin","stage":"run","stream":2}', END], "version"),
        ([BEGIN, b'{"type":"end","stage":"validate","counts":{"suites":1}}'], "counts"),
    ],
)
def test_a_cut_stream_is_named(lines: list[bytes], reason: str):
    with pytest.raises(CutStream) as cut:
        list(read(lines))
    assert cut.value.reason == reason


def test_records_before_the_cut_are_given_first():
    stream = read([BEGIN, NOTICE])
    assert next(stream)[1] == NOTICE
    with pytest.raises(CutStream):
        next(stream)


@pytest.mark.parametrize(
    "line", [b"nonsense", b"[]", b"{}", b'{"type":1}', b'{"type":"notice"}', b"\xff\xfe", b'{"type":"x"']
)
def test_a_line_that_is_no_record_is_named_by_its_number(line: bytes):
    with pytest.raises(BadLine) as bad:
        list(read([BEGIN, line, END]))
    assert bad.value.number == 2


def test_an_unknown_record_keeps_its_bytes():
    line = b'{ "type" : "novelty", "n": 1.0 }\n'
    assert list(read([line, END])) == [(Unknown("novelty"), line)]


def test_an_unknown_field_is_no_obstacle():
    record = decode(b'{"type":"notice","severity":"info","code":"X","message":"m","new":{"a":1}}')
    assert isinstance(record, Notice)


def test_a_lone_surrogate_survives():
    record = decode(b'{"type":"notice","severity":"info","code":"X","message":"\\ud800"}')
    assert isinstance(record, Notice)
    assert record.message == "\ud800"


def test_a_number_beyond_64_bits_survives():
    text = b'{"type":"tool","server":{"target":"x"},"tool":{"n":123456789012345678901234567890}}'
    record = decode(text)
    assert b"123456789012345678901234567890" in encode(record)


def test_nesting_beyond_msgspec_survives():
    deep = b"[" * 3000 + b"]" * 3000
    record = decode(b'{"type":"tool","server":{"target":"x"},"tool":' + deep + b"}")
    assert deep in encode(record).replace(b" ", b"")


@given(st.text(), st.text(), st.integers(min_value=1, max_value=2**31))
def test_what_is_written_is_read(message: str, path: str, line: int):
    issue = Issue(source="s", code="C", path=path, message=message, hint="h", line=line, column=1)
    written: list[bytes] = []
    writer = Writer("validate", written.append)
    writer.write(issue)
    writer.end()
    lines = b"".join(written).splitlines(keepends=True)
    assert [record for record, _ in read(lines)] == [issue]
