"""A server behind pipes: the session's lines out, its events in, time limits, and the end of the process."""

import re
from collections.abc import Callable

from mcpeak import __version__
from mcpeak.command import log
from mcpeak.command.redact import Redactor
from mcpeak.link import endings, shutdown
from mcpeak.link.client import (
    Closed,
    Died,
    Halt,
    Interrupted,
    Listener,
    Manner,
    Outcome,
    TooLong,
)
from mcpeak.link.clock import Clock, now
from mcpeak.link.ends import process_end
from mcpeak.link.orphans import adopt
from mcpeak.link.pipes import Pipes, Quiet
from mcpeak.link.tail import Tail
from mcpeak.protocol.events import Answer, Late, Ready, Refused, Send, Unreadable
from mcpeak.protocol.handshake import Server
from mcpeak.protocol.messages import ClientInfo, decode_message
from mcpeak.protocol.revisions import wish
from mcpeak.protocol.rpc import TROUBLE, is_error
from mcpeak.protocol.session import Session
from mcpeak.protocol.states import PROBE_SECONDS

LAST_WORDS = (
    1.0  # how long a server that closed a pipe may take to end, so that its exit code is known (seconds)
)
UNENDED = 1.0
"""Seconds of silence after which an answer without its line end is looked at: many write the two apart."""
_ID = re.compile(rb'"id"\s*:\s*(-?\d+)\s*[,}]')


class StdioClient:
    """One server process and the session with it.

    Args:
        pipes: the process, just started.
        manner: how to speak.
        hear: told of every event that answers nothing.
        target: the command line for people.
        redactor: keeps secrets out of what is said about the process.
        again: starts the process once more (a server that ends at the probe is tried the old way).
        hard: a descriptor that is readable when ending the server must not take time.
    """

    server: Server

    def __init__(
        self,
        pipes: Pipes,
        manner: Manner,
        hear: Listener,
        *,
        target: str = "",
        redactor: Redactor | None = None,
        again: Callable[[], Pipes] | None = None,
        hard: int | None = None,
        clock: Clock = now,
    ) -> None:
        self.opening: list[bytes] = []
        self._pipes = pipes
        self._manner = manner
        self._hear = hear
        self._target = target
        self._redactor = redactor or Redactor()
        self._again = again
        self._hard = hard
        self._clock = clock
        self._idle: Callable[[], None] | None = None
        self._owed = False  # the last thing asked was never answered
        self._echoed = False  # a line of ours came back
        self._slow = False  # an answer came after its time, but while stdin was open
        self._looked = 0  # bytes of a line without its end, when we looked last
        self._closed: Closed | None = None
        self._session = self._begin()

    @property
    def tail(self) -> Tail:
        """What the server writes to stderr."""
        return self._pipes.tail

    def while_idle(self, work: Callable[[], None]) -> None:
        """Have work done whenever an answer does not come at once, and not before."""
        self._pipes.idle = self._idle = work

    def _begin(self) -> Session:
        self.opening = []
        return Session(self._manner.wish, "stdio", ClientInfo("mcpeak", __version__), self._manner.answers)

    def open(self, limit: float) -> None:
        """Do the handshake."""
        self._owed = True
        for line in self._session.open():
            self._say(line)
        adopt()
        deadline = self._clock() + limit
        probe = self._clock() + PROBE_SECONDS
        while self._session.server is None:
            until = min(deadline, probe) if self._session.probing else deadline
            heard = self._pipes.receive(min(until, self._clock() + UNENDED))
            if isinstance(heard, list):
                self._shake(heard)
            elif heard is Quiet.INTERRUPTED:
                raise Interrupted
            elif heard is Quiet.CLOSED:
                self._ended_early()
            elif self._unended():
                raise endings.unended(self.close())
            if self._session.server is None:  # looked at after lines, too: noise may never end
                self._mind_the_time(deadline, until, limit)
        self.server = self._session.server
        self._owed = False

    def _mind_the_time(self, deadline: float, until: float, limit: float) -> None:
        if self._clock() >= deadline:
            raise endings.timed_out(self.close(), self._pipes.child.ended, limit, self._target)
        if self._clock() >= until:
            for line in self._session.silence():
                self._say(line)

    def _say(self, line: bytes) -> None:
        self.opening.append(line)
        self._log("sent", line)
        self._pipes.send(line + b"\n")

    def _shake(self, lines: list[bytes]) -> None:
        """Take lines of the handshake."""
        for line in lines:
            self._log("received", line)
            self._echoed = self._echoed or line in self.opening
            for event in self._session.received(line):
                if isinstance(event, Send):
                    self._say(event.data)
                elif isinstance(event, Refused):
                    if self._echoed:
                        raise endings.echoes(self.close(), self._target)
                    raise endings.refused(self.close(), event, self._redactor)
                elif not isinstance(event, Ready):
                    self._hear(event)
        self._take_too_long(None)

    def _ended_early(self) -> None:
        """Try a server the old way that ended at the probe; else say how it ended."""
        died = self._died()
        if died.why == "exited" and self._session.probing and self._again and len(self._manner.wish.eras) > 1:
            shutdown.end(self._pipes, self._hard, self._clock)
            self._manner = self._manner._replace(wish=wish("legacy"))
            self._pipes, self._again = self._again(), None
            self._pipes.idle = self._idle
            self._session = self._begin()
            for line in self._session.open():
                self._say(line)
            return
        raise endings.exited(self.close(), died, self._target)

    def call(self, name: str, arguments: bytes) -> int:
        """Send a tools/call."""
        number, line = self._session.call(name, arguments)
        self._pipes.send(line + b"\n")
        self._log("sent", line)
        return number

    def request(self, method: str, params: bytes | None = None) -> int:
        """Send a request."""
        number, line = self._session.request(method, params)
        self._pipes.send(line + b"\n")
        self._log("sent", line)
        return number

    def wait(self, number: int, limit: float) -> Outcome:
        """Wait for the answer; serve whatever else the server wants meanwhile."""
        began = self._clock()
        deadline = began + limit
        look = min(deadline, began + UNENDED)
        receive = self._pipes.receive
        while True:
            heard = receive(look)
            if isinstance(heard, list):
                outcome = self._listen(heard, number)
                if outcome is not None:
                    self._owed = False
                    return outcome
                if self._clock() >= deadline:  # what is no answer may never end
                    return self._give_up(number, interrupted=False)
            elif heard is Quiet.CLOSED:
                return self._died()
            elif heard is Quiet.INTERRUPTED:
                return self._give_up(number, interrupted=True)
            elif (line := self._unended(at_last=look >= deadline)) and self._listen([line], number):
                self._owed = False
                return Unreadable(line, number, "unended", 0)
            elif look >= deadline:
                return self._give_up(number, interrupted=False)
            else:
                look = min(deadline, self._clock() + UNENDED)

    def _unended(self, *, at_last: bool = False) -> bytes:
        """Take a message that is whole but for its line end, and was so when we looked before."""
        lines = self._pipes.lines
        before, self._looked = self._looked, lines.held
        if not lines.held or (lines.held != before and not at_last):
            return b""
        line = lines.unended()
        if not _is_answer(line):
            return b""
        lines.end()
        return line

    def _listen(self, lines: list[bytes], number: int) -> Outcome | None:
        outcome: Outcome | None = None
        for line in lines:
            self._log("received", line)
            for event in self._session.received(line):
                if isinstance(event, (Answer, Unreadable)) and event.id == number:
                    outcome = event
                elif isinstance(event, Send):
                    self._pipes.send(event.data + b"\n")
                else:
                    self._slow = self._slow or isinstance(event, Late)
                    self._hear(event)
        if self._pipes.lines.too_long:
            return self._take_too_long(number) or outcome
        return outcome

    def _take_too_long(self, number: int | None) -> TooLong | None:
        answer = None
        for line, size in self._pipes.lines.too_long:
            named = _ID.search(line)
            if named is not None and number is not None and int(named[1]) == number:
                answer = TooLong(line, size, number)
            else:
                self._hear(TooLong(line, size, None))
        self._pipes.lines.too_long.clear()
        return answer

    def _log(self, what: str, line: bytes) -> None:
        if log.wanted:
            text = line[: log.LONGEST].decode("utf-8", "replace")
            log.note(what, line=self._redactor.text(text), bytes=len(line))

    def _give_up(self, number: int, *, interrupted: bool) -> Halt:
        line = self._session.cancel(number, "interrupted" if interrupted else "timed out")
        if line is not None:
            self._pipes.send(line + b"\n")
        self._owed = not interrupted
        return Halt.INTERRUPTED if interrupted else Halt.TIMED_OUT

    def _died(self) -> Died:
        return endings.died(self._pipes, self._clock)

    def tell(self, line: bytes) -> None:
        """Write a line to the wrapper of the server, if there is one."""
        self._pipes.tell(line + b"\n")

    def close(self) -> Closed:
        """End the server and its tree."""
        if self._closed is None:
            forked = self._pipes.child.poll() is not None and endings.settled(self._pipes) is not None
            farewell = shutdown.end(self._pipes, self._hard, self._clock)
            held_back = self._hear_late(farewell.late[: farewell.at_once])
            self._hear_late(farewell.late[farewell.at_once :])
            late = held_back and self._owed and not self._slow
            end = process_end(self._pipes.child.ended, self.tail, farewell.ended_by, self._redactor)
            behind = tuple(self._redactor.text(process) for process in farewell.left_behind)
            self._closed = Closed(end, behind, late, forked)
            log.note(
                "ended", code=end.exit_code, signal=end.signal, ended_by=end.ended_by, left_behind=behind
            )
        return self._closed

    def _hear_late(self, lines: list[bytes]) -> bool:
        """Take what came while the server was ended; tell whether an answer was among it."""
        answered = False
        for line in lines:
            for event in self._session.received(line):
                if isinstance(event, (Answer, Late, Ready, Refused, Send)):
                    answered = True
                else:
                    self._hear(event)
        return answered


def _is_answer(line: bytes) -> bool:
    """Tell whether a line that lacks its end is a whole answer."""
    try:
        message = decode_message(line)
    except TROUBLE:
        return False
    return len(message.result) > 0 or is_error(message)
