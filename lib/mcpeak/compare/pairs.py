"""Which runs of a stream belong together, and when their verdict is due.

Rule of this file: pure. The first run of a suite goes on as it comes, its `runFinished` waits for the
repetitions; they are compared and go no further, so that a report counts each case once.
"""

from collections.abc import Iterator
from typing import NamedTuple

from mcpeak.compare.verdict import Run, determinism, name_of
from mcpeak.wire.records import (
    AnyRecord,
    CaseFinished,
    CaseStarted,
    Determinism,
    Notice,
    RunFinished,
    RunStarted,
    Unknown,
)

Key = tuple[str, str, int]


class Judged(NamedTuple):
    """The end of a compared suite: the first run's last record, and which cases failed only when repeated."""

    finished: RunFinished
    source: str
    determinism: Determinism
    worse: list[str]


Out = tuple[AnyRecord | Unknown, bytes] | Judged


class Pairs:
    """Takes records in, gives those that go on, and verdicts where they are due."""

    def __init__(self) -> None:
        self._key: Key | None = None
        self._base: RunStarted | None = None
        self._finished: RunFinished | None = None
        self._runs: list[Run] = []
        self._statuses: list[str] = []

    def see(self, record: AnyRecord | Unknown, line: bytes) -> Iterator[Out]:
        """Take one record."""
        if isinstance(record, RunStarted):
            yield from self._started(record, line)
        elif isinstance(record, RunFinished) and self._runs:
            self._ended(record)
        elif isinstance(record, CaseFinished) and self._runs:
            self._runs[-1].cases[record.index] = record
            if self._first():
                yield record, line
        elif isinstance(record, CaseStarted | Notice) and not self._first() and self._of_repeat(record):
            return
        else:
            yield record, line

    def _first(self) -> bool:
        return len(self._runs) <= 1

    def _of_repeat(self, record: CaseStarted | Notice) -> bool:
        """Tell whether a record is one of a repetition; a failure must never be lost on the way."""
        return record.run is not None and not (isinstance(record, Notice) and record.severity == "failure")

    def _started(self, record: RunStarted, line: bytes) -> Iterator[Out]:
        key = (record.source, record.fingerprint, record.shard.index if record.shard else 0)
        if key != self._key:
            yield from self.end()
            self._key, self._base = key, record
            yield record, line
        self._runs.append(Run(record.reset is True, {}))

    def _ended(self, record: RunFinished) -> None:
        self._statuses.append(record.status)
        if self._finished is None:
            self._finished = record

    def end(self) -> Iterator[Out]:
        """Give the verdict of the suite that is open."""
        if self._finished is not None and self._base is not None:
            first, *others = self._runs
            verdict = determinism(first, others, self._base.total)
            yield Judged(self._finished, self._base.source, verdict, self._worse())
        self._key = self._base = self._finished = None
        self._runs, self._statuses = [], []

    def _worse(self) -> list[str]:
        """Name the cases that passed first and did not when repeated: no report may hide them."""
        first, *others = self._runs
        passed = {index for index, case in first.cases.items() if case.result.status == "passed"}
        worse = {
            index for run in others for index, case in run.cases.items() if case.result.status != "passed"
        }
        return [name_of(first.cases[index]) for index in sorted(passed & worse)]
