"""An edge: the files of a report: looked at before anything is read, then written whole or not at all.

Rule of this file: bytes to places; what stands in them is no business of its.
"""

import errno
import os
import stat
import time
from collections.abc import Iterable
from itertools import chain

from mcpeak.command import exits
from mcpeak.command.failure import Failure
from mcpeak.command.places import obstacle
from mcpeak.messages import label
from mcpeak.wire.writer import to_descriptor

PATIENCE = 5.0
"""Seconds that a named pipe may take to find its reader."""
PAUSE = 0.05  # seconds between two looks


def check(path: str, code: str) -> None:
    """Refuse a place that could not be written in the end, without touching it.

    Raises:
        Failure: `code`, with the reason.
    """
    reason = obstacle(path)
    if reason is not None:
        raise _failed(code, path, reason)


def write(path: str, code: str, pieces: Iterable[bytes]) -> None:
    """Write a file whole: into a temporary one beside it, then moved in place; an older one stays until then.

    A device or a pipe is written as it is, by its own name: what `/dev/stdout` leads to may have none. What
    is our stdout or stderr goes there, after what they hold already.

    Raises:
        Failure: `code`, with the reason.
    """
    try:
        ours = stream_of(path)
        if ours is not None:
            _pour(ours, pieces)
        elif os.path.exists(path) and not os.path.isfile(path):
            _fill(path, pieces)
        else:
            _replace(os.path.realpath(path), chain(_before(path), pieces))
    except OSError as wrong:
        lonely = wrong.errno == errno.ENXIO
        why = label("report", "no_reader") if lonely else wrong.strerror or str(wrong)
        raise _failed(code, path, why) from wrong


def _before(path: str) -> list[bytes]:
    """Give what stays in front: all commands of one step of a GitHub workflow share its summary."""
    if path != os.environ.get("GITHUB_STEP_SUMMARY") or not os.path.exists(path):
        return []
    with open(path, "rb") as file:
        said = file.read()
    return [said if said.endswith(b"\n") else said + b"\n", b"\n"] if said else []


def stream_of(path: str) -> int | None:
    """Give 1 or 2 where a path leads to what our stdout or stderr is; `/dev/null` and its kin are no end."""
    try:
        there = os.stat(path)
    except OSError:
        return None
    return next((number for number in (1, 2) if _leads_to(there, number)), None)


def _leads_to(there: os.stat_result, number: int) -> bool:
    try:
        same = os.path.samestat(there, os.fstat(number))
    except OSError:
        return False
    return same and (os.isatty(number) or not stat.S_ISCHR(there.st_mode))


def _pour(number: int, pieces: Iterable[bytes]) -> None:
    sink = to_descriptor(number)
    for piece in pieces:
        sink(piece)


def _replace(place: str, pieces: Iterable[bytes]) -> None:
    temporary = os.path.join(os.path.dirname(place), f".{os.path.basename(place)}.{os.getpid()}.tmp")
    try:
        _fill(temporary, pieces)
        if os.path.exists(place):
            os.chmod(temporary, os.stat(place).st_mode & 0o7777)
        os.replace(temporary, place)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _fill(place: str, pieces: Iterable[bytes]) -> None:
    with open(place, "wb", opener=_opened) as file:
        file.writelines(pieces)


def _opened(place: str, flags: int) -> int:
    """Open a file; a named pipe that nobody reads is not waited for without end."""
    if not (os.path.exists(place) and stat.S_ISFIFO(os.stat(place).st_mode)):
        return os.open(place, flags, 0o666)
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            opened = os.open(place, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as wrong:
            if wrong.errno != errno.ENXIO or time.monotonic() > deadline:
                raise
            time.sleep(PAUSE)
        else:
            os.set_blocking(opened, True)
            return opened


def _failed(code: str, path: str, why: str) -> Failure:
    return Failure(code, room="report", exit_code=exits.NO, path=path, why=why)
