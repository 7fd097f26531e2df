"""The wrapped command: started like `env` starts one, signals passed on, nothing left behind.

Rule of this file: an edge; it knows processes and nothing of recordings.
"""

import os
import signal
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING

from mcpeak.link import tree
from mcpeak.link.spawn import locate, seal

if TYPE_CHECKING:
    from psutil import Process

PASSED_ON = (
    signal.SIGTERM,
    signal.SIGINT,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGCONT,
    signal.SIGWINCH,
)
_FROM_TERMINAL = (signal.SIGINT, signal.SIGQUIT, signal.SIGWINCH)
_DEFAULT = (*PASSED_ON, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD)
_GRACE = 1.0  # seconds that what the child left behind has to end


class Child:
    """A command that runs with our own stdin, stdout and stderr.

    Signals that arrive before it is started reach it right after.
    """

    def __init__(self) -> None:
        self.pid = 0
        self._early: list[int] = []

    def start(self, argv: Sequence[str], environ: Mapping[str, str]) -> None:
        """Start it.

        Raises:
            mcpeak.link.spawn.StartFailed: there is no such command.
            OSError: it cannot be run.
        """
        for number in PASSED_ON:
            signal.signal(number, self._pass_on)
        path = locate(argv[0], environ.get("PATH", os.defpath))
        seal()
        self.pid = os.posix_spawn(path, list(argv), environ, setsigmask=(), setsigdef=_DEFAULT)
        for early in self._early:
            self._send(early)

    def wait(self) -> int:
        """Wait until it ends; give its exit code, or minus the signal that ended it."""
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def kill(self) -> None:
        """End it at once, if it has not ended yet."""
        if self.pid:
            self._send(signal.SIGKILL)
            self.wait()

    def _pass_on(self, number: int, frame: FrameType | None) -> None:
        del frame
        if self.pid == 0:
            self._early.append(number)
        elif not (number in _FROM_TERMINAL and _in_foreground()):  # there the terminal told the child, too
            self._send(number)

    def _send(self, number: int) -> None:
        if self.pid:
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                return


def end_rest(mark: str) -> None:
    """End what the child has left behind, gently first: what has `mark` in its environment."""
    rest = _marked(mark)
    for number in (signal.SIGTERM, signal.SIGKILL):
        if not rest:
            return
        tree.end(rest, number)
        _gone(rest)
        rest = tree.living(_marked(mark))


def _marked(mark: str) -> "list[Process]":
    """Find processes by their environment: that finds also those whose parents have ended (Linux)."""
    wanted, found = mark.encode(), []
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if name.isdigit():
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if wanted in file.read():
                        found.append(int(name))
            except OSError:  # somebody else's, or gone
                continue
    if not found:
        return []
    import psutil

    return tree.living([process for process in psutil.process_iter() if process.pid in found])


def _gone(rest: "list[Process]") -> None:
    import psutil

    psutil.wait_procs(rest, timeout=_GRACE)


def end_like(code: int) -> int:
    """Give the code to exit with; a child that a signal ended takes us with it, as `env` would have gone."""
    if code >= 0:
        return code
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    if -code not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    return 128 - code


def _in_foreground() -> bool:
    """Tell whether a terminal sends its signals to us and our child alike."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
