"""From the bytes of a suite file to a checked suite, or to everything that is wrong with it.

Rule of this file: pure; bytes come in, records and values go out.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from msgspec import Raw, Struct

from mcpeak.suite.canonical import fingerprint
from mcpeak.suite.checks import check
from mcpeak.suite.outline import Outline
from mcpeak.suite.places import Place, Places, positions
from mcpeak.suite.problem import Found, Problem
from mcpeak.suite.text import read_text
from mcpeak.wire.json import JsonError, decode_utf8, parse
from mcpeak.wire.records import Approval, Issue, Notice, SuiteRecord

_MARK: Final = b"\xef\xbb\xbf"


class ReadSuite(Struct, kw_only=True):
    """A valid suite. `raw`: its own text on one line; `notices`: doubts."""

    source: str
    raw: Raw
    fingerprint: str
    approval: Approval
    approved_fingerprint: str | None
    positions: dict[str, Place]
    notices: list[Notice]

    def value(self) -> dict[str, Any]:
        """Parse it again: of a large suite the text takes much less room than its value."""
        suite: dict[str, Any] = parse(bytes(self.raw))
        return suite

    def record(self) -> SuiteRecord:
        """Make the record that goes down the pipe."""
        return SuiteRecord(
            source=self.source,
            suite=self.raw,
            fingerprint=self.fingerprint,
            approval=self.approval,
            approved_fingerprint=self.approved_fingerprint,
            positions=self.positions,
        )


def read_suite(data: bytes, source: str) -> ReadSuite | list[Issue]:
    """Read a suite file.

    Args:
        data: the file's bytes; one byte order mark is fine.
        source: the file's name, as issues and records tell it.

    Returns:
        The suite, or all its issues in the order of CONTRACT §1 (duplicate keys first).
    """
    with _no_collection():
        return _read(data.removeprefix(_MARK), source)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the cycle collector out: a value of JSON has no cycles, and looking for some triples the time."""
    active = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if active:
            gc.enable()


def _read(data: bytes, source: str) -> ReadSuite | list[Issue]:
    try:
        outline = read_text(decode_utf8(data))
    except JsonError as wrong:
        from mcpeak.suite.no_json import no_json

        return [no_json(source, data, wrong)]
    found, doubts = check(outline.value, infinite=outline.numbers.infinite)
    if found or outline.doubles:
        return _issues(source, outline, found)
    return _suite(source, data, outline, doubts)


def _suite(source: str, data: bytes, outline: Outline, doubts: Found) -> ReadSuite:
    value, outline.value = outline.value, None
    digest = fingerprint(value, plain=outline.plain)
    approved = value["approval"]["fingerprint"] if "approval" in value else None
    if outline.numbers.inexact:
        from mcpeak.suite.inexact import inexact

        doubts = [*inexact(outline.text), *doubts]
    del value  # the largest thing here by far, before all that is still to be made
    return ReadSuite(
        source=source,
        raw=Raw(one_line(data)),
        fingerprint=digest,
        approval=compared(digest, approved),
        approved_fingerprint=approved,
        positions=positions(outline),
        notices=_notices(source, outline, doubts) if doubts else [],
    )


def compared(digest: str, approved: str | None) -> Approval:
    """Compare a suite's fingerprint with the one that was approved."""
    if approved is None:
        return "absent"
    return "matched" if approved == digest else "mismatched"


def one_line(data: bytes) -> bytes:
    """Put JSON text on one line: line ends and the white space around them never stand within a string."""
    return b"".join(line.strip() for line in data.splitlines())


def _issues(source: str, outline: Outline, found: Found) -> list[Issue]:
    from mcpeak.suite.words import is_about_key, issue

    places = Places(outline, (problem.path for problem in found))
    issues = []
    for path, first, later in outline.doubles:
        at = places.line_column(later)
        values = {
            "field": path[1] if path else "",
            "first": places.line_column(first)[0],
            "later": at[0],
        }
        issues.append(issue(source, Problem("INVALID_VALUE", path, "DUPLICATE_KEY", values), at))
    for problem in found:
        at = places.key(problem.path) if is_about_key(problem) else places.value(problem.path)
        issues.append(issue(source, problem, at))
    return issues


def _notices(source: str, outline: Outline, doubts: Found) -> list[Notice]:
    from mcpeak.suite.words import notice

    places = Places(outline, (problem.path for problem in doubts))
    return [notice(source, problem, places.value(problem.path)) for problem in doubts]
