"""An edge: the files of a report: looked at before anything is read, then written whole or not at all.

Rule of this file: bytes to places; what stands in them is no business of its.
"""

import os
from collections.abc import Iterable

from mcpeak.command import exits
from mcpeak.command.failure import Failure
from mcpeak.command.places import obstacle


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

    A device or a pipe is written as it is, by its own name: what `/dev/stdout` leads to may have none.

    Raises:
        Failure: `code`, with the reason.
    """
    place = os.path.realpath(path)
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            _fill(path, pieces)
        else:
            _replace(place, pieces)
    except OSError as wrong:
        raise _failed(code, path, wrong.strerror or str(wrong)) from wrong


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
    with open(place, "wb") as file:
        file.writelines(pieces)


def _failed(code: str, path: str, why: str) -> Failure:
    return Failure(code, room="report", exit_code=exits.NO, path=path, why=why)
