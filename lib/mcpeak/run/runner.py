"""One suite against one server: its cases in order, and what becomes of those that cannot run."""

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from mcpeak.command.redact import Redactor
from mcpeak.command.target import described
from mcpeak.link.client import Client, Closed, ConnectFailed, Died, Halt, Interrupted, Manner, Outcome
from mcpeak.link.clock import Clock, now
from mcpeak.link.connect import Connector
from mcpeak.messages import say
from mcpeak.run.cases import Case, Chosen, Suite, call_params, read_case
from mcpeak.run.heard import Heard
from mcpeak.run.judge import Judge, Verdict
from mcpeak.run.listing import follow
from mcpeak.run.outlet import Outlet
from mcpeak.run.repro import repro
from mcpeak.run.settings import Settings
from mcpeak.wire.records import (
    CaseFinished,
    CaseResult,
    CaseStarted,
    Error,
    RunFinished,
    RunStarted,
    RunStatus,
    ServerFacts,
    Shard,
    StopReason,
    SuiteRecord,
    Summary,
)

if TYPE_CHECKING:
    from mcpeak.run.answers import Fault
    from mcpeak.run.assertions import Listed

STDERR_LINES = 50
"""Lines of stderr that one case shows."""
BATCH = 200
"""Results of cases that did not run are written in batches of this size."""


class Plan(NamedTuple):
    """What to run. `run`: its number in the stream; `suite`: `record` read; `chosen`: its cases that run."""

    run: int
    record: SuiteRecord
    suite: Suite
    chosen: list[Chosen]
    repeat: int | None = None


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
        self._run, self._record, self._suite, self._chosen, self._repeat = plan
        self._connector = connector
        self._manner = manner
        self._settings = settings
        self._outlet = outlet
        self._clock = clock
        self._redactor = Redactor(connector.target.secrets)
        self._judge = Judge(self._redactor)
        self._heard = Heard(
            outlet, self._run, self._redactor, strict=settings.strict, strict_stdio=settings.strict_stdio
        )
        self._client: Client | None = None
        self._counts: Counter[str] = Counter()
        self._timeouts = 0
        self.stop: StopReason | None = None
        self.halted = False  # later cases do not run
        self.connected = False
        self.verdicts: dict[str, tuple[str, str | None]] = {}

    def run(self) -> RunStatus | None:
        """Run; None: the server was not reached, which the stream says."""
        try:
            if not self._connect():
                return None
            for place, chosen in enumerate(self._chosen):
                if self.halted:
                    self._leave(place)
                    break
                self._case(chosen)
            self._outlet.flush()
            return self._finish(self._close())
        finally:
            if self._client is not None:
                self._client.close()
            self._connector.abandon()

    def _connect(self) -> bool:
        """Open the connection and begin the run; an interrupted one has nothing but cancelled cases."""
        server = ServerFacts(target=described(self._connector.target))
        if self._chosen:
            try:
                self._client = self._opened(self._settings.retry)
            except Interrupted:
                self._cancel(None)
            except ConnectFailed as failed:
                self._unreached(failed)
                return False
            else:
                known = self._client.server
                server.name, server.version = known.name, known.version
                server.protocol_version, server.era = known.protocol_version, known.era
        self.connected = True
        self._outlet.hold(self._started(server))
        return True

    def _opened(self, retries: int) -> Client:
        """Give an open client; connection trouble is tried again `retries` times."""
        for left in range(retries, -1, -1):
            client = self._connector.client(self._manner, self._heard.event, self._redactor)
            try:
                client.open(self._settings.start_timeout)
            except ConnectFailed as failed:
                client.close()
                if not left:
                    raise
                self._heard.tell(
                    "warning",
                    "CONNECTION_RETRIED",
                    reason=say(failed.room, failed.word, **failed.values).message,
                )
            except BaseException:
                client.close()
                raise
            else:
                return client
        raise AssertionError  # the last try returns or raises

    def _unreached(self, failed: ConnectFailed) -> None:
        words = say(failed.room, failed.word, **failed.values)
        self._outlet.error(
            Error(
                stage="run",
                code="MCP_CONNECTION_FAILED",
                detail=failed.detail,
                message=self._redactor.text(words.message),
                hint=self._redactor.text(words.hint),
                process=failed.process,
            )
        )

    def _started(self, server: ServerFacts) -> RunStarted:
        record, shard = self._record, self._settings.shard
        approval = self._suite.approval
        return RunStarted(
            run=self._run,
            source=record.source,
            suite=self._suite.named(),
            total=len(self._chosen),
            fingerprint=record.fingerprint,
            approval=record.approval,
            approved_fingerprint=record.approved_fingerprint,
            approved_cases=approval.cases if approval is not None else None,
            server=server,
            shard=Shard(index=shard[0], of=shard[1]) if shard is not None else None,
            repeat=self._repeat,
        )

    def _case(self, chosen: Chosen) -> None:
        """Run one case, again where its connection broke and `--retry` allows it."""
        case = read_case(chosen.raw)
        attempt = 1
        while True:
            last = attempt > self._settings.retry
            verdict, outcome = self._attempt(chosen, case, attempt if self._settings.retry else None)
            if last or not isinstance(outcome, Died):
                break
            self._restart()
            if self.halted:
                break
            attempt += 1
        self._count(case, verdict)
        self._decide(case, outcome, verdict.result)

    def _attempt(
        self, chosen: Chosen, case: Case, attempt: int | None
    ) -> "tuple[Verdict, Outcome | Listed | Fault]":
        client, outlet = self._client, self._outlet
        assert client is not None  # noqa: S101 - without a client the run is halted
        self._heard.case = case.id
        limit_ms = self._suite.timeout_ms(case)
        limit = limit_ms / 1000
        mark = client.tail.total if client.tail is not None else 0
        outlet.hold(CaseStarted(run=self._run, index=chosen.place, id=case.id, name=case.name))
        began = self._clock()
        if case.operation.type == "listTools":
            number = client.request("tools/list")
            outlet.flush()
            outcome: Outcome | Listed | Fault = follow(client, number, limit, self._clock)
        else:
            number = client.request("tools/call", call_params(case))
            outlet.flush()
            outcome = client.wait(number, limit)
        elapsed = self._clock() - began
        verdict = self._judge.case(case, chosen.raw, outcome, limit_ms, self._last_words(outcome))
        self._heard.called()
        self._finished(chosen, case, verdict, elapsed, mark, attempt)
        return verdict, outcome

    def _finished(
        self, chosen: Chosen, case: Case, verdict: Verdict, elapsed: float, mark: int, attempt: int | None
    ) -> None:
        """Hold the record of a case that had its turn."""
        record = CaseFinished(
            run=self._run,
            index=chosen.place,
            elapsed_ms=round(elapsed * 1000, 3),
            result=verdict.result,
            answer=verdict.answer,
            answer_digest=verdict.digest,
            attempt=attempt,
            flaky=True if attempt is not None and attempt > 1 and verdict.result.status == "passed" else None,
        )
        self._place(record, chosen.place, len(case.assertions))
        client = self._client
        if client is not None and client.tail is not None and client.tail.total > mark:
            lines, left_out = client.tail.since(mark, STDERR_LINES)
            record.stderr = [self._redactor.text(line) for line in lines]
            record.stderr_dropped = left_out or None
        if verdict.result.status != "passed" and client is not None:
            record.repro = repro(client.opening, client.server.era, case, self._redactor)
        if verdict.refused is not None:
            error = verdict.refused
            self._heard.tell(
                "info",
                "PROTOCOL_ERROR_AS_REJECTION",
                number=error.code,
                text=self._redactor.text(error.message),
            )
        self._outlet.hold(record)

    def _place(self, record: CaseFinished, index: int, assertions: int) -> None:
        positions = self._record.positions
        if positions is None:
            return
        path = f"cases[{index}]"
        record.position = positions.get(path)
        found = [positions.get(f"{path}.assertions[{place}]") for place in range(assertions)]
        record.assertion_positions = [place for place in found if place is not None] or None

    def _last_words(self, outcome: object) -> str:
        client = self._client
        if not isinstance(outcome, Died) or client is None or client.tail is None:
            return ""
        return "\n".join(client.tail.since(0, 10)[0])

    def _count(self, case: Case, verdict: Verdict) -> None:
        self._counts[verdict.result.status] += 1
        self._counts["unverified"] += verdict.result.rejection_basis == "unverified"
        if self._settings.matrix:
            self.verdicts[case.id] = (verdict.result.status, verdict.digest)

    def _decide(self, case: Case, outcome: object, result: CaseResult) -> None:
        """Decide what becomes of the cases that follow."""
        self._timeouts = self._timeouts + 1 if result.status == "timedOut" else 0
        if outcome is Halt.INTERRUPTED:
            self._cancel(case.id)
        elif isinstance(outcome, Died):
            self._lost(StopReason(type="serverExited", case_id=case.id))
        elif self._settings.max_timeouts and self._timeouts >= self._settings.max_timeouts:
            self._timeouts = 0
            self._lost(StopReason(type="timeout", case_id=case.id))
        elif self._settings.fail_fast and result.status != "passed":
            self.halted = True

    def _lost(self, reason: StopReason) -> None:
        """Go on with a new process if that is wanted, else stop."""
        if self._settings.fail_fast or not self._settings.restart:
            self.stop, self.halted = reason, True
            return
        self._heard.tell("warning", "SERVER_RESTARTED", case=reason.case_id)
        self._restart()
        if self.halted and self.stop is None:
            self.stop = reason

    def _restart(self) -> None:
        """End what is left of the server and start it again."""
        if self._client is not None:
            self._heard.closed(self._client.close())
        try:
            self._client = self._opened(0)
        except Interrupted:
            self._cancel(None)
        except ConnectFailed as failed:
            words = say(failed.room, failed.word, **failed.values)
            self._heard.tell("failure", "SERVER_RESTART_FAILED", reason=self._redactor.text(words.message))
            self.halted = True

    def _cancel(self, case_id: str | None) -> None:
        self.stop, self.halted = StopReason(type="cancelled", case_id=case_id), True

    def _leave(self, place: int) -> None:
        """Tell of the cases that had no turn."""
        cancelled = self.stop is not None and self.stop.type == "cancelled"
        status = "cancelled" if cancelled else "notRun"
        for count, chosen in enumerate(self._chosen[place:], 1):
            case = read_case(chosen.raw)
            result = self._judge.not_run(case, chosen.raw, "cancelled" if cancelled else "notRun")
            record = CaseFinished(run=self._run, index=chosen.place, elapsed_ms=0, result=result)
            self._place(record, chosen.place, len(case.assertions))
            self._counts[status] += 1
            self._outlet.hold(record)
            if count % BATCH == 0:
                self._outlet.flush()

    def _close(self) -> Closed:
        closed = self._client.close() if self._client is not None else Closed()
        self._heard.closed(closed)
        return closed

    def _finish(self, closed: Closed) -> RunStatus:
        counts = self._counts
        summary = Summary(
            total=len(self._chosen),
            passed=counts["passed"],
            failed=counts["failed"],
            timed_out=counts["timedOut"],
            cancelled=counts["cancelled"],
            not_run=counts["notRun"],
            rejection_unverified=counts["unverified"],
        )
        status: RunStatus = "passed" if summary.passed == summary.total else "failed"
        if self.stop is not None and self.stop.type == "cancelled":
            status = "aborted"
        process = closed.process
        if process is not None and process.ended_by == "SIGKILL" and status != "passed":
            process.abnormal = True
        self._outlet.hold(
            RunFinished(run=self._run, status=status, stop_reason=self.stop, summary=summary, process=process)
        )
        self._outlet.flush()
        return status
