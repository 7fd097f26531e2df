"""One run of one suite against one server: begin, the course of the cases, end."""

from mcpeak.command.redact import Redactor
from mcpeak.command.target import described
from mcpeak.link.client import ConnectFailed, Interrupted, Manner
from mcpeak.link.clock import Clock, now
from mcpeak.link.connect import Connector
from mcpeak.run.again import words_of
from mcpeak.run.connection import Connection
from mcpeak.run.course import Course
from mcpeak.run.heard import Heard
from mcpeak.run.matrix import Seen
from mcpeak.run.outlet import Outlet
from mcpeak.run.plan import Plan
from mcpeak.run.settings import Settings
from mcpeak.wire.reader import decode
from mcpeak.wire.records import (
    Error,
    Finding,
    Notice,
    RunFinished,
    RunStarted,
    RunStatus,
    ServerFacts,
    Shard,
    Summary,
)
from mcpeak.wire.writer import encode


class Runner:
    """Runs the chosen cases of one suite against one server.

    `refused`: with `--matrix`, why the server does not speak this era.
    """

    def __init__(
        self,
        plan: Plan,
        connector: Connector,
        manner: Manner,
        settings: Settings,
        outlet: Outlet,
        clock: Clock = now,
    ) -> None:
        redactor = Redactor(connector.target.secrets)
        heard = Heard(outlet, plan.run, redactor, strict=settings.strict, strict_stdio=settings.strict_stdio)
        limit = settings.start_timeout
        self.refused: str | None = None
        self._plan = plan
        self._settings = settings
        self._outlet = outlet
        self._heard = heard
        self._redactor = redactor
        self._connection = Connection(connector, manner, limit, heard, redactor, outlet.flush)
        self._course = Course(plan, self._connection, settings, outlet, heard, redactor, clock)
        self._server = ServerFacts(target=described(connector.target))
        self._again = words_of(connector.target, settings.asked, plan.era)
        self._wrapped: Error | None = None  # what a wrapper of the server says instead of us
        connector.hear_record = self._told

    @property
    def seen(self) -> dict[str, Seen]:
        """With `--matrix`: what became of each case."""
        return self._course.seen

    def run(self) -> RunStatus | None:
        """Run; None: the server was not reached, which the stream says."""
        try:
            if not self._begin():
                return None
            return self._finish(self._course.run())
        finally:
            self._connection.abandon()

    def _begin(self) -> bool:
        """Open the connection and begin the run; an interrupted one has nothing but cancelled cases."""
        server = self._server
        try:
            if self._plan.chosen:
                known = self._connection.open(self._settings.retry).server
                server.name, server.version = map(self._redactor.known, (known.name, known.version))
                server.protocol_version, server.era = known.protocol_version, known.era
        except Interrupted:
            self._course.cancel(None)
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
            reached_by=self._again,
        )

    def _finish(self, summary: Summary) -> RunStatus:
        """End the server and the run; a wrapper of the server hears of the verdict first."""
        status: RunStatus = "passed" if summary.passed == summary.total else "failed"
        if self._course.stop is not None and self._course.stop.type == "cancelled":
            status = "aborted"
        finished = RunFinished(
            run=self._plan.run, status=status, stop_reason=self._course.stop, summary=summary
        )
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
        tools = self._course.afterwards.look(None if self._course.troubled else self._connection.client)
        if not tools:
            return None
        self._heard.case = None
        self._course.afterwards.outputs(tools)
        for record in self._course.afterwards.records(self._server):
            self._outlet.hold(record)
        return self._course.afterwards.findings(tools)

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
