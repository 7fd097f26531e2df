"""What a server does besides answering, as notices: noise on stdout, stray answers, changes of its list.

Each kind is told a few times with its words; the rest is counted (a server can write noise for ever).
"""

from collections import Counter
from typing import Any

from mcpeak.command.redact import Redactor, encode
from mcpeak.command.text import cut
from mcpeak.link.client import Closed, TooLong
from mcpeak.messages import label, say
from mcpeak.protocol.events import Dropped, Event, Noise, Notification, RpcError, UnknownId
from mcpeak.run.failures import QUOTED, quoted
from mcpeak.run.outlet import Outlet
from mcpeak.wire.records import Notice, Severity

TOLD = 5
"""How often one kind of notice is told before it is only counted."""


class Heard:
    """Collects one run's notices. `case`: the id of the case that runs now.

    Args:
        outlet: where they go.
        run: the number of the run.
        strict: findings are failures.
        strict_stdio: noise on stdout is a failure.
    """

    def __init__(
        self,
        outlet: Outlet,
        run: int,
        redactor: Redactor,
        *,
        strict: bool = False,
        strict_stdio: bool = False,
    ) -> None:
        self.case: str | None = None
        self.started = False
        self._outlet = outlet
        self._run = run
        self._redactor = redactor
        self._strict = strict
        self._strict_stdio = strict_stdio
        self._count: Counter[str] = Counter()

    def event(self, event: Event | TooLong) -> None:
        """Take an event that answers nothing."""
        if isinstance(event, Noise):
            self.finding("STDOUT_NOISE", line=quoted(event.line, self._redactor))
        elif isinstance(event, TooLong):
            line = quoted(event.line, self._redactor)
            self.finding("STDOUT_NOISE", word="STDOUT_NOISE_TOO_LONG", line=line, size=event.size)
        elif isinstance(event, UnknownId):
            self._stray(event)
        elif isinstance(event, Dropped):
            self._dropped(event)
        elif isinstance(event, Notification) and event.method == "notifications/tools/list_changed":
            self._list_changed()

    def _stray(self, event: UnknownId) -> None:
        """Tell of an answer to nothing; an error without an id has words of the server that may matter."""
        if event.id is None and event.error is not None:
            text = cut(self._redactor.text(event.error.message), QUOTED)
            word = "ANSWER_ERROR_WITHOUT_ID"
            self.finding("ANSWER_UNKNOWN_ID", word=word, number=event.error.code, text=text)
            return
        code = "ANSWER_REPEATED" if event.again else "ANSWER_UNKNOWN_ID"
        self.finding(code, id=cut(self._redactor.text(encode(event.id).decode()), QUOTED))

    def _dropped(self, event: Dropped) -> None:
        """Tell of a tool that clients must leave out."""
        why = label("protocol", event.why)
        self.finding("TOOL_DROPPED", room="http", tool=self._redactor.text(event.tool), why=why)

    def _list_changed(self) -> None:
        """Tell of a list that changed during the run; at the start many servers only say hello."""
        if self.case is not None and self._count["calls"]:
            self.finding("TOOL_LIST_CHANGED")

    def refused(self, error: RpcError) -> None:
        """Tell that a protocol error counted as the error that the case expects."""
        text = cut(self._redactor.text(error.message), QUOTED)
        self._count["refused"] += 1
        if self._count["refused"] <= TOLD:
            self.tell("info", "PROTOCOL_ERROR_AS_REJECTION", number=error.code, text=text)

    def called(self) -> None:
        """Note that a case has had its answer."""
        self._count["calls"] += 1

    def finding(
        self, code: str, *, room: str = "run", word: str | None = None, case: str | None = None, **values: Any
    ) -> None:
        """Tell a finding, a few times; then only count."""
        self._count[code] += 1
        if self._count[code] <= TOLD:
            self.tell(self._severity(code), code, room=room, word=word, case=case, **values)

    def tell(
        self,
        severity: Severity,
        code: str,
        *,
        room: str = "run",
        word: str | None = None,
        case: str | None = None,
        **values: Any,
    ) -> None:
        """Tell something."""
        words = say(room, word or code, **values)
        self._outlet.notice(
            Notice(
                severity=severity,
                run=self._run,
                case=case or self.case,
                code=code,
                message=words.message,
                hint=words.hint or None,
            )
        )

    def _severity(self, code: str) -> Severity:
        strict = self._strict or (self._strict_stdio and code == "STDOUT_NOISE")
        return "failure" if strict else "warning"

    def closed(self, closed: Closed) -> None:
        """Tell what the end of the server brought to light, and how much was not told."""
        self.case = None
        for process in closed.left_behind:
            self.finding("PROCESS_LEFT_BEHIND", process=process)
        if closed.process is not None and closed.process.ended_by == "SIGKILL":
            self.finding("SERVER_KILLED")
        if closed.forked:
            self.finding("SERVER_FORKED")
        if closed.answered_late:
            self.tell("warning", "ANSWER_AFTER_EOF")
        for code, count in self._count.items():
            if count > TOLD and code not in ("calls", "refused"):
                word = "FINDING_REPEATED_ONE" if count == TOLD + 1 else "FINDING_REPEATED"
                self.tell(self._severity(code), code, word=word, count=count - TOLD, kind=code)
