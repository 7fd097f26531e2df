"""The door for Python programs: a suite as a value, checked and fingerprinted (CONTRACT §9).

Nothing is read, written or printed here. Sentences are in the language that `mcpeak.messages.use` chose,
English unless told otherwise.
"""

from typing import Any, Final

from msgspec import Struct

from mcpeak.suite.canonical import fingerprint as _digest
from mcpeak.suite.checks import check
from mcpeak.suite.inexact import inexact_integers
from mcpeak.suite.read import compared
from mcpeak.suite.values import no_json
from mcpeak.suite.words import issue, notice
from mcpeak.wire.records import Approval, Issue, Notice

__all__ = ["InvalidSuite", "Issue", "Notice", "Suite", "fingerprint", "validate_suite"]

SOURCE: Final = "<value>"


class Suite(Struct, frozen=True, kw_only=True):
    """A valid suite.

    value: the suite as it was given, the very same object.
    default_timeout_ms: milliseconds, None where the suite says nothing (10,000 then hold).
    fingerprint: 64 hexadecimal digits; approval: how it stands to `approved_fingerprint`.
    notices: what is allowed but hardly meant, such as a schema that can never match.
    """

    value: dict[str, Any]
    id: str
    name: str
    cases: list[dict[str, Any]]
    default_timeout_ms: int | None
    fingerprint: str
    approval: Approval
    approved_fingerprint: str | None
    notices: list[Notice]


class InvalidSuite(ValueError):  # noqa: N818 - named for what it is, as the other exceptions of this house
    """A value is no valid suite. `issues`: everything that is wrong with it."""

    def __init__(self, issues: list[Issue]) -> None:
        lines = [f"{wrong.path}: {wrong.message} [{wrong.code}]" for wrong in issues]
        super().__init__("\n".join(lines))
        self.issues = issues


def validate_suite(value: object, source: str = SOURCE) -> Suite | list[Issue]:
    """Check a suite that a program made.

    Args:
        value: the suite: dict, list, str, int, float, bool, None and nothing else. What JSON cannot hold
            (cycles, NaN, tuples, sets, dates, keys that are no strings) is INVALID_JSON_VALUE with its path.
        source: what the issues shall name as their source.

    Returns:
        The suite, or all its issues in the order of CONTRACT §1; their `line` and `column` are None.
    """
    lacking = no_json(value)
    problems, doubts = (lacking, []) if lacking else check(value)
    if problems or not isinstance(value, dict):
        return [issue(source, problem, None) for problem in problems]
    doubts = [*inexact_integers(value), *doubts]
    digest = _digest(value)
    approved = value["approval"]["fingerprint"] if "approval" in value else None
    limit = value.get("defaultTimeoutMs")
    return Suite(
        value=value,
        id=value["id"],
        name=value["name"],
        cases=value["cases"],
        default_timeout_ms=None if limit is None else int(limit),
        fingerprint=digest,
        approval=compared(digest, approved),
        approved_fingerprint=approved,
        notices=[notice(source, doubt, None) for doubt in doubts],
    )


def fingerprint(value: object) -> str:
    """Digest a suite: 64 hexadecimal digits, the same that `mcpeak-fingerprint` prints for its file.

    Raises:
        InvalidSuite: the value is no valid suite; it has no fingerprint then.
    """
    suite = validate_suite(value)
    if isinstance(suite, Suite):
        return suite.fingerprint
    raise InvalidSuite(suite)
