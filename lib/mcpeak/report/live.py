"""An edge: the human report while the run goes on: each case as it finishes, on a terminal.

Rule of this file: when something is written; what it looks like is human.py's.
"""

from mcpeak.report.human import Human, squeezed, suite_width
from mcpeak.report.tally import Suite, Tally
from mcpeak.wire.records import AnyRecord, CaseFinished, RunFinished, RunStarted, Unknown
from mcpeak.wire.writer import Sink


class Live:
    """Writes suites in their order, each case of the suite in front as it comes."""

    def __init__(self, human: Human, sink: Sink) -> None:
        self._human = human
        self._sink = sink
        self._suite = 0  # the suite in front
        self._cases = 0  # how many of its cases are written
        self._lines = 0
        self._headed = False
        self._blank = False
        self._width = 0

    def see(self, record: AnyRecord | Unknown, tally: Tally) -> None:
        """Write what a record has made ready."""
        if isinstance(record, RunStarted | CaseFinished | RunFinished):
            self._advance(tally, closing=False)

    def finish(self, tally: Tally) -> None:
        """Write what is left, and what follows the last suite."""
        self._advance(tally, closing=True)
        if tally.suites:
            self._put(self._human.end(tally))

    def _advance(self, tally: Tally, *, closing: bool) -> None:
        while self._suite < len(tally.suites):
            suite = tally.suites[self._suite]
            self._rows(suite)
            if not closing and not _complete(suite):
                return
            self._put(self._human.foot(suite, self._lines, late=True))
            self._suite, self._cases, self._lines, self._headed = self._suite + 1, 0, 0, False

    def _rows(self, suite: Suite) -> None:
        if not self._headed:
            self._headed, self._width = True, suite_width(suite)
            self._put(([""] if self._suite else []) + self._human.head(suite))
        for case in suite.cases[self._cases :]:
            lines = self._human.case(suite, case, self._width)
            self._lines += len(lines)
            self._put(lines)
        self._cases = len(suite.cases)

    def _put(self, lines: list[str]) -> None:
        lines = list(squeezed(lines, self._blank))
        if lines:
            self._blank = not lines[-1]
            self._sink("".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))


def _complete(suite: Suite) -> bool:
    shard = suite.started.shard
    return not suite.open_runs and (shard is None or len(suite.shares) == shard.of)
