"""Untrusted text cannot move a cursor, hide or reorder what stands beside it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.command.text import clean, cut


@pytest.mark.parametrize(
    ("dirty", "harmless"),
    [
        ("\x1b[31mred", "\\u001b[31mred"),
        ("a\nb\tc\r", "a\\u000ab\\u0009c\\u000d"),
        ("\x7f\x9b", "\\u007f\\u009b"),
        ("\u2028\u2029", "\\u2028\\u2029"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("\ud800", "\\ud800"),
        ("서울 ✅ é", "서울 ✅ é"),
    ],
)
def test_controls_become_their_code_points(dirty: str, harmless: str):
    assert clean(dirty) == harmless


@given(st.text())
def test_no_control_character_survives(text: str):
    assert not [c for c in clean(text) if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_cut_text_fits(text: str, limit: int):
    assert len(cut(text, limit)) <= limit
