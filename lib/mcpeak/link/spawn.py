"""Starting a server: no shell, its own session, three pipes, nothing inherited but what is meant for it.

`os.posix_spawn` rather than `subprocess`: it is there before anything heavy is imported, so the server boots
while we import the rest; and it tells a file without an executable format instead of asking a shell.

Should we get SIGKILL, a server that ignores the end of its stdin stays: a signal at the parent's death must
be asked for by the child itself, and posix_spawn has no attribute for it. `setpriv --pdeathsig` as part of
the user's command does it; before every command it would cost an exec and the reasons of a failed start.
"""

import errno
import os
import signal
import stat
import threading
from collections.abc import Mapping, Sequence
from typing import NamedTuple

_RESTORED = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD)
_ONE_AT_A_TIME = threading.Lock()  # a directory of the child is ours for a moment
RECORDS_FD = "MCPEAK_RECORDS_FD"


class StartFailed(Exception):  # noqa: N818 - named for what happened
    """No start. `why`: missing, directory, permission, format, interpreter, cwd, other (`reason` tells)."""

    def __init__(self, why: str, name: str, reason: str = "") -> None:
        super().__init__(why, name, reason)
        self.why = why
        self.name = name
        self.reason = reason


class Started(NamedTuple):
    """A process and our ends of its pipes. `records`: what a wrapper of the server tells us, or None."""

    pid: int
    stdin: int
    stdout: int
    stderr: int
    records: int | None = None


def spawn(
    argv: Sequence[str], env: Mapping[str, str], cwd: str | None = None, *, records: bool = False
) -> Started:
    """Start a command.

    Args:
        argv: the command and its arguments.
        env: its whole environment; a command without a slash is looked up in its PATH.
        cwd: its directory; a relative command is relative to it.
        records: give it a descriptor for records of its own, named in MCPEAK_RECORDS_FD.

    Raises:
        StartFailed: it cannot be started; nothing is left behind.
    """
    if cwd is not None and not os.path.isdir(cwd):
        raise StartFailed("cwd", cwd)
    path = locate(argv[0], env.get("PATH", os.defpath), cwd)
    theirs_in, ours_in = os.pipe()
    ours_out, theirs_out = os.pipe()
    ours_err, theirs_err = os.pipe()
    told, tell = _both_ways() if records else (None, None)
    theirs = [theirs_in, theirs_out, theirs_err]
    try:
        pid = _start(path, argv, env, cwd, theirs, tell)
    except OSError as refused:
        for descriptor in (ours_in, ours_out, ours_err, told):
            if descriptor is not None:
                os.close(descriptor)
        raise _failure(refused, argv[0], path) from refused
    finally:
        for descriptor in (*theirs, tell):
            if descriptor is not None:
                os.close(descriptor)
    for descriptor in (ours_in, ours_out, ours_err, told):
        if descriptor is not None:
            os.set_blocking(descriptor, False)
    return Started(pid, ours_in, ours_out, ours_err, told)


def _both_ways() -> tuple[int, int]:
    """Make a pair of descriptors, both of which can be read and written."""
    import socket  # late: 5 ms that only a wrapped server costs

    ours, theirs = socket.socketpair()
    return ours.detach(), theirs.detach()


def _start(
    path: str,
    argv: Sequence[str],
    env: Mapping[str, str],
    cwd: str | None,
    theirs: list[int],
    tell: int | None,
) -> int:
    actions = [(os.POSIX_SPAWN_DUP2, descriptor, place) for place, descriptor in enumerate(theirs)]
    if tell is not None:
        env = {**env, RECORDS_FD: str(tell)}
    with _ONE_AT_A_TIME:
        seal()
        home = os.open(".", os.O_RDONLY | os.O_DIRECTORY) if cwd is not None else None
        try:
            if tell is not None:
                os.set_inheritable(tell, True)
            if cwd is not None:
                os.chdir(cwd)
            return os.posix_spawn(
                path, list(argv), env, file_actions=actions, setsid=True, setsigmask=(), setsigdef=_RESTORED
            )
        finally:
            if home is not None:
                os.fchdir(home)
                os.close(home)


def seal() -> None:
    """Keep what we inherited (a jobserver's pipe, a shell's descriptors) from the server."""
    for name in os.listdir("/dev/fd"):
        descriptor = int(name)
        if descriptor > 2:  # noqa: PLR2004 - 0, 1 and 2 are replaced anyway
            try:
                os.set_inheritable(descriptor, False)
            except OSError:  # the descriptor of this very listing
                continue


def locate(name: str, path: str, cwd: str | None = None) -> str:
    """Find the file of a command, as execvp does, without trying to run anything.

    Raises:
        StartFailed: nothing there that could be run.
    """
    if not name or "\0" in name:
        raise StartFailed("missing", name)
    here = cwd or "."
    if "/" in name:
        found = _unfit(os.path.join(here, name))
        if found:
            raise StartFailed(found, name)
        return name
    seen = "missing"
    for directory in path.split(os.pathsep):
        candidate = os.path.join(directory or ".", name)
        unfit = _unfit(os.path.join(here, candidate))
        if not unfit:
            return candidate
        if unfit == "permission":
            seen = unfit
    raise StartFailed(seen, name)


def _unfit(path: str) -> str:
    """Tell why a file cannot be run: missing, directory, permission; "" when it might."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return "missing"
    if stat.S_ISDIR(mode):
        return "directory"
    return "" if os.access(path, os.X_OK) else "permission"


def _failure(refused: OSError, name: str, path: str) -> StartFailed:
    if refused.errno == errno.ENOEXEC:
        return StartFailed("format", name)
    if refused.errno == errno.ENOENT:  # the file is there, so it is its `#!` line that leads nowhere
        return StartFailed("interpreter", name, _interpreter(path))
    if refused.errno in (errno.EACCES, errno.EPERM):
        return StartFailed("permission", name)
    return StartFailed("other", name, os.strerror(refused.errno or 0))


def _interpreter(path: str) -> str:
    try:
        with open(path, "rb") as file:
            first = file.readline(256)
    except OSError:
        return ""
    return first[2:].strip().decode("utf-8", "replace") if first.startswith(b"#!") else ""
