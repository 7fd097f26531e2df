"""Which runs of a stream belong together, and when their verdict is due.

Rule of this file: pure. The first run of a suite goes on as it comes, its `runFinished` waits for the
repetitions; they are compared and go no further, so that a report counts each case once. Runs may come one
after the other or mixed (`--jobs`), from one program or from several whose numbers are the same.
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


class _Group:
    """The runs of one suite, the first of which goes on."""

    def __init__(self, base: RunStarted) -> None:
        self.base = base
        self.finished: RunFinished | None = None
        self.runs: list[Run] = []

    def judged(self) -> Iterator[Judged]:
        """Give the verdict, if the first run came to its end."""
        if self.finished is not None:
            first, *others = self.runs
            verdict = determinism(first, others, self.base.total)
            yield Judged(self.finished, self.base.source, verdict, self._worse())

    def _worse(self) -> list[str]:
        """Name the cases that passed first and did not when repeated: no report may hide them."""
        first, *others = self.runs
        passed = {index for index, case in first.cases.items() if case.result.status == "passed"}
        worse = {
            index for run in others for index, case in run.cases.items() if case.result.status != "passed"
        }
        return [name_of(first.cases[index]) for index in sorted(passed & worse)]


class Pairs:
    """Takes records in, gives those that go on, and verdicts where they are due."""

    def __init__(self) -> None:
        self._groups: dict[Key, _Group] = {}
        self._open: dict[int, tuple[_Group, int]] = {}

    def see(self, record: AnyRecord | Unknown, line: bytes) -> Iterator[Out]:
        """Take one record."""
        if isinstance(record, RunStarted):
            yield from self._started(record, line)
            return
        number = getattr(record, "run", None)
        group, place = self._open.get(number, (None, 0)) if number is not None else (None, 0)
        if group is None:
            yield record, line
        elif isinstance(record, RunFinished):
            self._ended(record, group, place)
        elif isinstance(record, CaseFinished):
            group.runs[place].cases[record.index] = record
            if place == 0:
                yield record, line
        elif place == 0 or not _of_repeat(record):
            yield record, line

    def _started(self, record: RunStarted, line: bytes) -> Iterator[Out]:
        key = (record.source, record.fingerprint, record.shard.index if record.shard else 0)
        yield from self._freed(record.run, key)
        if key not in self._groups:
            self._groups[key] = _Group(record)
            yield record, line
        group = self._groups[key]
        group.runs.append(Run(record.reset is True, {}))
        self._open[record.run] = (group, len(group.runs) - 1)

    def _freed(self, number: int, key: Key) -> Iterator[Judged]:
        """Give the verdict of another suite whose run had the number that is used again."""
        for other, group in list(self._groups.items()):
            if other != key and group.base.run == number:
                yield from self._groups.pop(other).judged()

    def _ended(self, record: RunFinished, group: _Group, place: int) -> None:
        if place == 0:
            group.finished = record

    def end(self) -> Iterator[Judged]:
        """Give the verdicts of all suites that are left."""
        for group in self._groups.values():
            yield from group.judged()
        self._groups, self._open = {}, {}


def _of_repeat(record: AnyRecord | Unknown) -> bool:
    """Tell whether a record of a repetition says nothing new; a failure must never be lost on the way."""
    return isinstance(record, CaseStarted) or (isinstance(record, Notice) and record.severity != "failure")
