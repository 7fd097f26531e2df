"""An edge: what failed last time in this folder, for `--failed`.

The report stage writes it (`--remember`), among nobody's files: under the user's state folder, one file for
each working directory. A memory that cannot be read or written is no reason to fail.
"""

import os
from contextlib import suppress

from mcpeak.front.arguments import Given
from mcpeak.wire import msgspec

NAME = "failed.json"


class Memory(msgspec.Struct, frozen=True):
    """The ids of the cases that did not pass, by suite file."""

    failed: dict[str, list[str]]


def place() -> str | None:
    """Say where this folder's memory is, having made room for it; None where nothing is kept (CI)."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.join(os.environ.get("HOME", ""), ".local", "state")
    if os.environ.get("CI") or not os.path.isabs(home):
        return None
    with suppress(OSError):  # the working directory itself may be gone
        folder = os.path.join(home, "mcpeak", "failed", os.getcwd().lstrip(os.sep))
        os.makedirs(folder, mode=0o700, exist_ok=True)
        return os.path.join(folder, NAME)
    return None


def recall(path: str | None) -> Memory | None:
    """Read what failed last time; None when nothing did, or nothing is known."""
    try:
        with open(path or "", "rb") as file:
            memory = msgspec.json.decode(file.read(), type=Memory)
    except (OSError, msgspec.DecodeError):
        return None
    return memory if memory.failed else None


def narrowed(given: Given, memory: Memory, option: str) -> Given:
    """Keep of what was asked for the suites and cases that failed; `option` chooses a case by a pattern."""
    files = [name for name in given.files if name in memory.failed]
    if not files:
        return given
    ids = dict.fromkeys(case for name in files for case in memory.failed[name])
    return given._replace(files=files, options=[*given.options, *((option, _literal(case)) for case in ids)])


def _literal(text: str) -> str:
    """Write a text as the pattern that fits only itself."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in text)
