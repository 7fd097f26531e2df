"""Checking a value against a full JSON Schema: every reason why it is invalid, fit to be told to people.

Rule of this file: pure. A schema that is itself unusable accepts everything and says why.
"""

from collections.abc import Iterator
from itertools import islice

from mcpeak.schema.explain import Violation, explained
from mcpeak.schema.validator import SchemaProblem, Validator, validator

SHOWN = 10
"""How many violations of one value are worth showing."""


class Checker:
    """A compiled schema. `problem`: why it cannot be used (then it accepts everything), else None."""

    def __init__(self, compiled: Validator | None, problem: str | None = None) -> None:
        self._compiled = compiled
        self.problem = problem

    def valid(self, value: object) -> bool:
        """Tell whether the value is valid; of what the library cannot take, nobody can say that it is not."""
        return self._compiled is None or self._compiled.valid(value) or not self.violations(value)

    def violations(self, value: object, limit: int = SHOWN) -> list[Violation]:
        """List what is wrong with a value, at most `limit` things, in the schema's order."""
        if self._compiled is None:
            return []
        try:
            return list(islice(_violations(self._compiled, value), limit))
        except (ValueError, RecursionError):
            return []


def checker(schema: object) -> Checker:
    """Compile a schema (draft-04 to 2020-12, local references; nothing is ever fetched)."""
    try:
        return Checker(validator(schema))
    except SchemaProblem as wrong:
        return Checker(None, wrong.reason)


def _violations(compiled: Validator, value: object) -> Iterator[Violation]:
    for wrong in compiled.wrongs(value):
        yield from explained(wrong, value)
