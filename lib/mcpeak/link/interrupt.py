"""Signals that end a program, told to every waiting loop through a pipe.

A loop polls `soon` next to its own descriptors: readable for ever after the first signal. A shutdown polls
`hard`: readable after a second one. A terminal sends one Ctrl-C to the whole group and the front end passes
the same one on, so signals within `TOGETHER` seconds are one.
"""

import os
import signal
from types import FrameType, TracebackType
from typing import Any, Self

from mcpeak.link.clock import Clock, now

TOGETHER = 1.0
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class Interrupts:
    """Watches for signals while it is entered. `signal`: the first that came, or None."""

    def __init__(self, clock: Clock = now) -> None:
        self.signal: int | None = None
        self.soon, self._soon = os.pipe()
        self.hard, self._hard = os.pipe()
        self._clock = clock
        self._since = 0.0
        self._before: dict[int, Any] = {}

    @property
    def exit_code(self) -> int:
        """The code that a shell expects of a program ended by this signal."""
        return 128 + (self.signal or 0)

    def __enter__(self) -> Self:
        """Take the signals over, but for those that our parent ignores (`nohup`, a shell's background jobs).

        SIGCHLD must not be ignored: that would cost us every exit code.
        """
        wanted = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
        self._before = {number: signal.signal(number, self._came) for number in wanted}
        self._before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the signals back."""
        for number, handler in self._before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
        for descriptor in (self.soon, self._soon, self.hard, self._hard):
            os.close(descriptor)

    def _came(self, number: int, _frame: FrameType | None) -> None:
        self.came(number)

    def stop(self) -> None:
        """Let every loop stop without a signal: something went wrong elsewhere."""
        os.write(self._soon, b"!")

    def came(self, number: int) -> None:
        """Take note of a signal."""
        if self.signal is None:
            self.signal, self._since = number, self._clock()
            os.write(self._soon, b"!")
        elif self._clock() - self._since > TOGETHER:
            self._since = self._clock()
            os.write(self._hard, b"!")
