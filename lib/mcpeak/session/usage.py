"""Which calls the last replay of a file used: kept with the user's state, so that the file stays as it is.

Rule of this file: an edge; failing to keep this is no reason to fail.
"""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any


def keep(environ: Mapping[str, str], path: str, mark: str, used: Sequence[int]) -> None:
    """Note what a replay used of the file with the digest `mark`; several servers of one run add up."""
    file = _files(environ, path)[0]
    run = environ.get("MCPEAK_RUN", "")
    before = _load(file)
    together = run and before.get("run") == run and before.get("file") == mark
    numbers = set(before.get("used", [])) if together else set()
    data = json.dumps({"file": mark, "run": run, "used": sorted(numbers | set(used))})
    try:
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        temporary = f"{file}.{os.getpid()}"
        with open(temporary, "w", encoding="ascii") as out:
            out.write(data)
        os.replace(temporary, file)
    except OSError:
        return


def last(environ: Mapping[str, str], path: str, mark: str) -> list[int] | None:
    """Give the numbers of the exchanges that the last replay used; None when there was no replay."""
    for file in _files(environ, path):
        found = _load(file)
        if found.get("file") == mark:
            return [int(number) for number in found["used"]]
    return None


def _files(environ: Mapping[str, str], path: str) -> list[str]:
    """Give the places of the note: mcpeak-run passes HOME on, but not where else state might be kept."""
    home = environ.get("HOME") or os.path.expanduser("~")
    places = [os.path.join(home, ".local", "state"), environ.get("XDG_STATE_HOME", "")]
    name = hashlib.sha256(os.path.realpath(path).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return [os.path.join(place, "mcpeak", "sessions", f"{name}.json") for place in places if place]


def _load(file: str) -> dict[str, Any]:
    try:
        with open(file, "rb") as text:
            found = json.load(text)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
