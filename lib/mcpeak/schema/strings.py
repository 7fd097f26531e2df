"""Strings of a length, a pattern, a format; and strings just too short or too long.

Rule of this file: lengths count code points (JSON Schema 2020-12 §6.3). Patterns are met by construction
where `pattern` can, and checked by the caller always.
"""

from collections.abc import Iterator

from mcpeak.schema.facts import Facts
from mcpeak.schema.formats import EXAMPLES
from mcpeak.schema.pattern import matching

WORD = "example"
LONGEST = 100_000
"""A string that must be longer than this is not built: no suite should hold it."""

RICH = (
    "Example1!",
    "Aa1!Aa1!Aa1!",
    "A1",
    "1",
    "a",
    "example-1",
    "EXAMPLE",
    "/example",
    "example.com",
    "0.0.0",
    "en-US",
)
"""Guesses for patterns that look ahead or behind."""


def fitting(facts: Facts) -> Iterator[str]:
    """Yield strings that keep the lengths, the most natural first; pattern and format where known."""
    if facts.longest is not None and facts.longest < facts.shortest:
        return
    if facts.shortest > LONGEST:
        return
    for text in _natural(facts):
        if facts.shortest <= len(text) and (facts.longest is None or len(text) <= facts.longest):
            yield text


def ill_fitting(facts: Facts) -> Iterator[str]:
    """Yield a string that is too short, then one that is too long."""
    if facts.shortest > 0:
        yield stretched(WORD, facts.shortest - 1)
    if facts.longest is not None and facts.longest < LONGEST:
        yield stretched(WORD, facts.longest + 1)


def stretched(word: str, length: int) -> str:
    """Repeat or cut a word to a length."""
    return (word * (length // max(len(word), 1) + 1))[:length]


def _natural(facts: Facts) -> Iterator[str]:
    for name in facts.formats:
        yield from EXAMPLES.get(name, ())
    for pattern in facts.patterns:
        yield from matching(pattern, facts.shortest)
    if facts.patterns:
        yield from _joined(facts)
        yield from RICH
    yield _sized(WORD, facts)
    yield from (_sized(f"{WORD}{number}", facts) for number in range(2, 30))
    yield from (_sized(letter, facts) for letter in "abcdefghijklmnopqrstuvwxyz")
    yield _sized("", facts)


def _joined(facts: Facts) -> Iterator[str]:
    """Yield the texts of several patterns one after the other: `^a` and `z$` are met so."""
    firsts = [next(matching(pattern, 0), "") for pattern in facts.patterns]
    for middle in ("", WORD):
        yield (
            stretched(WORD, max(facts.shortest - sum(map(len, firsts)), 0)).join(firsts)
            if not middle
            else middle.join(firsts)
        )


def _sized(word: str, facts: Facts) -> str:
    if len(word) < facts.shortest:
        return stretched(word or WORD, facts.shortest)
    return word if facts.longest is None else word[: facts.longest]
