"""What the stages before say: the draft, the tools, how the dry run went, and what else has to go on.

Rule of this file: pure; records in, a Draft out. Texts of the server are cleaned where they are shown.
"""

from typing import Any

from mcpeak.command.failure import InputError
from mcpeak.review.draft import Draft, Result
from mcpeak.suite.read import ReadSuite, read_suite
from mcpeak.wire.json import JsonError, parse
from mcpeak.wire.records import (
    AnyRecord,
    CaseFinished,
    CaseStarted,
    Diagnostic,
    Error,
    Issue,
    Notice,
    RunFinished,
    RunStarted,
    SuiteRecord,
    ToolRecord,
    Unknown,
)

MOST_NOTES = 6


class Gathered:
    """Folds the stream. `onward`: records that go on as they came; `ran`: the draft was tried."""

    def __init__(self) -> None:
        self.suites: list[SuiteRecord] = []
        self.tools: dict[str, dict[str, Any]] = {}
        self.results: dict[str, Result] = {}
        self.onward: list[tuple[AnyRecord | Unknown, bytes]] = []
        self.notices: list[Notice] = []
        self.failed = False
        self.ran = False

    def see(self, record: AnyRecord | Unknown, line: bytes) -> None:
        """Take one record in."""
        if isinstance(record, SuiteRecord):
            self.suites.append(record)
            return
        if isinstance(record, ToolRecord):
            self._tool(record)
            return
        if isinstance(record, CaseFinished):
            spec = parse(bytes(record.result.spec))
            if isinstance(spec, dict):
                self.results[str(spec.get("id"))] = result_of(record)
            return
        if isinstance(record, RunStarted | RunFinished | CaseStarted):
            self.ran = True
            return
        if isinstance(record, Notice):
            self.notices.append(record)
        self.failed = self.failed or isinstance(record, Error | Issue)
        self.failed = self.failed or (isinstance(record, Notice) and record.severity == "failure")
        self.onward.append((record, line))

    def _tool(self, record: ToolRecord) -> None:
        try:
            tool = parse(bytes(record.tool))
        except JsonError:  # a tool that nobody can read has no cases either
            return
        if isinstance(tool, dict):
            self.tools.setdefault(str(tool.get("name")), tool)

    def draft(self) -> Draft:
        """Give the one draft of the stream.

        Raises:
            InputError: the record holds no valid suite.
        """
        read = read_suite(bytes(self.suites[0].suite), self.suites[0].source)
        if not isinstance(read, ReadSuite):
            where, why = read[0].path, read[0].message
            raise InputError("NOTHING_TO_REVIEW", room="review", detail="DRAFT_INVALID", path=where, why=why)
        suite = read.value()
        bare = {key: value for key, value in suite.items() if key != "approval"}
        names = {case["id"] for case in bare["cases"]}
        results = {name: result for name, result in self.results.items() if name in names}
        held = set(self.suites[0].held_back or ()) & names - results.keys() if self.ran else set()
        guesses = {name: each for name, each in (self.suites[0].guesses or {}).items() if name in names}
        return Draft(bare, results, held=frozenset(held), guesses=guesses)


def result_of(record: CaseFinished) -> Result:
    """Say how a case ended, and why, in the run's own words."""
    result = record.result
    seen = [result.operation.diagnostic, *(assertion.diagnostic for assertion in result.assertions)]
    notes = [note for diagnostic in seen if diagnostic is not None for note in _notes(diagnostic)]
    body = result.rejection_body
    return Result(
        result.status,
        tuple(notes[:MOST_NOTES]),
        result.rejection_basis == "unverified",
        body if isinstance(body, str) else None,
        result.status == "failed" and any(each is not None and _refuses(each) for each in seen),
    )


def _refuses(diagnostic: Diagnostic) -> bool:
    """Tell whether the server said no: an answer with isError, or a JSON-RPC error."""
    actual = diagnostic.actual
    if diagnostic.code == "IS_ERROR_MISMATCH":
        return diagnostic.expected is not True
    return diagnostic.code == "OPERATION_FAILED" and isinstance(actual, dict) and "message" in actual


def _notes(diagnostic: Diagnostic) -> list[str]:
    return [diagnostic.message, *(f"  {note}" for note in (diagnostic.notes or [])[:3])]
