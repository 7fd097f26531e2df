"""One suite against one server: its cases in order, and what becomes of those that cannot run.

The next request goes out before the last answer is judged, so that the server works while we do; a decision
that the next case depends on (`--fail-fast`, a timeout, a death) is made first.
"""

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from mcpeak.command.redact import Redactor
from mcpeak.command.target import described
from mcpeak.link.client import ConnectFailed, Died, Halt, Interrupted, Manner, Outcome
from mcpeak.link.clock import Clock, now
from mcpeak.link.connect import Connector
from mcpeak.protocol.events import Answer
from mcpeak.run.afterwards import Afterwards
from mcpeak.run.assertions import Listed
from mcpeak.run.cases import Chosen, Suite, read_case
from mcpeak.run.connection import Connection
from mcpeak.run.heard import Heard
from mcpeak.run.judge import Judge, Verdict
from mcpeak.run.listing import follow
from mcpeak.run.matrix import Seen, essence
from mcpeak.run.outlet import Outlet
from mcpeak.run.repro import repro
from mcpeak.run.settings import Settings
from mcpeak.run.turn import Recorder, Turn, prepare
from mcpeak.wire.reader import decode
from mcpeak.wire.records import (
    CaseStarted,
    Error,
    Finding,
    Notice,
    RunFinished,
    RunStarted,
    RunStatus,
    ServerFacts,
    Shard,
    StopReason,
    SuiteRecord,
    Summary,
)
from mcpeak.wire.writer import encode

if TYPE_CHECKING:
    from mcpeak.run.answers import Fault

_ANSWERED = frozenset({Answer, Listed})

BATCH = 200
"""Results of cases that did not run are written in batches of this size."""
LAST_WORDS = 10
"""Lines of stderr that stand under a death."""


class Plan(NamedTuple):
    """What to run. `run`: its number in the stream; `suite`: `record` read; `chosen`: its cases that run."""

    run: int
    record: SuiteRecord
    suite: Suite
    chosen: list[Chosen]
    repeat: int | None = None


class Sent(Struct, gc=False):
    """A request on its way. `mark`: lines of stderr before it; `elapsed`: seconds until its outcome."""

    number: int
    began: float
    mark: int
    attempt: int
    elapsed: float = 0.0


class Runner:
    """Runs the chosen cases of one suite against one server."""

    def __init__(
        self,
        plan: Plan,
        connector: Connector,
        manner: Manner,
        settings: Settings,
        outlet: Outlet,
        clock: Clock = now,
    ) -> None:
        self._plan = plan
        self._connector = connector
        self._settings = settings
        self._outlet = outlet
        self._clock = clock
        self._redactor = Redactor(connector.target.secrets)
        self._judge = Judge(self._redactor)
        self._recorder = Recorder(plan.run, plan.record, self._redactor)
        self._heard = Heard(
            outlet, plan.run, self._redactor, strict=settings.strict, strict_stdio=settings.strict_stdio
        )
        self._connection = Connection(
            connector, manner, settings.start_timeout, self._heard, self._redactor, outlet.flush
        )
        self._afterwards = Afterwards(self._heard, self._redactor)
        self._server = ServerFacts(target=described(connector.target))
        connector.hear_record = self._told
        self._wrapped: Error | None = None
        self._counts: Counter[str] = Counter()
        self._prepared = 0
        self._done = 0
        self._timeouts = 0  # in a row
        self._smooth = not settings.fail_fast  # the next request may go out before the verdict
        self._halted = False  # later cases do not run
        self._stop: StopReason | None = None
        self.refused: str | None = None  # with --matrix: why the server does not speak this era
        self.seen: dict[str, Seen] = {}

    def run(self) -> RunStatus | None:
        """Run; None: the server was not reached, which the stream says."""
        try:
            if not self._begin():
                return None
            self._cases()
            self._leave()
            return self._finish()
        finally:
            self._connection.abandon()

    def _begin(self) -> bool:
        """Open the connection and begin the run; an interrupted one has nothing but cancelled cases."""
        server = self._server
        try:
            if self._plan.chosen:
                known = self._connection.open(self._settings.retry).server
                server.name, server.version = known.name, known.version
                server.protocol_version, server.era = known.protocol_version, known.era
        except Interrupted:
            self._cancel(None)
        except ConnectFailed as failed:
            if self._settings.matrix and failed.detail in ("HANDSHAKE_FAILED", "HANDSHAKE_TIMEOUT"):
                self.refused = self._connection.words(failed)
            else:
                self._outlet.error(self._wrapped or self._connection.error(failed))
            return False
        self._outlet.hold(self._started(server))
        return True

    def _started(self, server: ServerFacts) -> RunStarted:
        plan, shard = self._plan, self._settings.shard
        record, approval = plan.record, plan.suite.approval
        return RunStarted(
            run=plan.run,
            source=record.source,
            suite=plan.suite.named(),
            total=len(plan.chosen),
            fingerprint=record.fingerprint,
            approval=record.approval,
            approved_fingerprint=record.approved_fingerprint,
            approved_cases=approval.cases if approval is not None else None,
            server=server,
            shard=Shard(index=shard[0], of=shard[1]) if shard is not None else None,
            repeat=plan.repeat,
            reset=True if self._settings.reset else None,
        )

    def _cases(self) -> None:
        """Run the cases until one of them halts the run."""
        turn = self._next()
        sent = self._send(turn)
        while turn is not None and sent is not None:
            self._outlet.hold(
                CaseStarted(run=self._plan.run, index=turn.place, id=turn.case.id, name=turn.case.name)
            )
            if self._outlet.full or not self._connection.idles:
                self._outlet.flush()
            coming = self._next()
            outcome = self._wait(turn, sent)
            ahead = self._send(coming) if self._smooth and type(outcome) in _ANSWERED else None
            verdict = self._record(turn, sent, outcome)
            if ahead is None:
                outcome, verdict = self._tried_again(turn, sent, outcome, verdict)
            if self._settings.matrix:
                self.seen[turn.case.id] = Seen(verdict.result.status, essence(outcome))
            self._afterwards.note(turn, verdict, outcome)
            self._decide(turn, outcome, verdict)
            if self._halted:
                return
            turn, sent = coming, ahead or self._send(coming)

    def _next(self) -> Turn | None:
        """Get the next case ready, while the server works on the one before."""
        if self._halted or self._prepared == len(self._plan.chosen):
            return None
        self._prepared += 1
        return prepare(self._plan.suite, self._plan.chosen[self._prepared - 1])

    def _send(self, turn: Turn | None, attempt: int = 1) -> Sent | None:
        if turn is None:
            return None
        client = self._connection.client
        assert client is not None  # noqa: S101 - a run without a client is halted
        tail = client.tail
        began = self._clock()
        number = client.request(turn.method, turn.params)
        return Sent(number, began, tail.total if tail is not None else 0, attempt)

    def _wait(self, turn: Turn, sent: Sent) -> "Outcome | Listed | Fault":
        client = self._connection.client
        assert client is not None  # noqa: S101 - as above
        self._heard.case = turn.case.id
        limit = turn.limit_ms / 1000
        outcome: Outcome | Listed | Fault
        if turn.params is None:
            outcome = follow(client, sent.number, limit, self._clock)
        else:
            outcome = client.wait(sent.number, limit)
        sent.elapsed = self._clock() - sent.began
        return outcome

    def _record(self, turn: Turn, sent: Sent, outcome: "Outcome | Listed | Fault") -> Verdict:
        """Judge a case and hold its record."""
        client = self._connection.client
        tail = client.tail if client is not None else None
        last = "\n".join(tail.since(0, LAST_WORDS)[0]) if tail is not None and type(outcome) is Died else ""
        verdict = self._judge.case(turn.case, turn.raw, outcome, turn.limit_ms, last)
        attempt = sent.attempt if self._settings.retry else None
        record = self._recorder.finished(turn, verdict, sent.elapsed, attempt)
        if tail is not None and tail.total > sent.mark:
            self._recorder.stderr(record, tail, sent.mark)
        if verdict.result.status != "passed" and client is not None:
            record.repro = repro(client.opening, client.server.era, turn.case, self._redactor)
        if verdict.refused is not None:
            self._heard.refused(verdict.refused)
        if verdict.complaint is not None:
            self._heard.finding("ERROR_TEXT_IN_SUCCESS", line=self._redactor.text(verdict.complaint))
        self._heard.called()
        self._outlet.hold(record)
        return verdict

    def _tried_again(
        self, turn: Turn, sent: Sent, outcome: "Outcome | Listed | Fault", verdict: Verdict
    ) -> "tuple[Outcome | Listed | Fault, Verdict]":
        """Run a case again whose connection broke, as often as `--retry` allows."""
        for attempt in range(sent.attempt + 1, self._settings.retry + 2):
            if not isinstance(outcome, Died):
                break
            self._restart()
            again = None if self._halted else self._send(turn, attempt)
            if again is None:
                break
            self._outlet.flush()
            outcome = self._wait(turn, again)
            verdict = self._record(turn, again, outcome)
        return outcome, verdict

    def _decide(self, turn: Turn, outcome: object, verdict: Verdict) -> None:
        """Count a case, and decide what becomes of those that follow."""
        result = verdict.result
        self._done += 1
        self._counts[result.status] += 1
        self._counts["unverified"] += result.rejection_basis == "unverified"
        self._timeouts = self._timeouts + 1 if result.status == "timedOut" else 0
        if outcome is Halt.INTERRUPTED:
            self._cancel(turn.case.id)
        elif isinstance(outcome, Died):
            self._lost(StopReason(type="serverExited", case_id=turn.case.id))
        elif self._settings.max_timeouts and self._timeouts >= self._settings.max_timeouts:
            self._timeouts = 0
            self._lost(StopReason(type="timeout", case_id=turn.case.id))
        elif self._settings.fail_fast and result.status != "passed":
            self._halted = True

    def _lost(self, reason: StopReason) -> None:
        """Go on with a new process if that is wanted and there is a case for it, else stop."""
        if self._halted or self._done == len(self._plan.chosen):
            self._stop = reason if self._stop is None and reason.type == "timeout" else self._stop
            return
        if self._settings.fail_fast or not self._settings.restart:
            self._stop, self._halted = reason, True
            return
        self._heard.tell("warning", "SERVER_RESTARTED", case=reason.case_id)
        self._restart()
        if self._halted and self._stop is None:
            self._stop = reason

    def _restart(self) -> None:
        """End what is left of the server and start it again."""
        self._connection.close()
        try:
            self._connection.open()
        except Interrupted:
            self._cancel(None)
        except ConnectFailed as failed:
            self._heard.tell("failure", "SERVER_RESTART_FAILED", reason=self._connection.words(failed))
            self._halted = True

    def _cancel(self, case_id: str | None) -> None:
        self._stop, self._halted = StopReason(type="cancelled", case_id=case_id), True

    def _leave(self) -> None:
        """Tell of the cases that had no turn."""
        cancelled = self._stop is not None and self._stop.type == "cancelled"
        for count, chosen in enumerate(self._plan.chosen[self._done :], 1):
            case = read_case(chosen.raw)
            result = self._judge.not_run(case, chosen.raw, "cancelled" if cancelled else "notRun")
            self._counts[result.status] += 1
            self._outlet.hold(self._recorder.left(chosen.place, result, len(case.assertions)))
            if count % BATCH == 0:
                self._outlet.flush()
        self._outlet.flush()

    def _finish(self) -> RunStatus:
        """End the server and the run; a wrapper of the server hears of the verdict first."""
        counts = self._counts
        summary = Summary(
            total=len(self._plan.chosen),
            passed=counts["passed"],
            failed=counts["failed"],
            timed_out=counts["timedOut"],
            cancelled=counts["cancelled"],
            not_run=counts["notRun"],
            rejection_unverified=counts["unverified"],
        )
        status: RunStatus = "passed" if summary.passed == summary.total else "failed"
        if self._stop is not None and self._stop.type == "cancelled":
            status = "aborted"
        finished = RunFinished(run=self._plan.run, status=status, stop_reason=self._stop, summary=summary)
        finished.findings = self._look_back()
        process = self._connection.close(encode(finished)).process
        if process is not None and process.ended_by == "SIGKILL" and status != "passed":
            process.abnormal = True
        finished.process = process
        self._outlet.hold(finished)
        self._outlet.flush()
        return status

    def _look_back(self) -> list[Finding] | None:
        """Compare cases and answers with what the tools declare; a server in trouble is not asked."""
        tools = self._afterwards.look(None if self._halted else self._connection.client)
        if not tools:
            return None
        self._heard.case = None
        self._afterwards.outputs(tools)
        for record in self._afterwards.records(self._server):
            self._outlet.hold(record)
        return self._afterwards.findings(tools)

    def _told(self, line: bytes) -> None:
        """Take what a wrapper of the server says: a notice of this run, or why it could not start."""
        try:
            record = decode(line)
        except ValueError:
            return
        if isinstance(record, Notice):
            record.run = self._plan.run
            self._outlet.notice(record)
        elif isinstance(record, Error):
            self._wrapped = record
