"""The stream through mcpeak-run: each suite against its servers, everything else passed on; the exit code."""

import os
from collections.abc import Iterable

from mcpeak.command import exits
from mcpeak.command.text import cut
from mcpeak.link.interrupt import Interrupts
from mcpeak.messages import say
from mcpeak.run.outlet import Outlet
from mcpeak.run.rounds import Rounds, worst
from mcpeak.run.settings import Settings
from mcpeak.wire.reader import BadLine, CutStream, read
from mcpeak.wire.records import AnyRecord, Error, Issue, Notice, SuiteRecord, Unknown
from mcpeak.wire.writer import Writer

QUOTED = 80  # code points of a case id


class Suites:
    """Runs every suite of a stream."""

    def __init__(self, settings: Settings, writer: Writer, interrupts: Interrupts) -> None:
        self._settings = settings
        self._writer = writer
        self._interrupts = interrupts
        self._name = os.urandom(8).hex()
        self._runs = 0
        self._suites = 0
        self._chosen = 0
        self._ids: list[str] = []
        self._codes: list[int] = []

    def run(self, lines: Iterable[bytes]) -> int:
        """Run; give the exit code."""
        outlet = Outlet(self._writer)
        try:
            self._read(lines, outlet)
        except (CutStream, BadLine):
            if self._interrupts.signal is None:
                raise
        if self._interrupts.signal is not None:
            return self._interrupts.exit_code
        if not self._suites and not self._codes:
            self._codes.append(_nothing(outlet, "NOTHING_TO_RUN"))
        elif self._suites and not self._chosen and self._settings.filter:
            self._codes.append(_nothing(outlet, "NO_CASE_CHOSEN", names=self._examples()))
        return worst(self._codes)

    def _read(self, lines: Iterable[bytes], outlet: Outlet) -> None:
        if self._settings.jobs > 1:
            self._side_by_side(lines, outlet)
            return
        for record, line in read(lines):
            if isinstance(record, SuiteRecord):
                self._run(self._rounds(record, line, early=True))
            else:
                self._pass(outlet, record, line)

    def _side_by_side(self, lines: Iterable[bytes], outlet: Outlet) -> None:
        from mcpeak.run.lanes import Lanes

        lanes = Lanes(self._settings.jobs, self._interrupts)
        try:
            for record, line in read(lines):
                if isinstance(record, SuiteRecord):
                    rounds = self._rounds(record, line, early=False)
                    lanes.go(lambda rounds=rounds: self._run(rounds))  # type: ignore[misc]  # a default binds the value of this turn
                else:
                    self._pass(outlet, record, line)
        finally:
            lanes.join()

    def _rounds(self, record: SuiteRecord, line: bytes, *, early: bool) -> Rounds:
        rounds = Rounds(record, self._runs, self._settings, self._writer, self._interrupts, self._name)
        self._suites += 1
        self._runs += rounds.count
        if early:
            rounds.start()
        rounds.forward(line)
        return rounds

    def _run(self, rounds: Rounds) -> None:
        self._codes.append(rounds.run())
        self._chosen += rounds.chosen
        self._ids += rounds.ids

    def _examples(self) -> str:
        """Name a few cases that there are."""
        from mcpeak.run.choice import examples

        chosen = examples(self._ids, self._settings.filter)
        names = ", ".join(cut(name, QUOTED) for name in chosen)
        left = len(set(self._ids)) - len(chosen)
        return f"{names}, … (+{left})" if left else names

    def _pass(self, outlet: Outlet, record: AnyRecord | Unknown, line: bytes) -> None:
        outlet.forward(record, line)
        if isinstance(record, Issue) or (isinstance(record, Notice) and record.severity == "failure"):
            self._codes.append(exits.NO)
        elif isinstance(record, Error):
            self._codes.append(exits.UNREADABLE)


def _nothing(outlet: Outlet, code: str, **values: str) -> int:
    words = say("run", code, **values)
    outlet.error(Error(stage="run", code=code, message=words.message, hint=words.hint))
    return exits.UNREADABLE
