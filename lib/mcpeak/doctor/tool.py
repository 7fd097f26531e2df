"""An edge: gathers the facts of this installation and says how they stand."""

import os
import shutil
import sys
from collections.abc import Sequence
from itertools import zip_longest

from mcpeak import __version__, messages
from mcpeak.command import exits
from mcpeak.command.boundary import bounded
from mcpeak.command.options import Parser, program
from mcpeak.command.stdout import show
from mcpeak.command.text import clean
from mcpeak.doctor.checks import HELPFUL_PROGRAMS, Facts, Row, healthy, rows
from mcpeak.messages import label, say

NAME = "mcpeak-doctor"
MARKS = {"good": "✓", "missing": "✗", "optional": "·"}
PACKAGES = (
    "anyio",
    "brotli",
    "h11",
    "httpcore",
    "httpx",
    "jinja2",
    "jsonschema-rs",
    "markupsafe",
    "msgspec",
    "psutil",
    "shtab",
    "starlette",
    "structlog",
    "trustme",
    "uvicorn",
    "wcwidth",
    "zstandard",
)


def parser(arguments: Sequence[str]) -> Parser:
    """Build the command line."""
    return program(NAME, "doctor", arguments)


def main(argv: Sequence[str] | None = None) -> int:
    """Say what is there and what is missing; give 0, or 1 when something needed is missing."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return bounded(NAME, lambda: _work(arguments))


def _work(arguments: list[str]) -> int:
    parser(arguments).parse_args(arguments)
    judged = rows(_facts())
    text = "\n".join(_line(row, after) for row, after in zip_longest(judged, judged[1:]))
    show(f"{text}\n\n{_verdict(judged)}\n")
    return exits.GOOD if healthy(judged) else exits.NO


def _line(row: Row, after: Row | None) -> str:
    """Lay one row out; a remedy that the row after it needs, too, stands there."""
    value = clean(row.value) or label("doctor", "absent")
    line = f"{MARKS[row.state]} {label('doctor', row.name) if _labelled(row.name) else row.name}: {value}"
    if row.remedy is None:
        return line
    words = say("doctor", row.remedy, name=row.name, value=row.value)
    if after is not None and after.remedy == row.remedy:
        return f"{line}\n    {words.message}"
    return f"{line}\n    {words.message}\n    {words.hint}"


def _labelled(name: str) -> bool:
    return name in messages.table("doctor", messages.language())["label"]


def _verdict(judged: Sequence[Row]) -> str:
    return label("doctor", "healthy" if healthy(judged) else "ill")


def _facts() -> Facts:
    here = os.path.dirname(os.path.realpath(sys.argv[0])) if sys.argv and sys.argv[0] else ""
    found = shutil.which("mcpeak")
    return Facts(
        version=__version__,
        python=sys.version_info[:3],
        executable=sys.executable,
        platform=f"{os.uname().sysname} {os.uname().release} {os.uname().machine}",
        packages={name: _version(name) for name in PACKAGES},
        programs={name: shutil.which(name) for name in HELPFUL_PROGRAMS},
        on_path=os.path.dirname(os.path.realpath(found)) if found else None,
        folder=here,
        temporary=_temporary(),
        locale=os.environ.get("LC_ALL") or os.environ.get("LANG") or "C",
        language=messages.language(),
        width=shutil.get_terminal_size().columns,
    )


def _version(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # late: 35 ms that no other program needs

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _temporary() -> str | None:
    import tempfile

    try:
        with tempfile.TemporaryFile():
            return tempfile.gettempdir()
    except OSError:
        return None
