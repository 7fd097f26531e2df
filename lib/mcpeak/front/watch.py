"""An edge: waiting until a file changes, for `--watch`. Asking is enough: no library, the same everywhere."""

import os
import time
from collections.abc import Iterable, Iterator

PAUSE = 0.3  # seconds between two looks
LEFT_OUT = {"node_modules", "__pycache__", "build", "dist", "target", "venv"}
MOST = 5000  # files; more are no project but a disk


def watched(files: Iterable[str], command: Iterable[str]) -> list[str]:
    """Name what a run depends on: the suites, and whatever lies beside the files that the command names."""
    found = [name for name in files if os.path.isfile(name)]
    for word in command:
        if os.path.isfile(word):
            found += _beside(os.path.dirname(word) or os.curdir)
    return sorted(set(found))[:MOST]


def _beside(folder: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if each not in LEFT_OUT and not each.startswith("."))
        yield from (os.path.join(place, name) for name in names if not name.startswith("."))


def facts(files: list[str]) -> list[tuple[int, int]]:
    """Tell how the files are now: time of change and size."""
    return [_fact(name) for name in files]


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
