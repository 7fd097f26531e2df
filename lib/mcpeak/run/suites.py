"""The stream through mcpeak-run: each suite against its server, everything else passed on; the exit code."""

import secrets
from collections.abc import Iterable

from mcpeak.command import exits
from mcpeak.command.target import Target
from mcpeak.link.connect import Connector
from mcpeak.link.interrupt import Interrupts
from mcpeak.messages import say
from mcpeak.run.outlet import Outlet
from mcpeak.run.settings import Settings
from mcpeak.wire.reader import BadLine, CutStream, read
from mcpeak.wire.records import AnyRecord, Error, Issue, Notice, SuiteRecord, Unknown
from mcpeak.wire.writer import Writer

_WORST = (exits.UNREADABLE, exits.UNREACHABLE, exits.NO)
"""What decides where several things went wrong, worst first."""


class Suites:
    """Runs every suite of a stream."""

    def __init__(self, settings: Settings, writer: Writer, interrupts: Interrupts) -> None:
        self._settings = settings
        self._writer = writer
        self._interrupts = interrupts
        self._name = secrets.token_hex(8)
        self._runs = 0
        self._suites = 0
        self._codes: set[int] = set()

    def run(self, lines: Iterable[bytes]) -> int:
        """Run; give the exit code."""
        outlet = Outlet(self._writer)
        try:
            for record, line in read(lines):
                if isinstance(record, SuiteRecord):
                    self._suite(record, line)
                else:
                    self._pass(outlet, record, line)
        except (CutStream, BadLine):
            if self._interrupts.signal is None:
                raise
        if self._interrupts.signal is not None:
            return self._interrupts.exit_code
        if not self._suites and not self._codes:
            self._codes.add(_nothing(outlet))
        return next((code for code in _WORST if code in self._codes), exits.GOOD)

    def _pass(self, outlet: Outlet, record: AnyRecord | Unknown, line: bytes) -> None:
        outlet.forward(record, line)
        if isinstance(record, Issue) or (isinstance(record, Notice) and record.severity == "failure"):
            self._codes.add(exits.NO)
        elif isinstance(record, Error):
            self._codes.add(exits.UNREADABLE)

    def _suite(self, record: SuiteRecord, line: bytes) -> None:
        """Run one suite; its server starts before anything heavy is imported."""
        self._suites += 1
        connectors = [self._connector(target) for target in self._settings.targets]
        if not self._settings.filter and self._interrupts.signal is None:
            connectors[0].start()
        outlet = Outlet(self._writer, record.source)
        outlet.forward(record, line)
        try:
            self._codes.add(self._against(record, outlet, connectors))
        finally:
            for connector in connectors:
                connector.abandon()

    def _connector(self, target: Target) -> Connector:
        connector = Connector(target, interrupts=self._interrupts, run=self._name, part=str(self._runs))
        self._runs += 1
        return connector

    def _against(self, record: SuiteRecord, outlet: Outlet, connectors: list[Connector]) -> int:
        from mcpeak.link.client import Manner
        from mcpeak.protocol.revisions import wish
        from mcpeak.run.cases import read_suite
        from mcpeak.run.choice import choose
        from mcpeak.run.runner import Plan, Runner

        suite = read_suite(record)
        chosen = choose(suite, self._settings.filter, self._settings.shard)
        manner = Manner(wish(self._settings.protocol))
        code = exits.GOOD
        for number, connector in enumerate(connectors, self._runs - len(connectors)):
            plan = Plan(number, record, suite, chosen)
            status = Runner(plan, connector, manner, self._settings, outlet).run()
            if status is None:
                code = exits.UNREACHABLE
            elif status != "passed" or outlet.failed:
                code = code or exits.NO
        return code


def _nothing(outlet: Outlet) -> int:
    words = say("run", "NOTHING_TO_RUN")
    outlet.error(Error(stage="run", code="NOTHING_TO_RUN", message=words.message, hint=words.hint))
    return exits.UNREADABLE
