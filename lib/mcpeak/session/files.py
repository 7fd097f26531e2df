"""Session files as files: read, written whole or not at all, never two writers at once.

Rule of this file: an edge; what is in a session file is store.py's business. A file is written to a temporary
one beside it and moved in place: whoever kills us finds the old file or the new one.
"""

import contextlib
import errno
import os
from collections.abc import Iterator

from mcpeak.command.failure import InputError

_MAGIC = b"SQLite format 3\0"


def read(path: str) -> bytes:
    """Read a session file.

    Raises:
        InputError: there is none, or it is clearly something else.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as refused:
        code = "SESSION_MISSING" if refused.errno == errno.ENOENT else "SESSION_UNREADABLE"
        raise _failure(code, path, refused) from refused
    if not data.startswith(_MAGIC):
        raise invalid(path, "not SQLite")
    return data


def write(path: str, data: bytes) -> None:
    """Write a session file in place of what is there.

    Raises:
        InputError: the directory or the file cannot be written.
    """
    temporary = f"{_prefix(path)}{os.getpid()}.tmp"
    try:
        with open(temporary, "wb", opener=_exclusive) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(OSError):  # a new file keeps the mode that the umask gives
            os.chmod(temporary, os.stat(path).st_mode & 0o777)
        os.replace(temporary, path)
    except OSError as refused:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise _failure("SESSION_UNWRITABLE", path, refused) from refused


def check_writable(path: str) -> None:
    """See that a recording can be written later, and clear away what a killed writer left.

    Raises:
        InputError: the directory is missing or cannot be written.
    """
    directory = os.path.dirname(path) or "."
    if not os.path.isdir(directory):
        raise _failure("SESSION_UNWRITABLE", path, OSError(errno.ENOENT, os.strerror(errno.ENOENT)))
    if os.path.isdir(path) or not os.access(directory, os.W_OK | os.X_OK):
        code = errno.EISDIR if os.path.isdir(path) else errno.EACCES
        raise _failure("SESSION_UNWRITABLE", path, OSError(code, os.strerror(code)))
    prefix = os.path.basename(_prefix(path))
    for name in os.listdir(directory):
        number = name.removeprefix(prefix).removesuffix(".tmp")
        if (
            name.startswith(prefix)
            and name.endswith(".tmp")
            and number.isdigit()
            and not is_alive(int(number))
        ):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(directory, name))


@contextlib.contextmanager
def locked(path: str) -> Iterator[None]:
    """Keep others that write beside this file waiting; the lock is the directory's and leaves nothing."""
    import fcntl

    descriptor = os.open(os.path.dirname(path) or ".", os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)  # a child that was started meanwhile may hold the descriptor
        os.close(descriptor)


def invalid(path: str, why: str) -> InputError:
    """Make the failure of a file that is no session file of this version."""
    return InputError("EXTERNAL_SESSION_FAILED", room="session", detail="SESSION_INVALID", path=path, why=why)


def _prefix(path: str) -> str:
    return os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.")


def _exclusive(path: str, flags: int) -> int:
    """Open a new file; never through a link that somebody laid there."""
    return os.open(path, flags | os.O_EXCL | os.O_NOFOLLOW, 0o666)


def is_alive(pid: int) -> bool:
    """Tell whether there is a process of this number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _failure(detail: str, path: str, refused: OSError) -> InputError:
    reason = refused.strerror or str(refused)
    return InputError("EXTERNAL_SESSION_FAILED", room="session", detail=detail, path=path, why=reason)
