"""What a stream says about the suite that is to be approved.

Rule of this file: pure; records in, a decision out. Nothing is approved after an error, an invalid suite or
a failure that some stage has told.
"""

from typing import Any

from mcpeak.wire.json import parse
from mcpeak.wire.records import (
    AnyRecord,
    CaseFinished,
    Error,
    Issue,
    Notice,
    RunFinished,
    SuiteRecord,
    Unknown,
)

COVERAGE = "GENERATE_COVERAGE"


class Gathered:
    """Folds the stream; `suites` are those to approve, `failed` whether any stage has failed."""

    def __init__(self) -> None:
        self.suites: list[SuiteRecord] = []
        self.failed = False
        self.coverage: str | None = None
        self._statuses: dict[str, str] = {}

    def see(self, record: AnyRecord | Unknown) -> None:
        """Take one record in."""
        if isinstance(record, SuiteRecord):
            self.suites.append(record)
        elif isinstance(record, CaseFinished):
            self._case(record)
        elif isinstance(record, Notice):
            self.failed = self.failed or record.severity == "failure"
            self.coverage = record.message if record.code == COVERAGE else self.coverage
        elif isinstance(record, RunFinished):
            self.failed = self.failed or record.status == "aborted"
        elif isinstance(record, Error | Issue):
            self.failed = True

    def _case(self, record: CaseFinished) -> None:
        """Remember how a case of the dry run ended: what did not pass is a defect of the server."""
        status = record.result.status
        spec = parse(bytes(record.result.spec))
        name = spec.get("id") if isinstance(spec, dict) else None
        if isinstance(name, str) and status not in ("notRun", "cancelled"):
            self._statuses[name] = "passed" if status == "passed" else "serverDefect"

    def statuses(self, suite: dict[str, Any]) -> list[dict[str, str]]:
        """Give how each case is approved: as the review wrote it, else as the dry run ended."""
        block = suite.get("approval")
        reviewed = block.get("cases") if isinstance(block, dict) else None
        if isinstance(reviewed, list):
            return reviewed
        names = [case["id"] for case in suite["cases"]]
        return [{"id": name, "status": self._statuses[name]} for name in names if name in self._statuses]
