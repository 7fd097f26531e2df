"""An edge: a project's own file where we run: `mcpeak.toml`, or `[tool.mcpeak]` of `pyproject.toml`."""

import os
from typing import Any, NamedTuple

from mcpeak.command.failure import InputError, UsageError

OWN = "mcpeak.toml"
SHARED = "pyproject.toml"
TABLE = b"[tool.mcpeak"


class Project(NamedTuple):
    """What the project says, in which file, and that file's text."""

    file: str
    settings: dict[str, Any]
    text: str

    def where(self, key: str) -> str:
        """Name the place of a setting: the file, and its line where a look at the text tells it."""
        inside = self.file == OWN
        for number, line in enumerate(self.text.splitlines(), 1):
            inside = inside or line.strip() == f"{TABLE.decode()}]"
            name, mark, _ = line.partition("=")
            if inside and mark and name.strip().strip("\"'") == key:
                return f"{self.file}:{number}"
        return self.file


def read_project() -> Project | None:
    """Read the project's settings, if it has any.

    Raises:
        InputError: PROJECT_FILE_INVALID: it is no TOML, or cannot be read.
    """
    if os.path.exists(OWN):
        data = _bytes(OWN)
        return Project(OWN, _parsed(OWN, data), data.decode())
    if os.path.exists(SHARED):
        data = _bytes(SHARED)
        if TABLE in data:  # so that other people's files are not parsed on every start
            return Project(SHARED, _parsed(SHARED, data).get("tool", {}).get("mcpeak", {}), data.decode())
    return None


def expand(pattern: str, where: str) -> list[str]:
    """Give the files that a pattern of `suites` stands for, sorted; a plain name stands for itself.

    `where` is the place where it is written, for the error.

    Raises:
        UsageError: SETTING_NO_FILES: a pattern that fits no file would be tested as green nothing.
    """
    if not any(letter in pattern for letter in "*?["):
        return [pattern]
    from glob import glob  # late: few projects ask for it

    found = sorted(glob(pattern, recursive=True))
    if not found:
        raise UsageError("CLI_USAGE", room="front", detail="SETTING_NO_FILES", file=where, pattern=pattern)
    return found


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as why:
        raise InputError("PROJECT_FILE_INVALID", room="front", file=path, why=why.strerror) from why


def _parsed(path: str, data: bytes) -> dict[str, Any]:
    import tomllib  # late: it costs more than all the rest of this

    try:
        return tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as why:
        raise InputError("PROJECT_FILE_INVALID", room="front", file=path, why=why) from why
