"""The command line of `mcpeak-report`.

Rule of this file: arguments in, plain values out; it opens nothing and imports nothing of records.
"""

import os
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from mcpeak.command.failure import UsageError
from mcpeak.command.options import Later, Parser, describe, program

NAME = "mcpeak-report"
FILES = ("junit", "html", "markdown", "repair_bundle", "remember")
"""The options that name a file to write."""


def parser(arguments: Sequence[str]) -> Parser:
    """Build the parser in the language of its arguments."""
    built = program(NAME, "report", arguments)
    built.add_argument("files", nargs="*", metavar="FILE", help=describe("report", "files"))
    stdout = built.add_argument_group(Later("report", "label", "group_stdout"))
    for name in ("json", "tap", "github"):
        stdout.add_argument(f"--{name}", action="store_true", help=describe("report", name))
    stdout.add_argument("--template", metavar="FILE", help=describe("report", "template"))
    stdout.add_argument("-q", "--quiet", action="store_true", help=describe("report", "quiet"))
    stdout.add_argument("-v", "--verbose", action="store_true", help=describe("report", "verbose"))
    colors = ("auto", "always", "never")
    stdout.add_argument("--color", choices=colors, default="auto", help=describe("report", "color"))
    stdout.add_argument("--no-progress", action="store_true", help=describe("report", "no_progress"))
    written = built.add_argument_group(Later("report", "label", "group_files"))
    for name in FILES:
        written.add_argument(f"--{name.replace('_', '-')}", metavar="PATH", help=describe("report", name))
    built.add_argument("--timings", action="store_true", help=describe("report", "timings"))
    lines = describe("report", "stderr_lines")
    built.add_argument("--stderr-lines", metavar="N", default="20", help=lines)
    return built


def parse(arguments: Sequence[str]) -> Namespace:
    """Parse the arguments and refuse what cannot be meant.

    Raises:
        UsageError: wrong usage.
    """
    given = parser(arguments).parse_args(list(arguments))
    wanting = [f"--{name.replace('_', '-')}" for name in on_stdout(given)]
    if len(wanting) > 1:
        raise _usage("ONE_STDOUT", first=wanting[0], second=wanting[1])
    if not given.files and _terminal():
        raise _usage("NOTHING_GIVEN")
    if given.quiet and given.verbose:
        raise _usage("QUIET_AND_VERBOSE")
    if not (given.stderr_lines.isascii() and given.stderr_lines.isdigit()):
        raise _usage("STDERR_LINES", value=given.stderr_lines)
    given.stderr_lines = int(given.stderr_lines)
    for name in (*FILES, "template"):
        if getattr(given, name) == "":
            raise _usage("EMPTY_PATH", option=f"--{name.replace('_', '-')}")
    return given


def on_stdout(given: Namespace) -> list[str]:
    """Name the options that want stdout: formats that take it, files that are it (`--junit /dev/stdout`)."""
    formats = [name for name in ("json", "tap", "template") if getattr(given, name)]
    named = [name for name in FILES if getattr(given, name)]
    if not named:
        return formats
    from mcpeak.report.files import stream_of  # late: many runs name no file

    return formats + [name for name in named if stream_of(getattr(given, name)) == 1]


def _terminal() -> bool:
    """Tell whether standard input is a terminal or closed: no record can come from there."""
    try:
        return os.isatty(0)
    except OSError:
        return True


def _usage(detail: str, **values: Any) -> UsageError:
    return UsageError("CLI_USAGE", room="report", detail=detail, program=NAME, **values)
