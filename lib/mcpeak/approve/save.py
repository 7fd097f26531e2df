"""An edge: a suite file, written whole or not at all, and never over another one unasked.

Rule of this file: the bytes go into a temporary file beside the place, are read again and compared, and
only then take the place in one step. Symbolic links are not followed.
"""

import errno
import os

from mcpeak.command import exits
from mcpeak.command.failure import Failure, UsageError
from mcpeak.command.places import obstacle
from mcpeak.messages import label


def check_place(path: str, *, force: bool) -> None:
    """Refuse a place that could not be written in the end, touching nothing.

    Raises:
        UsageError: the name does not end in .json.
        Failure: OUTPUT_EXISTS, GENERATE_FAILED.
    """
    if not path.endswith(".json"):
        raise UsageError("CLI_USAGE", room="approve", detail="OUT_NOT_JSON", file=path)
    if os.path.islink(path):
        raise _failed(path, label("approve", "is_link"))
    if os.path.exists(path) and not os.path.isdir(path) and not force:
        raise Failure("OUTPUT_EXISTS", room="approve", file=path)
    why = obstacle(path)
    if why is not None:
        raise _failed(path, why)


def save(path: str, data: bytes, fingerprint: str, *, force: bool) -> None:
    """Save a suite.

    Raises:
        Failure: OUTPUT_EXISTS; GENERATE_FAILED: the file system refuses, or holds something else.
    """
    check_place(path, force=force)
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    try:
        _fill(temporary, data)
        with open(temporary, "rb") as file:
            check_again(file.read(), path, fingerprint)
        _move(temporary, path, force=force)
    except FileExistsError as exists:
        raise Failure("OUTPUT_EXISTS", room="approve", file=path) from exists
    except OSError as refused:
        raise _failed(path, os.strerror(refused.errno or errno.EIO)) from refused
    finally:
        if os.path.lexists(temporary):
            os.unlink(temporary)


def _fill(temporary: str, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(temporary, flags, 0o666), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def check_again(data: bytes, path: str, fingerprint: str) -> None:
    """Read what was written as every later reader will.

    Raises:
        Failure: GENERATED_SUITE_INVALID: it is no valid suite; GENERATE_FAILED: it is another one.
    """
    from mcpeak.suite.read import ReadSuite, read_suite

    read = read_suite(data, path)
    if not isinstance(read, ReadSuite):
        first = read[0]
        raise Failure("GENERATED_SUITE_INVALID", room="approve", path=first.path, why=first.message)
    if read.fingerprint != fingerprint or read.approved_fingerprint != fingerprint:
        raise _failed(path, label("approve", "not_the_same"))


def _move(temporary: str, path: str, *, force: bool) -> None:
    """Take the place in one step: a link fails where a file is, a rename replaces it."""
    if force:
        os.replace(temporary, path)
        return
    try:
        os.link(temporary, path, follow_symlinks=False)
    except OSError as refused:
        if refused.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
        if os.path.lexists(path):  # a file system without hard links: the next best check
            raise FileExistsError(path) from refused
        os.rename(temporary, path)


def _failed(path: str, why: str) -> Failure:
    return Failure("GENERATE_FAILED", room="approve", exit_code=exits.NO, file=path, why=why)
