"""The last lines of stderr, bounded and counted."""

from hypothesis import given
from hypothesis import strategies as st

from mcpeak.link.tail import BYTES, LINES, WIDTH, Tail


def fed(*chunks):
    tail = Tail()
    for chunk in chunks:
        tail.feed(chunk)
    tail.close()
    return tail


def test_lines_are_kept_in_order():
    assert fed(b"one\ntw", b"o\n").lines() == ["one", "two"]


def test_a_line_without_its_end_counts():
    assert fed(b"one\ntwo").lines() == ["one", "two"]


def test_only_the_last_lines_are_kept_and_the_others_counted():
    tail = fed(b"".join(b"%d\n" % number for number in range(3000)))
    assert tail.lines()[0] == str(3000 - LINES)
    assert tail.dropped == 3000 - LINES


def test_long_lines_are_bounded_by_bytes_and_cut():
    tail = fed(*(b"x" * 5000 + b"\n" for _ in range(500)))
    assert tail._size <= BYTES
    assert {len(line) for line in tail.lines()} == {WIDTH}
    assert tail.lines()[0].endswith("…")


def test_an_endless_line_takes_bounded_memory():
    tail = Tail()
    for _ in range(1000):
        tail.feed(b"x" * 10_000)
    assert len(tail._open) <= 4 * WIDTH


def test_what_came_since_a_mark():
    tail = Tail()
    tail.feed(b"a\nb\n")
    mark = tail.total
    tail.feed(b"c\nd\ne\n")
    assert tail.since(mark, 10) == (["c", "d", "e"], 0)
    assert tail.since(mark, 2) == (["d", "e"], 1)


def test_bytes_that_are_no_utf8_are_replaced():
    assert fed(b"caf\xe9\r\n").lines() == ["caf\ufffd"]


@given(st.lists(st.binary(max_size=30)))
def test_chunks_make_no_difference(chunks):
    assert fed(*chunks).lines() == fed(b"".join(chunks)).lines()
