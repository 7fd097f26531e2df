"""Columns, cutting and wrapping."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.report.width import columns, cut_middle, one_line, padded, wrapped


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("서울", 4), ("e\u0301", 1), ("🙂", 2), ("\x1b[31mab\x1b[0m", 2)]
)
def test_columns_are_those_of_a_terminal(text: str, width: int) -> None:
    assert columns(text) == width


def test_padding_counts_columns() -> None:
    assert padded("서울", 6) == "서울  "


@given(st.text(), st.integers(min_value=3, max_value=50))
def test_a_cut_text_is_never_longer_than_its_limit(text: str, limit: int) -> None:
    assert len(cut_middle(text, limit)) <= limit


def test_a_cut_text_keeps_both_ends() -> None:
    assert cut_middle("a" * 50 + "z" * 50, 10) == "aaaaaa…zzz"


def test_one_line_is_clean() -> None:
    assert one_line("a\nb\x1b[31m\u202e", 50) == "a\\u000ab\\u001b[31m\\u202e"


@given(
    st.lists(st.text("ab서", min_size=1, max_size=12), min_size=1, max_size=20).map(" ".join),
    st.integers(30, 60),
)
def test_wrapping_loses_no_word_and_keeps_the_width(text: str, width: int) -> None:
    lines = wrapped(text, width, 4).split("\n")
    assert " ".join(line.strip() for line in lines) == text
    assert all(columns(line) <= width for line in lines)
