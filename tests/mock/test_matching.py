"""Equal arguments have equal keys, others have not; a result reads as the value that it is."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mcpeak.mock.matching import key
from mcpeak.mock.stringify import stringify
from mcpeak.suite.equal import equal

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def shuffled(value: Any) -> Any:
    """The same value with its keys in another order and its integers as floats where that changes nothing."""
    if isinstance(value, dict):
        return {name: shuffled(part) for name, part in reversed(value.items())}
    if isinstance(value, list):
        return [shuffled(part) for part in value]
    return float(value) if type(value) is int and abs(value) < 2**53 else value


@given(VALUES)
def test_order_of_keys_and_form_of_numbers_do_not_matter(value: Any) -> None:
    assert key(shuffled(value)) == key(value)


@given(VALUES, VALUES)
def test_keys_are_equal_exactly_when_values_are(one: Any, other: Any) -> None:
    assert (key(one) == key(other)) == equal(one, other)


def test_lone_surrogates_and_big_integers_have_keys() -> None:
    assert key({"a": "\ud800"}) != key({"a": "\ud801"})
    assert key({"a": 2**80}) == key({"a": float(2**80)}) != key({"a": 2**80 + 1})


@given(VALUES)
def test_what_is_stringified_reads_as_the_same_doubles(value: Any) -> None:
    """Numbers print as ECMAScript prints its doubles, so integers beyond 2^53 may lose digits."""
    assert equal(
        json.loads(stringify(value), parse_int=float), json.loads(json.dumps(value), parse_int=float)
    )
