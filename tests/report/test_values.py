"""Values and differences as they are shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.report.values import _first_difference, compact, difference, of_raw, short, spread


def test_a_short_value_is_whole() -> None:
    assert short({"a": "서울"}) == ('{"a":"서울"}', 0)


def test_a_long_value_is_cut_in_the_middle_with_its_size() -> None:
    text, size = short("x" * 500)
    assert (len(text), size) == (160, 502)
    assert text.startswith('"xxx')
    assert text.endswith('xxx"')


def test_what_msgspec_refuses_is_shown_all_the_same() -> None:
    assert compact({"a": "\ud800", "b": 10**30}) == '{"a":"\\ud800","b":1000000000000000000000000000000}'


def test_a_value_with_parts_is_spread_over_lines() -> None:
    assert spread({"a": [1]}) == '{\n  "a": [\n    1\n  ]\n}'


def test_the_first_difference_of_two_objects_is_in_view() -> None:
    old = {"list": list(range(100)), "name": "Seoul"}
    new = {"list": list(range(100)), "name": "Busan"}
    lines = difference(old, new)
    assert '-   "name": "Seoul"' in lines
    assert '+   "name": "Busan"' in lines
    assert len(lines) < 10


def test_the_first_difference_of_two_long_strings_is_in_view() -> None:
    lines = difference("x" * 300 + "SUN" + "y" * 300, "x" * 300 + "MON" + "y" * 300)
    assert [("SUN" in lines[0]), ("MON" in lines[1])] == [True, True]
    assert max(map(len, lines)) < 90


@given(st.text("ab", max_size=9000), st.text("ab", max_size=9000))
def test_the_first_difference_is_where_two_texts_part(one: str, other: str) -> None:
    at = _first_difference(one, other)
    assert one[:at] == other[:at]
    assert one[at : at + 1] != other[at : at + 1] or at >= min(len(one), len(other))


@pytest.mark.parametrize(("old", "new"), [(1, 2), ({"a": 1}, {"a": 2}), ("a", "b"), ({"a": 1}, 3)])
def test_values_that_one_glance_compares_need_no_diff(old: object, new: object) -> None:
    assert difference(old, new) == []


def test_a_number_beyond_any_value_is_shown_as_written() -> None:
    """The page and `-v` ended in our own bug when an answer held one."""
    assert of_raw(b'{"v":1e400}') == '{"v":1e400}'
