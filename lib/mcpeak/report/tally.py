"""What a report is made of: suites with their cases, and what went wrong around them.

Rule of this file: shapes and questions about them; `fold.py` fills them, renderers ask.
"""

from msgspec import Raw, Struct

from mcpeak.wire.records import (
    CaseFinished,
    Determinism,
    Error,
    Finding,
    Issue,
    Notice,
    ProcessEnd,
    RunStarted,
    StopReason,
    Summary,
)

STATUSES = ("passed", "failed", "timedOut", "cancelled", "notRun")


class Case(Struct, gc=False):
    """One case with its verdict. `finished` is there for every case that did not pass, or for all if asked.

    `elapsed_ms`: milliseconds; `position`: line and column in the suite file, from 1.
    `raw`: the `result` as it came, byte for byte, where a format passes it on.
    """

    index: int
    id: str
    name: str
    status: str
    elapsed_ms: float
    position: tuple[int, int] | None = None
    finished: CaseFinished | None = None
    raw: Raw | None = None
    unverified: bool = False
    flaky: bool = False


class Suite(Struct):
    """The cases of one suite, from one run or from all shares of a sharded one.

    `findings`: by case id; `defects`: the cases that were approved as a defect of the server.
    `tools`: by name, as advertised, those that the run wrote down for its failures.
    `lost`: why its records are not complete, as a label of the catalogue (`lost_*`), else None.
    """

    started: RunStarted
    cases: list[Case]
    notices: list[Notice]
    findings: dict[str, list[Finding]]
    defects: frozenset[str]
    processes: list[ProcessEnd]
    shares: set[int]
    stop_reason: StopReason | None = None
    determinism: Determinism | None = None
    aborted: bool = False
    declared_failed: bool = False
    open_runs: int = 0
    lost: str | None = None
    ids: list[str] | None = None
    tools: dict[str, Raw] = {}

    @property
    def source(self) -> str:
        """The suite file, as the user named it."""
        return self.started.source

    @property
    def name(self) -> str:
        """The suite's name for people."""
        return self.started.suite.name

    @property
    def missing_shares(self) -> str:
        """The shares that never came, such as `2/5, 3/5`."""
        shard = self.started.shard
        missing = () if shard is None else (i for i in range(1, shard.of + 1) if i not in self.shares)
        return ", ".join(f"{index}/{shard.of}" for index in missing if shard is not None)

    @property
    def status(self) -> str:
        """`passed`, `failed` or `aborted`, as RunnerReport has it."""
        if self.aborted:
            return "aborted"
        good = all(case.status == "passed" for case in self.cases) and not self.declared_failed
        return "passed" if good and self.lost is None else "failed"

    @property
    def summary(self) -> Summary:
        """Count the cases, as RunnerReport has it."""
        counts = dict.fromkeys(STATUSES, 0)
        unverified = 0
        for case in self.cases:
            counts[case.status] += 1
            unverified += case.unverified
        return Summary(
            total=len(self.cases),
            passed=counts["passed"],
            failed=counts["failed"],
            timed_out=counts["timedOut"],
            cancelled=counts["cancelled"],
            not_run=counts["notRun"],
            rejection_unverified=unverified,
        )


class Tally(Struct):
    """Everything the stream told.

    `troubles`: issues and errors, in their order; `orphans`: records of a run that never started.
    """

    suites: list[Suite]
    troubles: list[Issue | Error]
    notices: list[Notice]
    cut: bool = False
    orphans: int = 0

    @property
    def green(self) -> bool:
        """Whether all was tested and all passed: nothing at all is not green."""
        return (
            bool(self.suites)
            and not self.troubles
            and not self.cut
            and not self.orphans
            and all(suite.status == "passed" for suite in self.suites)
            and all(suite.cases for suite in self.suites)
            and not any(notice.severity == "failure" for notice in self.all_notices())
        )

    def all_notices(self) -> list[Notice]:
        """Give the notices of the suites, in their order, then those of none."""
        return [notice for suite in self.suites for notice in suite.notices] + self.notices
