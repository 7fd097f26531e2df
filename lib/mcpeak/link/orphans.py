"""Processes that outlive their parents in a server's tree: on Linux they become children of ours.

So a server that crashed, or a daemon that left group and session, cannot hide what it started. Elsewhere
this does nothing: there the group and the snapshot of `tree` must do.
"""

import os
import signal
from contextlib import suppress

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
_servers: set[int] = set()  # processes that we started ourselves
_before: set[int] = set()  # children that were ours before
_adopting: list[bool] = []


def adopt() -> None:
    """Become the parent of orphans, once."""
    if _adopting:
        return
    _adopting.append(False)
    if not os.path.isdir("/proc/self/task"):
        return
    _before.update(children() - _servers)
    import ctypes  # late: it takes milliseconds, which a server that boots leaves us

    with suppress(OSError, AttributeError):
        _adopting[0] = ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def ours(pid: int) -> None:
    """Note a process that we started."""
    _servers.add(pid)


def buried(pid: int) -> None:
    """Note that it is reaped."""
    _servers.discard(pid)


def adopted() -> list[int]:
    """Give the orphans that live, having reaped those that ended.

    While several servers run nobody knows whose an orphan is: then there are none, until the last one ends.
    """
    if not _adopting or not _adopting[0] or len(_servers) > 1:
        return []
    home = os.getsid(0)
    found = [pid for pid in children() - _servers - _before if _session(pid) != home]
    return [pid for pid in found if not _reaped(pid)]


def sweep() -> None:
    """End whatever is left, and reap it."""
    for pid in adopted():
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def children() -> set[int]:
    """Give our children."""
    found: set[int] = set()
    for thread in os.listdir("/proc/self/task"):
        with suppress(OSError), open(f"/proc/self/task/{thread}/children", "rb") as file:
            found.update(map(int, file.read().split()))
    return found


def _session(pid: int) -> int:
    """Give a process's session: what a server started never has ours."""
    try:
        return os.getsid(pid)
    except OSError:
        return os.getsid(0)


def _reaped(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True
