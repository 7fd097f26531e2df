"""The pipes of a child, served in one loop: what is to be written, its answers, its stderr, its end.

No event loop: a stdio case is one write, one poll and one read. A server that does not read while we write,
or floods stderr while we wait, is served in the same poll, so neither side can block the other.
"""

import os
import select
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from math import ceil

from mcpeak.link.child import Child
from mcpeak.link.clock import Clock, now
from mcpeak.link.framing import Lines
from mcpeak.link.spawn import Started
from mcpeak.link.tail import Tail

CHUNK = 65536
AT_ONCE = 0.002  # an answer within this time leaves no time for `idle` (seconds)
LINGER = 0.2  # how long a dead server's pipes may bring something after its end (seconds)
FIRST_STEP, STEP = 0.001, 0.25  # how often a system without pidfd is asked whether the child lives (seconds)
_IN = select.POLLIN | select.POLLHUP | select.POLLERR


class Quiet(Enum):
    """Why no line came."""

    TIMEOUT = auto()
    CLOSED = auto()  # it ended, or closed its stdout, or its stdin
    INTERRUPTED = auto()


class Pipes:
    """The three pipes (and the records of a wrapper) of one child.

    Args:
        started: the process and our ends.
        child: tells whether it lives.
        interrupt: a descriptor that is readable when we must stop, or None.
        hear: gets each line of the records pipe.
    """

    def __init__(
        self,
        started: Started,
        child: Child,
        interrupt: int | None = None,
        hear: Callable[[bytes], None] | None = None,
        clock: Clock = now,
    ) -> None:
        self.idle: Callable[[], None] | None = None  # called when an answer does not come at once
        self.taken = 0  # bytes read so far, from all pipes
        self.tail = Tail()
        self.lines = Lines()
        self.child = child
        self.stdin: int | None = started.stdin
        self.stdout: int | None = started.stdout
        self.stderr: int | None = started.stderr
        self.records = started.records
        self._told = Lines()
        self._hear = hear
        self._clock = clock
        self._outbox: deque[memoryview] = deque()
        self._ready: list[bytes] = []
        self._linger: float | None = None
        self._step = FIRST_STEP
        self._poll = select.poll()
        self._interrupt = interrupt
        for descriptor in (started.stdout, started.stderr, started.records, child.alarm, interrupt):
            if descriptor is not None:
                self._poll.register(descriptor, _IN)

    def send(self, data: bytes) -> None:
        """Write a message (with its line end) as far as the pipe takes it; the rest goes while we wait."""
        if self.stdin is None:
            return
        if not self._outbox:
            try:
                done = os.write(self.stdin, data)
            except BlockingIOError:
                done = 0
            except OSError:
                self.close_stdin()
                return
            if done == len(data):
                return
            data = data[done:]
            self._poll.register(self.stdin, select.POLLOUT)
        self._outbox.append(memoryview(data))

    def tell(self, line: bytes) -> None:
        """Write a line to the wrapper of the server, if there is one and it takes it at once."""
        if self.records is not None:
            with suppress(OSError):
                os.write(self.records, line)

    def receive(self, deadline: float) -> list[bytes] | Quiet:
        """Wait for lines on stdout, not longer than `deadline` (of the clock)."""
        idle = self.idle
        while not (self._ready or self.lines.too_long):
            if self.stdout is None:
                return Quiet.CLOSED
            gone = self._gone()
            left = (min(deadline, self._lingering()) if gone else deadline) - self._clock()
            if self.serve(left if idle is None else min(left, AT_ONCE)):
                return Quiet.INTERRUPTED
            if idle is not None and not self._ready:
                idle()
                idle = None
            elif left <= 0 and not self._ready:
                return Quiet.CLOSED if gone else Quiet.TIMEOUT
        return self.take()

    def take(self) -> list[bytes]:
        """Give the lines that have arrived, without waiting."""
        lines, self._ready = self._ready, []
        return lines

    def serve(self, seconds: float) -> bool:
        """Wait once, at most `seconds`, and serve what is ready; tell whether we must stop."""
        if self.child.alarm is None:
            seconds = min(seconds, self._step)
            self._step = min(self._step * 2, STEP)
            self.child.poll()
        stop = False
        for descriptor, _ in self._poll.poll(max(ceil(seconds * 1000), 0)):
            if descriptor == self.stdout:
                self._read_stdout(descriptor)
            elif descriptor == self.stderr:
                self._read_stderr(descriptor)
            elif descriptor == self.stdin:
                self._write(descriptor)
            elif descriptor == self.records:
                self._read_records(descriptor)
            elif descriptor == self.child.alarm:
                self.disarm()
                self.child.poll()
            elif descriptor == self._interrupt:
                stop = True
        return stop

    def watch(self, interrupt: int | None) -> None:
        """Look out for another interrupt than before; begin anew with short steps."""
        if self._interrupt is not None:
            self._poll.unregister(self._interrupt)
        if interrupt is not None:
            self._poll.register(interrupt, _IN)
        self._interrupt = interrupt
        self._step = FIRST_STEP

    def disarm(self) -> None:
        """Let go of the alarm: the child has ended."""
        if self.child.alarm is not None:
            self._forget(self.child.alarm)
            self.child.alarm = None

    @property
    def open(self) -> bool:
        """Tell whether something may still come."""
        return self.stdout is not None or self.stderr is not None or self.records is not None

    def close_stdin(self) -> None:
        """Tell the server that nothing more comes."""
        if self.stdin is None:
            return
        if self._outbox:
            self._outbox.clear()
            self._poll.unregister(self.stdin)
        os.close(self.stdin)
        self.stdin = None

    def close(self) -> None:
        """Let go of everything."""
        self.close_stdin()
        self.disarm()
        for descriptor in (self.stdout, self.stderr, self.records):
            if descriptor is not None:
                self._forget(descriptor)
        self.stdout = self.stderr = self.records = None
        self.tail.close()

    def _gone(self) -> bool:
        """Tell whether no answer can be hoped for, although stdout is open.

        A command that ends with 0 while others hold its pipes may be a launcher whose server goes on; after a
        crash nobody answers any more, whoever still holds the pipe.
        """
        ended = self.child.ended
        return self.stdin is None or (ended is not None and ended.code != 0)

    def _lingering(self) -> float:
        if self._linger is None:
            self._linger = self._clock() + LINGER
        return self._linger

    def _read_stdout(self, descriptor: int) -> None:
        chunk = self._read(descriptor)
        if chunk is None:
            return
        self._linger = None
        if chunk:
            self._ready += self.lines.feed(chunk)
        else:
            self._ready += self.lines.end()
            self._forget(descriptor)
            self.stdout = None

    def _read_stderr(self, descriptor: int) -> None:
        chunk = self._read(descriptor)
        if chunk:
            self.tail.feed(chunk)
        elif chunk is not None:
            self._forget(descriptor)
            self.stderr = None

    def _read_records(self, descriptor: int) -> None:
        chunk = self._read(descriptor)
        if chunk is None:
            return
        lines = self._told.feed(chunk) if chunk else self._told.end()
        if self._hear is not None:
            for line in lines:
                self._hear(line)
        if not chunk:
            self._forget(descriptor)
            self.records = None

    def _write(self, descriptor: int) -> None:
        outbox = self._outbox
        try:
            while outbox:
                done = os.write(descriptor, outbox[0])
                if done < len(outbox[0]):
                    outbox[0] = outbox[0][done:]
                    return
                outbox.popleft()
        except BlockingIOError:
            return
        except OSError:  # it no longer reads
            self.close_stdin()
            return
        self._poll.unregister(descriptor)

    def _read(self, descriptor: int) -> bytes | None:
        chunk = _chunk(descriptor)
        self.taken += len(chunk or b"")
        return chunk

    def _forget(self, descriptor: int) -> None:
        self._poll.unregister(descriptor)
        os.close(descriptor)


def _chunk(descriptor: int) -> bytes | None:
    """Read what is there: b"" at the end, None when nothing is."""
    try:
        return os.read(descriptor, CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
