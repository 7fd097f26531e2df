"""Time limits: what can be waited, and what is refused."""

import argparse

import pytest

from mcpeak.command.limits import LONGEST, seconds


@pytest.mark.parametrize(("text", "limit"), [("2.5", 2.5), ("1e-3", 0.001), (str(LONGEST), LONGEST)])
def test_a_number_above_0_is_a_limit(text: str, limit: float):
    assert seconds(text) == limit


@pytest.mark.parametrize("text", ["", "0", "-1", "nan", "inf", "1e300", "5s", str(LONGEST + 1)])
def test_whatever_cannot_be_waited_is_refused_and_named(text: str):
    with pytest.raises(argparse.ArgumentTypeError, match=str(LONGEST)):
        seconds(text)
