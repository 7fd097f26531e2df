"""What an installation needs, what helps, and the verdict on what was found. Pure: facts in, rows out.

Rule of this file: no file, process or environment is touched here; tool.py gathers the facts.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

State = Literal["good", "missing", "optional"]
OLDEST_PYTHON = (3, 11)
HELPFUL_PROGRAMS = ("node", "npx", "uvx", "make", "git", "pre-commit", "parallel")


class Facts(NamedTuple):
    """What tool.py found. `packages`: name → version or None; `programs`: name → path or None."""

    version: str
    python: tuple[int, int, int]
    executable: str
    platform: str
    packages: Mapping[str, str | None]
    programs: Mapping[str, str | None]
    on_path: str | None
    folder: str
    temporary: str | None
    locale: str
    language: str
    width: int


class Row(NamedTuple):
    """One line: what, how it stands, the value, and the code of its remedy when it is not good."""

    name: str
    state: State
    value: str
    remedy: str | None = None


def rows(facts: Facts) -> list[Row]:
    """Judge every fact, in the order of the report."""
    return [
        Row("mcpeak", "good", facts.version),
        _python(facts),
        Row("platform", "good", facts.platform),
        *_packages(facts.packages),
        _path(facts),
        _temporary(facts),
        Row("language", "good", f"{facts.language} ({facts.locale})"),
        Row("width", "good", str(facts.width)),
        *_programs(facts.programs),
    ]


def healthy(judged: Sequence[Row]) -> bool:
    """Tell whether everything that is needed is there."""
    return all(row.state != "missing" for row in judged)


def _python(facts: Facts) -> Row:
    text = f"{'.'.join(map(str, facts.python))} ({facts.executable})"
    old = facts.python[:2] < OLDEST_PYTHON
    return Row("python", "missing" if old else "good", text, "PYTHON_TOO_OLD" if old else None)


def _packages(packages: Mapping[str, str | None]) -> list[Row]:
    return [
        Row(name, "good", version) if version else Row(name, "missing", "", "PACKAGE_MISSING")
        for name, version in sorted(packages.items())
    ]


def _path(facts: Facts) -> Row:
    """Find the commonest trap: another mcpeak in front of this one on PATH."""
    if facts.on_path is None:
        return Row("path", "optional", facts.folder, "NOT_ON_PATH")
    other = facts.on_path != facts.folder
    return Row("path", "optional" if other else "good", facts.on_path, "OTHER_ON_PATH" if other else None)


def _temporary(facts: Facts) -> Row:
    if facts.temporary is None:
        return Row("temporary", "missing", "", "NO_TEMPORARY_FOLDER")
    return Row("temporary", "good", facts.temporary)


def _programs(programs: Mapping[str, str | None]) -> list[Row]:
    return [
        Row(name, "good", path)
        if path
        else Row(name, "optional", "", f"WITHOUT_{name.upper().replace('-', '_')}")
        for name, path in programs.items()
    ]
