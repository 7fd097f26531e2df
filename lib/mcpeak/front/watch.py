"""An edge: waiting until a file changes, for `--watch`. Asking is enough: no library, the same everywhere."""

import os
import stat
import time
from collections.abc import Container, Iterable, Iterator

PAUSE = 0.3  # seconds between two looks
LEFT_OUT = {"node_modules", "__pycache__", "build", "dist", "target", "venv"}
MOST = 5000  # files; more are no project but a disk


def watched(files: Iterable[str], command: Iterable[str], written: Iterable[str] = ()) -> list[str]:
    """Name what a run depends on: the suites, and whatever lies beside the files that the command names.

    What the run itself writes is left out, or it would run for ever: the files that our stdout and stderr
    go to, and those in `written`.
    """
    found = [name for name in files if os.path.isfile(name)]
    for word in command:
        if os.path.isfile(word):
            found += _beside(os.path.dirname(word) or os.curdir)
    ours = {_identity(end) for end in (1, 2)} | {_identity(name) for name in written} - {None}
    return [name for name in sorted(set(found)) if _identity(name) not in ours][:MOST]


def _identity(file: str | int) -> tuple[int, int] | None:
    """Give what makes a plain file itself, whatever its name: device and inode."""
    try:
        now = os.stat(file)
    except OSError:
        return None
    return (now.st_dev, now.st_ino) if stat.S_ISREG(now.st_mode) else None


def _beside(folder: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if each not in LEFT_OUT and not each.startswith("."))
        yield from (os.path.join(place, name) for name in names if not name.startswith("."))


def facts(files: list[str]) -> list[tuple[int, int]]:
    """Tell how the files are now: time of change and size."""
    return [_fact(name) for name in files]


def changed(files: list[str], before: list[tuple[int, int]]) -> set[str]:
    """Name the files that are no longer as they were."""
    return {name for name, then, now in zip(files, before, facts(files), strict=True) if then != now}


def settled(files: list[str], before: list[tuple[int, int]], habit: Container[str]) -> list[tuple[int, int]]:
    """Take the files in `habit` as they are now, and all others as they were before the run."""
    both = zip(files, before, facts(files), strict=True)
    return [now if name in habit else then for name, then, now in both]


def wait_for_change(files: list[str], before: list[tuple[int, int]]) -> None:
    """Come back when the files are no longer as they were."""
    while facts(files) == before:
        time.sleep(PAUSE)


def _fact(name: str) -> tuple[int, int]:
    try:
        now = os.stat(name)
    except OSError:
        return 0, 0  # on its way: many editors replace a file
    return now.st_mtime_ns, now.st_size
