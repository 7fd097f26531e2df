"""All runs of one suite: against every target, in every era asked for, as often as asked."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from mcpeak.command import exits
from mcpeak.command.failure import Failure
from mcpeak.command.text import cut
from mcpeak.link.connect import Connector
from mcpeak.link.interrupt import Interrupts
from mcpeak.messages import say
from mcpeak.run.outlet import Outlet
from mcpeak.run.settings import Settings
from mcpeak.wire.records import Error, Notice, Severity, SuiteRecord
from mcpeak.wire.writer import Writer

if TYPE_CHECKING:
    from mcpeak.run.cases import Chosen, Suite
    from mcpeak.run.matrix import Seen
    from mcpeak.run.runner import Runner


FEW = 5
"""Tools that are named where there may be many."""
QUOTED = 80
"""Code points of a name."""


class Round(NamedTuple):
    """One run. `era`: with `--matrix`; `repeat`: with `--repeat`, from 1."""

    number: int
    connector: Connector
    era: str | None
    repeat: int | None


class Rounds:
    """The runs of one suite.

    Args:
        record: the suite as it came.
        first: the number of its first run in the stream.
        settings: what was asked for.
        writer: where records go.
        interrupts: signals.
        name: names this program's run to a wrapper of the server.
    """

    def __init__(
        self,
        record: SuiteRecord,
        first: int,
        settings: Settings,
        writer: Writer,
        interrupts: Interrupts,
        name: str,
    ) -> None:
        self._record = record
        self._settings = settings
        self._interrupts = interrupts
        self._outlet = Outlet(writer, record.source)
        self._groups = list(_groups(first, settings, interrupts, name))
        self.chosen = 0  # cases to run, all runs together
        self.ids: list[str] = []  # of the suite's cases, where `--filter` fits none of them

    @property
    def count(self) -> int:
        """How many runs there are at most."""
        return sum(map(len, self._groups))

    def start(self) -> None:
        """Start the first server at once, before anything heavy is imported, unless it may not be needed."""
        settings = self._settings
        if not (settings.filter or settings.shard or settings.reset or self._interrupts.signal):
            self._groups[0][0].connector.start()

    def forward(self, line: bytes) -> None:
        """Pass the suite record on."""
        self._outlet.forward(self._record, line)

    def run(self) -> int:
        """Run; give the exit code."""
        try:
            return self._run()
        except Failure as wrong:
            words = wrong.words
            self._outlet.error(
                Error(
                    stage="run", code=wrong.code, detail=wrong.detail, message=words.message, hint=words.hint
                )
            )
            return wrong.exit
        finally:
            for group in self._groups:
                for one in group:
                    one.connector.abandon()

    def _run(self) -> int:
        from mcpeak.run.cases import read_suite
        from mcpeak.run.choice import choose, ids_of

        suite = read_suite(self._record)
        chosen = choose(suite, self._settings.filter, self._settings.shard, self._record.held_back or ())
        self.chosen = len(chosen)
        if self._record.held_back:
            self._tell_held_back(suite, self._record.held_back)
        if not chosen and self._settings.filter:
            self.ids = ids_of(suite)
            return exits.GOOD
        return worst(self._group(group, suite, chosen) for group in self._groups)

    def _tell_held_back(self, suite: "Suite", ids: list[str]) -> None:
        """Say which tools of a draft are not called: nothing else in a report shows that they exist."""
        from mcpeak.run.choice import tools_of

        names = tools_of(suite, frozenset(ids))
        few = ", ".join(cut(name, QUOTED) for name in names[:FEW]) + (", …" if len(names) > FEW else "")
        self._tell("info", "CASES_HELD_BACK", count=len(names), names=few)

    def _group(self, group: list[Round], suite: "Suite", chosen: "list[Chosen]") -> int:
        """Run against one target, in one era or in each."""
        codes = []
        seen = {}
        refused = {}
        for one in group:
            runner = self._runner(one, suite, chosen)
            status = runner.run()
            if status is not None:
                codes.append(exits.GOOD if status == "passed" else exits.NO)
                seen[one.era] = runner.seen
            elif runner.refused is None:
                codes.append(exits.UNREACHABLE)
            else:
                refused[one.era] = runner.refused
        codes.append(self._compared(seen, refused))
        return worst([*codes, exits.NO if self._outlet.failed else exits.GOOD])

    def _runner(self, one: Round, suite: "Suite", chosen: "list[Chosen]") -> "Runner":
        from mcpeak.link.client import Manner
        from mcpeak.protocol.revisions import wish
        from mcpeak.run.plan import Plan
        from mcpeak.run.runner import Runner

        settings = self._settings
        if settings.reset:
            from mcpeak.command.reset import run_reset

            run_reset(settings.reset)
        manner = settings.manner or Manner(wish(settings.protocol))
        if one.era is not None:
            manner = manner._replace(wish=wish(one.era))
        plan = Plan(one.number, self._record, suite, chosen, one.repeat, one.era)
        return Runner(plan, one.connector, manner, settings, self._outlet)

    def _compared(self, seen: "dict[str | None, dict[str, Seen]]", refused: dict[str | None, str]) -> int:
        """Tell how the runs in several eras differ."""
        if not self._settings.matrix:
            return exits.GOOD
        from mcpeak.run.matrix import compare

        for era, why in refused.items():
            self._tell("info" if seen else "failure", "MATRIX_ERA_REFUSED", era=era, why=why)
        if len(seen) > 1:
            (first, one), (second, other) = seen.items()
            for found in compare(one, other):
                self._tell(
                    "failure" if self._settings.strict else "warning",
                    "MATRIX_DIFFERENCE",
                    word=found.word,
                    case=found.case,
                    first_era=first,
                    second_era=second,
                    first=found.first,
                    second=found.second,
                )
        self._outlet.flush()
        return exits.GOOD if seen else exits.UNREACHABLE

    def _tell(
        self,
        severity: Severity,
        code: str,
        *,
        word: str | None = None,
        case: str | None = None,
        **values: Any,
    ) -> None:
        words = say("run", word or code, **values)
        self._outlet.notice(
            Notice(severity=severity, case=case, code=code, message=words.message, hint=words.hint or None)
        )


def worst(codes: Iterable[int]) -> int:
    """Give the code that decides where several things went wrong."""
    return max(codes, key=_ORDER.index, default=exits.GOOD)


_ORDER = (exits.GOOD, exits.NO, exits.UNREACHABLE, exits.UNREADABLE)


def _groups(first: int, settings: Settings, interrupts: Interrupts, name: str) -> Iterator[list[Round]]:
    """Lay out the runs, numbered in their order."""
    number = first
    for target in settings.targets:
        for repeat in range(1, settings.repeat + 1) if settings.repeat else (None,):
            group = []
            for era in ("legacy", "modern") if settings.matrix else (None,):
                connector = Connector(target, interrupts=interrupts, run=name, part=str(number))
                group.append(Round(number, connector, era, repeat))
                number += 1
            yield group
