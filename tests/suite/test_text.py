"""Reading suite text: the quick reader and the careful one see the same, and everything has its place."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.suite.careful import read_carefully
from mcpeak.suite.outline import DEEPEST
from mcpeak.suite.quick import UNSURE, read_quickly
from mcpeak.suite.text import read_text
from mcpeak.wire.json import JsonError

WORDS = st.sampled_from(["cases", "assertions", "id", "a", "😀", "é", "\ud800"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 2**60) | st.floats(-2, 2**60) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=25,
)
CASES = st.fixed_dictionaries(
    {"cases": st.dictionaries(WORDS, st.fixed_dictionaries({"assertions": VALUES}))}
) | st.fixed_dictionaries({"cases": st.lists(st.fixed_dictionaries({"assertions": VALUES}) | VALUES)})


def seen(outline):
    numbers = outline.numbers
    return (
        outline.value,
        outline.fields,
        outline.cases,
        outline.assertions,
        outline.doubles,
        (numbers.infinite, numbers.inexact, numbers.plain),
        outline.plain,
    )


@given(VALUES | CASES, st.sampled_from([None, 0, 2]), st.booleans())
def test_both_readers_see_the_same(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert seen(read_quickly(text)) == seen(read_carefully(text))
    assert read_carefully(text).value == value


@given(st.text('[]{}":,\\uc0e+-.tfn 1\n'))
def test_the_quick_reader_accepts_nothing_that_the_careful_one_refuses(text):
    try:
        quick = seen(read_quickly(text))
    except UNSURE:
        return
    assert quick == seen(read_carefully(text))


def test_fields_cases_and_assertions_have_their_offsets():
    text = ' {"id" : 1, "cases":[ {"assertions":[ 7 ,{}]},5, {}]}'
    outline = read_text(text)
    assert outline.fields == {"id": (2, 9), "cases": (12, 20)}
    assert [text[at] for at in outline.cases] == ["{", "5", "{"]
    assert [[text[at] for at in part] for part in outline.assertions] == [["7", "{"], [], []]


def test_a_key_that_stands_twice_is_named_with_both_offsets():
    outline = read_text('{"a":{"b":1,"b":2,"b":3},"a":[{"c":1,"c":1}]}')
    assert outline.doubles == [
        (((None, "a"), "b"), 6, 12),
        (((None, "a"), "b"), 6, 18),
        ((None, "a"), 1, 25),
        ((((None, "a"), 0), "c"), 31, 37),
    ]


@pytest.mark.parametrize(
    ("number", "infinite", "inexact", "plain"),
    [
        ("1", False, False, True),
        ("1.0", False, False, True),
        ("-0.0", False, False, True),
        ("0.1", False, False, True),
        ("0.1000000000000000055", False, True, True),
        ("1.5e2", False, False, True),
        ("1e-5", False, False, False),
        ("1e-400", False, True, True),
        ("9007199254740992", False, False, True),
        ("9007199254740993", False, True, False),
        ("18446744073709551616", False, False, False),
        ("1e999", True, False, False),
        ("1" * 400, True, False, False),
        ("1" * 5000, True, False, False),
    ],
)
def test_odd_numbers_are_noticed(number, infinite, inexact, plain):
    for outline in (read_quickly(f"[{number}]"), read_carefully(f"[{number}]")):
        numbers = outline.numbers
        assert (numbers.infinite, numbers.inexact, numbers.plain) == (infinite, inexact, plain)


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_nesting_up_to_the_limit_is_read_and_deeper_is_refused(opening):
    closing = "]" if opening == "[" else "}"
    assert read_text(opening * DEEPEST + "1" + closing * DEEPEST).value
    with pytest.raises(JsonError) as refused:
        read_text(opening * 200_000 + "1" + closing * 200_000)
    assert (refused.value.code, refused.value.column) == ("deep", 1 + DEEPEST * len(opening))
