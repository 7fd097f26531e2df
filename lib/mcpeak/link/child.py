"""One child process: is it alive, how did it end, and the signals that it gets.

A process that ended is not reaped before its group is dealt with where the system allows that (`waitid`):
until then its number, which is also its group's, cannot be anybody else's.
"""

import os
import signal as signals
from typing import NamedTuple

from mcpeak.link import orphans


class Ended(NamedTuple):
    """How a process ended: an exit code, or the name of a signal."""

    code: int | None
    signal: str | None


class Child:
    """A process that we started. `pid`: its group too. `alarm`: readable once it ended, or None."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.ended: Ended | None = None
        self.alarm = _pidfd(pid)
        self._reaped = False
        orphans.ours(pid)

    def poll(self) -> Ended | None:
        """Look whether it ended, without waiting."""
        if self.ended is None:
            self.ended = self._look()
        return self.ended

    def _look(self) -> Ended | None:
        if not hasattr(os, "waitid"):
            return self._reap(os.WNOHANG)
        try:
            found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return Ended(None, None)
        if found is None:
            return None
        if found.si_code == os.CLD_EXITED:
            return Ended(found.si_status, None)
        return Ended(None, name_of(found.si_status))

    def _reap(self, flags: int) -> Ended | None:
        if self._reaped:
            return self.ended
        try:
            pid, status = os.waitpid(self.pid, flags)
        except ChildProcessError:  # somebody else reaped it: all that is known is that it is gone
            self._reaped = True
            return Ended(None, None)
        if pid == 0:
            return None
        self._reaped = True
        code = os.waitstatus_to_exitcode(status)
        return Ended(code, None) if code >= 0 else Ended(None, name_of(-code))

    def signal(self, number: int) -> None:
        """Send a signal to it and its whole group."""
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return

    def bury(self) -> None:
        """Reap it (it has ended): from now on its number may be somebody else's."""
        self._reap(0)
        orphans.buried(self.pid)

    def group_lives(self) -> bool:
        """Tell whether, now that it is buried, others of its group are still there."""
        try:
            os.killpg(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


def name_of(number: int) -> str:
    """Name a signal."""
    try:
        return signals.Signals(number).name
    except ValueError:
        return f"SIG{number}"


def _pidfd(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None
