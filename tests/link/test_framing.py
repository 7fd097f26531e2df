"""Lines out of a stream, however the pipe cuts it."""

from hypothesis import given
from hypothesis import strategies as st

from mcpeak.link.framing import QUOTED, Lines

lines = st.lists(st.binary(max_size=20).filter(lambda line: b"\n" not in line and line.strip()))


@given(lines, st.data())
def test_the_cuts_of_the_pipe_make_no_difference(whole, data):
    stream = b"".join(line + b"\n" for line in whole)
    framing, found, place = Lines(), [], 0
    while place < len(stream):
        size = data.draw(st.integers(1, 7))
        found += framing.feed(stream[place : place + size])
        place += size
    assert found == whole


def test_blank_lines_are_nothing():
    assert Lines().feed(b"\n\r\n  \na\n\n") == [b"a"]


def test_a_carriage_return_stays_on_its_line():
    assert Lines().feed(b"a\r\n") == [b"a\r"]


def test_a_last_line_without_its_end_is_a_line():
    framing = Lines()
    assert framing.feed(b"a\nb") == [b"a"]
    assert framing.end() == [b"b"]


def test_a_line_at_the_limit_is_read():
    framing = Lines(limit=10)
    assert framing.feed(b"x" * 6) == []
    assert framing.feed(b"x" * 4 + b"\n") == [b"x" * 10]


def test_a_line_beyond_the_limit_is_counted_and_its_beginning_kept():
    framing = Lines(limit=10)
    for part in (b"abcdef", b"ghijkl", b"m" * 100, b"\nnext\n"):
        found = framing.feed(part)
    assert found == [b"next"]
    assert framing.too_long == [(b"abcdef", 112)]


def test_an_endless_line_takes_bounded_memory():
    framing = Lines(limit=1000)
    for _ in range(1000):
        framing.feed(b"x" * 500)
    assert len(framing._held) <= QUOTED
