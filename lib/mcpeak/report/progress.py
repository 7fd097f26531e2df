"""An edge: the line on a terminal that says how far the run is, and vanishes when it is over.

Rule of this file: stderr only, one line, never left behind; what it shows is no part of the report.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from mcpeak.command.boundary import to_stderr
from mcpeak.report.human import duration
from mcpeak.report.width import columns, one_line
from mcpeak.wire.records import AnyRecord, CaseFinished, CaseStarted, RunFinished, RunStarted, Unknown
from mcpeak.wire.writer import Sink

TICK = 0.5  # seconds after which the line is drawn anew, if nothing happens
PAUSE = 0.1  # seconds that it stands at least
CLEAR = "\r\x1b[K"


def wanted(environ: Mapping[str, str], *, terminal: bool) -> bool:
    """Tell whether a progress line may be drawn: on a terminal that understands it, and not under CI."""
    return terminal and not environ.get("CI") and environ.get("TERM", "dumb") != "dumb"


class Progress:
    """Counts cases as they start and finish, and draws the line.

    Args:
        width: columns of the terminal.
        clock: seconds, for the elapsed time of the run.
        write: where the line goes.
    """

    def __init__(
        self,
        width: int,
        clock: Callable[[], float] = time.monotonic,
        write: Callable[[str], None] = to_stderr,
    ) -> None:
        self._width = width
        self._clock = clock
        self._write = write
        self._begin = clock()
        self._drawn_at = 0.0
        self._drawn = False
        self._done = self._total = 0
        self._case = ""

    def see(self, record: AnyRecord | Unknown) -> None:
        """Take in a record; the line follows when it has stood long enough."""
        if isinstance(record, RunStarted):
            self._done, self._total, self._case = 0, record.total, record.suite.name
        elif isinstance(record, CaseStarted):
            self._case = record.id
        elif isinstance(record, CaseFinished):
            self._done += 1
        elif isinstance(record, RunFinished):
            self.clear()
            return
        if self._clock() - self._drawn_at >= PAUSE:
            self.draw()

    def draw(self) -> None:
        """Draw the line over the one before."""
        self._drawn_at = self._clock()
        if not self._total:
            return
        elapsed = duration((self._drawn_at - self._begin) * 1000)
        text = f"{self._done}/{self._total}  {one_line(self._case, 200)}  {elapsed}"
        while columns(text) >= self._width > 0 and text:
            text = text[:-1]
        self._write(f"{CLEAR}{text}")
        self._drawn = True

    def clear(self) -> None:
        """Take the line away before something else is written, and at the end."""
        if self._drawn:
            self._write(CLEAR)
            self._drawn = False

    def around(self, sink: Sink) -> Sink:
        """Make a sink that takes the line away before it writes."""

        def write(data: bytes, /) -> None:
            self.clear()
            sink(data)

        return write


@contextmanager
def shown(progress: Progress | None) -> Iterator[None]:
    """Keep the line alive while nothing comes in; take it away in the end."""
    if progress is None:
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda *_: progress.draw())
    signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        progress.clear()


def terminal_width() -> int:
    """Ask how wide the terminal of stderr is; 80 when it does not tell."""
    try:
        return os.get_terminal_size(2).columns or 80
    except OSError:
        return 80
