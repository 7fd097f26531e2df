"""The writing end: whole records, counted, and one exception for a reader that went away."""

import os

import pytest

from mcpeak.wire.reader import decode
from mcpeak.wire.records import Begin, Counts, End, Error, Issue, Notice, Unknown
from mcpeak.wire.writer import StdoutClosed, Writer, encode, to_descriptor

ISSUE = Issue(source="s", code="C", path="p", message="m", hint="h")


def lines(written: list[bytes]) -> list[bytes]:
    return b"".join(written).splitlines()


def test_a_stream_begins_and_ends():
    written: list[bytes] = []
    Writer("run", written.append).end()
    first, last = (decode(line) for line in lines(written))
    assert first == Begin(stage="run", stream=1)
    assert last == End(stage="run", counts=Counts(suites=0, runs=0, issues=0, errors=0))


def test_the_end_counts_written_and_forwarded_records():
    written: list[bytes] = []
    writer = Writer("run", written.append)
    writer.write(ISSUE, Error(stage="run", code="C", message="m", hint="h"))
    writer.forward(ISSUE, encode(ISSUE))
    writer.end()
    assert decode(lines(written)[-1]) == End(stage="run", counts=Counts(suites=0, runs=0, issues=2, errors=1))


def test_several_records_leave_in_one_write():
    written: list[bytes] = []
    Writer("run", written.append).write(ISSUE, ISSUE)
    assert len(written) == 2


def test_a_forwarded_line_keeps_its_bytes():
    written: list[bytes] = []
    Writer("run", written.append).forward(Unknown("x"), b'{ "type":"x" }\r\n')
    assert written[-1] == b'{ "type":"x" }\r\n'


def test_whoever_speaks_hears_every_known_record():
    heard: list[object] = []
    writer = Writer("run", lambda _: None, heard.append)
    writer.write(ISSUE)
    writer.forward(ISSUE, encode(ISSUE))
    writer.forward(Unknown("x"), b"{}")
    assert heard == [ISSUE, ISSUE]


def test_a_record_with_a_lone_surrogate_is_written_as_ascii():
    notice = Notice(severity="info", code="C", message="\ud800")
    assert b"\\ud800" in encode(notice)


def test_a_closed_reader_is_told_as_such():
    reading, writing = os.pipe()
    os.close(reading)
    with pytest.raises(StdoutClosed):
        to_descriptor(writing)(b"x")
    os.close(writing)
