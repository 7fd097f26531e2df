from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.compare.difference import MOST, differences

KINDS = [
    ({"at": "2026-11-30T10:00:00Z"}, {"at": "2026-11-30T10:00:01Z"}, ("$.at", "time")),
    ({"at": 1764489600}, {"at": 1764489601}, ("$.at", "time")),
    ({"at": 1764489600123}, {"at": 1764489600987}, ("$.at", "time")),
    (
        {"id": "6f1c0d3e-0000-4000-8000-000000000001"},
        {"id": "d9b2d63d-0000-4000-8000-000000000002"},
        ("$.id", "randomId"),
    ),
    ({"id": "sess_9f8e7d6c"}, {"id": "sess_1a2b3c4d"}, ("$.id", "randomId")),
    ({"n": 1}, {"n": 2}, ("$.n", "counter")),
    ("call 1 of you", "call 2 of you", ("$", "counter")),
    ({"n": 0.25}, {"n": 0.75}, ("$.n", "number")),
    ({"a": [1, 2]}, {"a": [2, 1]}, ("$.a", "order")),
    ("b a", "a b", ("$", "order")),
    ("red", "blue", ("$", "text")),
    ({"a": 1}, {"a": "1"}, ("$.a", "type")),
    ({"a": True}, {"a": 1}, ("$.a", "type")),
    ({"a": 1, "b": 2}, {"a": 1}, ("$.b", "missing")),
    ({"a": [1]}, {"a": [1, 2]}, ("$.a.length", "number")),
    ({"text": '{"n": 1}'}, {"text": '{"n": 2}'}, ("$.text.n", "counter")),
]


@pytest.mark.parametrize(("first", "second", "expected"), KINDS, ids=[f"{case[2]}" for case in KINDS])
def test_guesses_what_kind_of_thing_differs(first: Any, second: Any, expected: tuple[str, str]) -> None:
    assert [(each.path, each.kind) for each in differences(first, second)] == [expected]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(JSON)
def test_a_value_does_not_differ_from_itself(value: Any) -> None:
    assert differences(value, value) == []


def test_key_order_and_number_form_are_no_difference() -> None:
    assert differences({"a": 1, "b": [{"c": 1.0, "d": 2}]}, {"b": [{"d": 2, "c": 1}], "a": 1}) == []


def test_shows_few_differences_of_many() -> None:
    assert len(differences(list(range(100)), list(range(1, 101)))) == MOST


def test_shows_long_texts_around_the_place_that_differs() -> None:
    [difference] = differences("x" * 1000 + "a", "x" * 1000 + "b")
    assert difference.first.startswith("…")
    assert difference.first.endswith("a")
    assert len(difference.first) < 210
