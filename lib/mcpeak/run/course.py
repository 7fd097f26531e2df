"""The course of a run: its cases in order, and what becomes of those that cannot run.

The next request goes out before the last answer is judged, so that the server works while we do; a decision
that the next case depends on (`--fail-fast`, a timeout, a death) is made first.
"""

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from mcpeak.command.redact import Redactor
from mcpeak.link.client import Client, ConnectFailed, Died, Halt, Interrupted, Outcome
from mcpeak.link.clock import Clock
from mcpeak.protocol.events import Answer
from mcpeak.run.afterwards import Afterwards
from mcpeak.run.assertions import Listed
from mcpeak.run.cases import read_case
from mcpeak.run.connection import Connection
from mcpeak.run.heard import Heard
from mcpeak.run.judge import Judge, Verdict
from mcpeak.run.listing import follow
from mcpeak.run.matrix import Seen, essence
from mcpeak.run.outlet import Outlet
from mcpeak.run.plan import Plan
from mcpeak.run.repro import repro
from mcpeak.run.settings import Settings
from mcpeak.run.turn import Recorder, Turn, prepare
from mcpeak.wire.records import CaseStarted, StopReason, Summary

if TYPE_CHECKING:
    from mcpeak.run.answers import Fault

_ANSWERED = frozenset({Answer, Listed})

BATCH = 200
"""Results of cases that did not run are written in batches of this size."""
LAST_WORDS = 10
"""Lines of stderr that stand under a death."""


class Sent(Struct, gc=False):
    """A request on its way. `mark`: lines of stderr before it; `elapsed`: seconds until its outcome."""

    number: int
    began: float
    mark: int
    attempt: int
    elapsed: float = 0.0


class Course:
    """Runs the cases of one plan.

    Attributes:
        halted: the later cases do not run.
        stop: why, if it is a reason that a report names.
        seen: with `--matrix`, what became of each case.
    """

    def __init__(
        self,
        plan: Plan,
        connection: Connection,
        settings: Settings,
        outlet: Outlet,
        heard: Heard,
        redactor: Redactor,
        clock: Clock,
    ) -> None:
        self.halted = False
        self.stop: StopReason | None = None
        self.seen: dict[str, Seen] = {}
        self.afterwards = Afterwards(heard, redactor)
        self._plan = plan
        self._connection = connection
        self._settings = settings
        self._outlet = outlet
        self._heard = heard
        self._redactor = redactor
        self._clock = clock
        self._judge = Judge(redactor, canned=connection.canned)
        self._recorder = Recorder(plan.run, plan.record, redactor)
        self._counts: Counter[str] = Counter()
        self._prepared = 0
        self._done = 0
        self._timeouts = 0  # in a row
        self._smooth = not settings.fail_fast  # the next request may go out before the verdict

    @property
    def troubled(self) -> bool:
        """Whether the server is dead, hung, or was slow at last: it is asked nothing more."""
        return self.halted or self._timeouts > 0

    def run(self) -> Summary:
        """Run all cases that can run, and tell of the others."""
        if not self.halted:
            self._cases()
        self._leave()
        counts = self._counts
        return Summary(
            total=len(self._plan.chosen),
            passed=counts["passed"],
            failed=counts["failed"],
            timed_out=counts["timedOut"],
            cancelled=counts["cancelled"],
            not_run=counts["notRun"],
            rejection_unverified=counts["unverified"],
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
            self.afterwards.note(turn, verdict, outcome)
            self._decide(turn, outcome, verdict)
            if self.halted:
                return
            turn, sent = coming, ahead or self._send(coming)

    def _next(self) -> Turn | None:
        """Get the next case ready, while the server works on the one before."""
        if self.halted or self._prepared == len(self._plan.chosen):
            return None
        self._prepared += 1
        return prepare(self._plan.suite, self._plan.chosen[self._prepared - 1])

    def _client(self) -> Client:
        client = self._connection.client
        assert client is not None  # noqa: S101 - a run without a client is halted
        return client

    def _send(self, turn: Turn | None, attempt: int = 1) -> Sent | None:
        if turn is None:
            return None
        client = self._client()
        tail = client.tail
        began = self._clock()
        number = client.request(turn.method, turn.params)
        return Sent(number, began, tail.total if tail is not None else 0, attempt)

    def _wait(self, turn: Turn, sent: Sent) -> "Outcome | Listed | Fault":
        client = self._client()
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
            again = None if self.halted else self._send(turn, attempt)
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
            self.cancel(turn.case.id)
        elif isinstance(outcome, Died):
            self._lost(StopReason(type="serverExited", case_id=turn.case.id))
        elif self._settings.max_timeouts and self._timeouts >= self._settings.max_timeouts:
            self._timeouts = 0
            self._lost(StopReason(type="timeout", case_id=turn.case.id))
        elif self._settings.fail_fast and result.status != "passed":
            self.halted = True

    def _lost(self, reason: StopReason) -> None:
        """Go on with a new process if that is wanted and there is a case for it, else stop."""
        if self.halted or self._done == len(self._plan.chosen):
            self.stop = reason if self.stop is None and reason.type == "timeout" else self.stop
            return
        if self._settings.fail_fast or not self._settings.restart:
            self.stop, self.halted = reason, True
            return
        self._heard.tell("warning", "SERVER_RESTARTED", case=reason.case_id)
        self._restart()
        if self.halted and self.stop is None:
            self.stop = reason

    def _restart(self) -> None:
        """End what is left of the server and start it again."""
        self._connection.close()
        try:
            self._connection.open()
        except Interrupted:
            self.cancel(None)
        except ConnectFailed as failed:
            self._heard.tell("failure", "SERVER_RESTART_FAILED", reason=self._connection.words(failed))
            self.halted = True

    def cancel(self, case_id: str | None) -> None:
        """Give up: an interrupt came."""
        self.stop, self.halted = StopReason(type="cancelled", case_id=case_id), True

    def _leave(self) -> None:
        """Tell of the cases that had no turn."""
        cancelled = self.stop is not None and self.stop.type == "cancelled"
        for count, chosen in enumerate(self._plan.chosen[self._done :], 1):
            case = read_case(chosen.raw)
            result = self._judge.not_run(case, chosen.raw, "cancelled" if cancelled else "notRun")
            self._counts[result.status] += 1
            self._outlet.hold(self._recorder.left(chosen.place, result, len(case.assertions)))
            if count % BATCH == 0:
                self._outlet.flush()
        self._outlet.flush()
