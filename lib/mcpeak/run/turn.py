"""One case's turn: what is sent for it, and the record of how it went. Pure."""

from typing import NamedTuple

from msgspec import Raw

from mcpeak.command.redact import Redactor
from mcpeak.link.tail import Tail
from mcpeak.run.cases import Case, Chosen, Suite, call_params, read_case
from mcpeak.run.judge import Verdict
from mcpeak.wire.records import CaseFinished, CaseResult, SuiteRecord

STDERR_LINES = 50
"""Lines of stderr that one case shows."""


class Turn(NamedTuple):
    """A case ready to be sent. `params`: None for tools/list."""

    place: int
    raw: Raw
    case: Case
    method: str
    params: bytes | None
    limit_ms: int


def prepare(suite: Suite, chosen: Chosen) -> Turn:
    """Get a case ready."""
    case = read_case(chosen.raw)
    limit_ms = suite.timeout_ms(case)
    if case.operation.type == "listTools":
        return Turn(chosen.place, chosen.raw, case, "tools/list", None, limit_ms)
    return Turn(chosen.place, chosen.raw, case, "tools/call", call_params(case), limit_ms)


class Recorder:
    """Makes the `caseFinished` records of one run."""

    def __init__(self, run: int, record: SuiteRecord, redactor: Redactor) -> None:
        self._run = run
        self._positions = record.positions or {}
        self._redactor = redactor

    def finished(
        self, turn: Turn, verdict: Verdict, elapsed: float, attempt: int | None = None
    ) -> CaseFinished:
        """Make the record of a case that had its turn; `elapsed`: seconds."""
        record = self.left(turn.place, verdict.result, len(turn.case.assertions))
        record.elapsed_ms = round(elapsed * 1000, 3)
        record.answer, record.answer_digest = verdict.answer, verdict.digest
        if attempt is not None:
            record.attempt = attempt
            record.flaky = True if attempt > 1 and verdict.result.status == "passed" else None
        return record

    def left(self, place: int, result: CaseResult, assertions: int) -> CaseFinished:
        """Make the record of a case that had no turn."""
        record = CaseFinished(run=self._run, index=place, elapsed_ms=0, result=result)
        positions = self._positions
        if positions:
            path = f"cases[{place}]"
            record.position = positions.get(path)
            found = [positions.get(f"{path}.assertions[{number}]") for number in range(assertions)]
            record.assertion_positions = found if None not in found else None  # type: ignore[assignment]  # there is no None in it
        return record

    def stderr(self, record: CaseFinished, tail: Tail, mark: int) -> None:
        """Add what the server wrote to stderr after its first `mark` lines."""
        lines, left_out = tail.since(mark, STDERR_LINES)
        record.stderr = [self._redactor.text(line) for line in lines]
        record.stderr_dropped = left_out or None
