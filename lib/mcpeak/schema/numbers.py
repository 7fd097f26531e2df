"""Numbers within bounds, and just outside them.

Rule of this file: exact arithmetic (fractions), so that no bound is missed by a rounding; CONTRACT §7's
values first.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from itertools import count, islice

from mcpeak.schema.facts import Facts

FEW = 12


def inside(facts: Facts, *, whole: bool) -> Iterator[int | float]:
    """Yield a few numbers that keep the bounds: the lower bound, else the upper, else 0; then others."""
    for value in islice(_steps(facts, whole=whole), FEW):
        if keeps(facts, value):
            yield plain(value)


def outside(facts: Facts) -> Iterator[int | float]:
    """Yield numbers beyond the lower bound, then beyond the upper."""
    for bound, sign in ((facts.lower, -1), (facts.upper, 1)):
        if bound is not None:
            value = Fraction(bound[0])
            whole = facts.types == ["integer"] and value.denominator != 1
            rounded = Fraction(math.floor(value) if sign < 0 else math.ceil(value))
            yield plain(rounded if whole else value if bound[1] else value + sign)


def keeps(facts: Facts, value: Fraction) -> bool:
    """Tell whether a number is within the bounds and on every step."""
    if facts.lower is not None and (
        value < _exact(facts.lower[0]) or (facts.lower[1] and value == _exact(facts.lower[0]))
    ):
        return False
    if facts.upper is not None and (
        value > _exact(facts.upper[0]) or (facts.upper[1] and value == _exact(facts.upper[0]))
    ):
        return False
    return all((value / _decimal(step)).denominator == 1 for step in facts.steps if step)


def plain(value: Fraction) -> int | float:
    """Give the JSON number: an integer where it is one."""
    return value.numerator if value.denominator == 1 else float(value)


def _steps(facts: Facts, *, whole: bool) -> Iterator[Fraction]:
    step = reduce(_common, map(_decimal, facts.steps), Fraction(1 if whole or not facts.steps else 0))
    if facts.lower is not None:
        first, sign = _exact(facts.lower[0]), 1
    elif facts.upper is not None:
        first, sign = _exact(facts.upper[0]), -1
    else:
        first, sign = Fraction(0), 1
    if not whole and not facts.steps:
        yield first
    grid = (math.ceil(first / step) if sign > 0 else math.floor(first / step)) * step
    yield from (grid + sign * step * place for place in range(FEW // 2))
    if not whole and not facts.steps and facts.lower is not None and facts.upper is not None:
        span = _exact(facts.upper[0]) - first
        yield from (first + span / Fraction(2) ** place for place in count(1))


def _common(one: Fraction, other: Fraction) -> Fraction:
    """Give the smallest number that is a multiple of both; 0 stands for none."""
    if not one or not other:
        return one or other
    return Fraction(
        math.lcm(one.numerator * other.denominator, other.numerator * one.denominator),
        one.denominator * other.denominator,
    )


def _exact(bound: float) -> Fraction:
    return Fraction(bound)


def _decimal(step: float) -> Fraction:
    """Read a step as it is written: 0.01 means one hundredth, not the nearest double."""
    return Fraction(repr(step))
