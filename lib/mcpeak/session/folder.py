"""The temporary folder of one run, where the certificates are for the child to read.

Rule of this file: an edge. The folder is gone with the run. One whose run was killed stays, and a later run
clears it away: only a folder of this user, named as ours are, whose process is gone and whose lock is free
(a process of another container has its number elsewhere); never through a link.
"""

import contextlib
import fcntl
import os
import re
import stat
from collections.abc import Mapping

from mcpeak.session.files import is_alive

_MODE = 0o700
_NAME = re.compile(r"mcpeak-session-(\d{1,10})-[0-9a-f]{16}")


class Folder:
    """Makes a folder that only we can read, and clears away what killed runs left beside it.

    Raises:
        FileNotFoundError: there is no place for it.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        for place in (environ.get("TMPDIR"), "/tmp", "."):  # noqa: S108 - the folder in it has a random name and mode 0700
            if place and self._made(os.path.abspath(place)):
                return
        raise FileNotFoundError(place)

    def _made(self, place: str) -> bool:
        self.path = os.path.join(place, f"mcpeak-session-{os.getpid()}-{os.urandom(8).hex()}")
        try:
            os.mkdir(self.path, _MODE)
            self._held = _opened(self.path)
        except OSError:
            return False
        with contextlib.suppress(OSError):
            fcntl.flock(self._held, fcntl.LOCK_SH | fcntl.LOCK_NB)
            _clear(place)
        return True

    def remove(self) -> None:
        """Remove it with all that is in it."""
        _remove(self.path, self._held)
        os.close(self._held)


def _clear(place: str) -> None:
    """Remove the folders of runs that were killed."""
    for name in os.listdir(place):
        found = _NAME.fullmatch(name)
        if found and not is_alive(int(found[1])):
            with contextlib.suppress(OSError):
                _clear_one(os.path.join(place, name))


def _clear_one(path: str) -> None:
    descriptor = _opened(path)
    try:
        if os.fstat(descriptor).st_uid == os.getuid():
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(path, descriptor)
    finally:
        os.close(descriptor)


def _opened(path: str) -> int:
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)


def _remove(path: str, descriptor: int) -> None:
    """Remove an open folder and the files in it; folders and links in it stay, and then it does, too."""
    with contextlib.suppress(OSError):
        for name in os.listdir(descriptor):
            if stat.S_ISREG(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode):
                os.unlink(name, dir_fd=descriptor)
        os.rmdir(path)
