"""An edge: the stages of a pipe as processes forked from this one, joined by real pipes.

A forked stage has its imports already and is a process of its own like any other (ARCHITECTURE: one warm
interpreter). That is safe only while this process has one thread and no event loop: keep it so.
"""

import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import NamedTuple, NoReturn

from mcpeak.command import exits

Work = Callable[[], int]
PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class Ended(NamedTuple):
    """How a pipe ended: a code a stage (negative: the signal that killed it), the first signal to us."""

    codes: list[int]
    signal: int | None


def run_pipe(stages: Sequence[Work]) -> Ended:
    """Run the stages side by side, the first on our stdin, the last on our stdout, and wait for all of them.

    A signal that reaches us is passed to every stage but the last, which must live to report on the others.
    One that we were started to ignore (`nohup`, a background job) stays ignored by all.
    """
    heeded = [number for number in PASSED_ON if signal.getsignal(number) is not signal.SIG_IGN]
    gc.freeze()  # what exists now is shared by all: no collection may touch, and so copy, its pages
    signal.pthread_sigmask(signal.SIG_BLOCK, heeded)
    watch = _Watch(_start(stages, heeded))
    for number in heeded:
        signal.signal(number, watch.pass_on)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, heeded)
    return watch.wait()


class _Watch:
    """Waits for the stages, and hands signals on to those that still run."""

    def __init__(self, pids: list[int]) -> None:
        self._pids = pids
        self._codes: dict[int, int] = {}
        self._signal: int | None = None

    def pass_on(self, number: int, _: FrameType | None) -> None:
        self._signal = self._signal or number
        for pid in self._pids[:-1] or self._pids:
            if pid not in self._codes:
                with suppress(ProcessLookupError):  # it ended this very moment
                    os.kill(pid, number)

    def wait(self) -> Ended:
        for pid in self._pids:
            _, status = os.waitpid(pid, 0)
            self._codes[pid] = os.waitstatus_to_exitcode(status)
        return Ended([self._codes[pid] for pid in self._pids], self._signal)


def _start(stages: Sequence[Work], heeded: Sequence[int]) -> list[int]:
    pids = []
    upstream = 0
    for place, work in enumerate(stages):
        last = place == len(stages) - 1
        downstream, mine = (0, 1) if last else os.pipe()
        pid = os.fork()
        if pid == 0:
            if not last:
                os.close(downstream)
            _become(work, upstream, mine, heeded)
        pids.append(pid)
        for end in (upstream, mine):
            if end > 1:
                os.close(end)
        upstream = downstream
    return pids


def _become(work: Work, stdin: int, stdout: int, heeded: Sequence[int]) -> NoReturn:
    """Be one stage, from here to the end of this process."""
    code = exits.BUG
    try:
        for end, place in ((stdin, 0), (stdout, 1)):
            if end != place:
                os.dup2(end, place)
                os.close(end)
        for number in heeded:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, heeded)
        code = _code_of(work)
        sys.stdout.flush()
    except BrokenPipeError:
        code = exits.STDOUT_CLOSED
    except KeyboardInterrupt:
        code = exits.INTERRUPTED
    finally:
        os._exit(code)


def _code_of(work: Work) -> int:
    try:
        return work()
    except SystemExit as asked:
        return asked.code if isinstance(asked.code, int) else exits.GOOD if asked.code is None else exits.BUG
