"""Server-sent events from bytes: every line end, every cut, and what is no message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.link.sse import EventStream, Message, TooLarge

ENDS = [b"\n", b"\r\n", b"\r"]


def read(*chunks: bytes) -> list[Message]:
    stream = EventStream()
    return [message for chunk in chunks for message in stream.feed(chunk)]


@pytest.mark.parametrize("end", ENDS)
def test_every_line_end_ends_a_line(end: bytes) -> None:
    assert read(end.join([b"event: x", b"data: 1", b"", b""])) == [Message("x", b"1")]


def test_event_type_is_message_unless_named_and_does_not_stick() -> None:
    assert read(b"event: x\ndata: 1\n\ndata: 2\n\n") == [Message("x", b"1"), Message("message", b"2")]


def test_data_lines_are_joined() -> None:
    assert read(b"data: a\ndata:b\ndata\n\n") == [Message("message", b"a\nb\n")]


def test_only_one_space_is_taken_away() -> None:
    assert read(b"data:  a \n\n") == [Message("message", b" a ")]


def test_comments_and_unknown_fields_are_nothing() -> None:
    assert read(b": hello\nfoo: bar\n:\ndata: 1\n\n") == [Message("message", b"1")]


def test_priming_event_is_no_message_but_its_id_counts() -> None:
    stream = EventStream()
    assert stream.feed(b"id: 7\nretry: 500\ndata:\n\n") == []
    assert (stream.last_id, stream.retry) == ("7", 500)


def test_id_counts_only_once_its_event_is_complete() -> None:
    stream = EventStream()
    stream.feed(b"id: 1\ndata: a\n\nid: 2\ndata: b\n")
    assert (stream.last_id, stream.within) == ("1", True)


def test_id_stays_until_another_comes() -> None:
    stream = EventStream("before")
    assert stream.last_id == "before"
    stream.feed(b"data: a\n\n")
    assert stream.last_id == "before"
    stream.feed(b"id\ndata: b\n\n")
    assert stream.last_id == ""


@pytest.mark.parametrize("line", [b"id: a\0b\n", b"retry: 1.5\n", b"retry: -1\n", b"retry:\n"])
def test_senseless_ids_and_times_are_ignored(line: bytes) -> None:
    stream = EventStream()
    stream.feed(line + b"data: a\n\n")
    assert (stream.last_id, stream.retry) == (None, None)


def test_byte_order_mark_at_the_start_is_nothing() -> None:
    assert read(b"\xef\xbb", b"\xbfdata: 1\n\n") == [Message("message", b"1")]


def test_event_that_the_end_cuts_is_none() -> None:
    assert read(b"data: 1\n\ndata: 2\n") == [Message("message", b"1")]


def test_event_beyond_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpeak.link.sse.LIMIT", 10)
    stream = EventStream()
    stream.feed(b"data: 12345\n\n")
    stream.feed(b"data: 123")
    with pytest.raises(TooLarge):
        stream.feed(b"4567890")


def test_event_in_pieces_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpeak.link.sse.LIMIT", 16)
    assert read(b"data: 1", b"23456789", b"0\n", b"\n") == [Message("message", b"1234567890")]


def test_many_small_events_never_reach_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpeak.link.sse.LIMIT", 10)
    stream = EventStream()
    for _ in range(20):
        assert stream.feed(b"data: 1\n\n")


lines = st.sampled_from(
    [b"data: a", b"data: \xed\x95\x9c", b"data", b"event: x", b"id: 1", b": c", b"", b"", b"retry: 5"]
)
streams = st.lists(st.tuples(lines, st.sampled_from(ENDS))).map(
    lambda parts: b"".join(line + end for line, end in parts)
)


@given(streams, st.lists(st.integers(1, 5)))
def test_where_it_is_cut_does_not_matter(data: bytes, sizes: list[int]) -> None:
    chunks, place = [], 0
    for size in sizes:
        chunks.append(data[place : place + size])
        place += size
    chunks.append(data[place:])
    assert read(*chunks) == read(data)


@given(streams)
def test_byte_by_byte_is_the_same(data: bytes) -> None:
    assert read(*(data[i : i + 1] for i in range(len(data)))) == read(data)
