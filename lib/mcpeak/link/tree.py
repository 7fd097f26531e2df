"""The processes that a server started: which there are, and ending those that stay behind.

psutil is imported only when there is something to look at. A process is known by its number and its start,
so a number that is used again is never signalled.
"""

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from psutil import Process

SIGTERM = 15


def has_children(pid: int) -> bool:
    """Tell cheaply whether a process may have children; True where only psutil could know."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
        return any(_children(pid, thread) for thread in threads)
    except OSError:
        return not os.path.isdir("/proc/self/task")


def _children(pid: int, thread: str) -> bytes:
    with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
        return file.read()


def descendants(pid: int) -> "list[Process]":
    """Give everything that a process has started and that lives (not itself)."""
    if not has_children(pid):
        return []
    import psutil

    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []


def members(group: int) -> "list[Process]":
    """Give the living processes of a group or session."""
    import psutil

    return processes([pid for pid in psutil.pids() if pid != group and _belongs(pid, group)])


def processes(pids: list[int]) -> "list[Process]":
    """Take hold of processes; one that has ended meanwhile is left out."""
    if not pids:
        return []
    import psutil

    found = []
    for pid in pids:
        with suppress(psutil.Error):
            found.append(psutil.Process(pid))
    return found


def _belongs(pid: int, group: int) -> bool:
    try:
        return os.getpgid(pid) == group or os.getsid(pid) == group
    except OSError:
        return False


def living(processes: "list[Process]") -> "list[Process]":
    """Leave out what has ended meanwhile, zombies too."""
    return [process for process in processes if _lives(process)]


def _lives(process: "Process") -> bool:
    import psutil

    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def end(processes: "list[Process]", number: int) -> None:
    """Signal each of them."""
    import psutil

    for process in processes:
        try:
            process.send_signal(number)
        except psutil.Error:
            continue


def described(process: "Process") -> str:
    """Name a process for people: its number and command line."""
    import psutil

    try:
        words = process.cmdline() or [process.name()]
    except psutil.Error:
        words = ["?"]
    return f"{process.pid} ({' '.join(words)})"
