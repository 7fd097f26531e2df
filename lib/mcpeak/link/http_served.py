"""A process that serves HTTP for us (`--url URL -- COMMAND…`): kept from blocking, waited for, ended.

Its stdout and stderr are its log; both are read while we wait for anything else, so that it never stands
still because nobody reads.
"""

import signal
from collections.abc import Callable

from mcpeak.command.redact import Redactor
from mcpeak.link import shutdown
from mcpeak.link.child import Ended
from mcpeak.link.client import Closed
from mcpeak.link.clock import Clock, now
from mcpeak.link.ends import process_end
from mcpeak.link.http_port import Port
from mcpeak.link.orphans import adopt, adopted
from mcpeak.link.pipes import Pipes
from mcpeak.link.tail import Tail

LAST_WORDS = 0.5  # how long a server that is about to end may take (seconds)


class Served:
    """One process, its log, and the port that it has to itself."""

    def __init__(
        self,
        pipes: Pipes,
        redactor: Redactor,
        hard: int | None = None,
        clock: Clock = now,
        port: Port | None = None,
    ) -> None:
        self._pipes = pipes
        self._port = port
        self._redactor = redactor
        self._hard = hard
        self._clock = clock
        adopt()

    @property
    def tail(self) -> Tail:
        """What it wrote to stderr."""
        return self._pipes.tail

    def ended(self) -> Ended | None:
        """Tell how it ended, None while it runs."""
        return self._pipes.child.poll()

    def over(self) -> bool:
        """Tell whether nothing can listen any more; a command that went well may have left the server."""
        ended = self._pipes.child.poll()
        return ended is not None and (ended.code != 0 or not adopted())

    def served(self) -> dict[int, Callable[[], None]]:
        """Give what a wait must serve: its log."""
        descriptors = (self._pipes.stdout, self._pipes.stderr)
        return dict.fromkeys((each for each in descriptors if each is not None), self._read)

    def _read(self) -> None:
        self._pipes.serve(0)
        for line in self._pipes.take():
            self._pipes.tail.feed(line + b"\n")
        self._pipes.lines.too_long.clear()

    def linger(self) -> Ended | None:
        """Give it a moment to end, and tell how it did."""
        deadline = self._clock() + LAST_WORDS
        while self._pipes.child.poll() is None and (left := deadline - self._clock()) > 0:
            if self._pipes.serve(left):
                break
        self._read()
        return self._pipes.child.poll()

    def end(self) -> Closed:
        """End it and its tree; a closed stdin tells an HTTP server nothing, so it gets SIGTERM at once."""
        asked = None if self._pipes.child.poll() else signal.SIGTERM.name
        if asked:
            self._pipes.child.signal(signal.SIGTERM)
        try:
            farewell = shutdown.end(self._pipes, self._hard)
        finally:
            if self._port is not None:
                self._port.leave()
        end = process_end(self._pipes.child.ended, self.tail, farewell.ended_by or asked, self._redactor)
        return Closed(end, tuple(self._redactor.text(process) for process in farewell.left_behind))
