"""An edge: a user's file, saved whole or not at all, and never over another one unasked."""

import os

from mcpeak.command import exits
from mcpeak.command.failure import Failure


def save(path: str, data: bytes, *, replace: bool) -> None:
    """Write a file through a temporary one beside it. A symbolic link is not followed.

    Raises:
        Failure: FILE_EXISTS; FILE_WRITE_FAILED with the system's reason.
    """
    if not replace and os.path.lexists(path):
        raise Failure("FILE_EXISTS", exit_code=exits.NO, file=path)
    temporary = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{os.getpid()}.tmp")
    try:
        _fill(temporary, data, _mode(path))
        os.replace(temporary, path)
    except OSError as refused:
        raise Failure("FILE_WRITE_FAILED", exit_code=exits.NO, file=path, why=refused.strerror) from refused
    finally:
        if os.path.lexists(temporary):
            os.unlink(temporary)


def _mode(path: str) -> int | None:
    """Give the permissions that a file has, to be kept; None for a new one."""
    return os.lstat(path).st_mode & 0o7777 if os.path.isfile(path) else None


def _fill(temporary: str, data: bytes, mode: int | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(temporary, flags, 0o666), "wb") as file:
        if mode is not None:
            os.fchmod(file.fileno(), mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
