"""An edge: suite files in, suite and issue records out, each as soon as it is known."""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mcpeak.command import exits
from mcpeak.command.boundary import bounded
from mcpeak.command.failure import InputError, UsageError
from mcpeak.command.options import Parser, describe, program

if TYPE_CHECKING:  # msgspec costs 30 ms, which `--version` and `--help` need not pay
    from mcpeak.wire.records import AnyRecord
    from mcpeak.wire.writer import Writer

NAME = "mcpeak-validate"


def parser(arguments: Sequence[str]) -> Parser:
    """Build the command line."""
    made = program(NAME, "validate", arguments)
    made.add_argument("files", metavar="FILE", nargs="*", help=describe("validate", "file"))
    made.add_argument("--check", action="store_true", help=describe("validate", "check"))
    made.add_argument("--strict", action="store_true", help=describe("validate", "strict"))
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Check the named suites; give the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return bounded(NAME, lambda: _begin(parser(arguments).parse_args(arguments)))


def _begin(given: Namespace) -> int:
    if not given.files and _nobody_gives():
        raise UsageError("NOTHING_GIVEN", room="suite", program=NAME)
    from mcpeak.command.stage import run_stage, tell_record

    if given.check:
        return _check_all(given, tell_record)
    return run_stage("validate", lambda writer: _records(given, writer))


def _nobody_gives() -> bool:
    """Tell whether standard input is a terminal or closed: no suite can come from there."""
    try:
        return os.isatty(0)
    except OSError:
        return True


def _records(given: Namespace, writer: "Writer") -> int:
    return _check_all(given, writer.write)


def _check_all(given: Namespace, write: "Callable[[AnyRecord], None]") -> int:
    """Check one file after the other; the worst of their codes is ours."""
    return max(_check(name, given, write) for name in given.files or ["-"])


def _check(name: str, given: Namespace, write: "Callable[[AnyRecord], None]") -> int:
    from mcpeak.suite.files import file_bytes, source_of
    from mcpeak.suite.read import read_suite
    from mcpeak.wire.records import Issue

    data = file_bytes(name)
    if isinstance(data, Issue):
        write(data)
        return exits.UNREADABLE if data.code == "SUITE_READ_FAILED" else exits.NO
    if not given.files and not data.strip():
        raise InputError("NOTHING_GIVEN", room="suite", program=NAME)
    read = read_suite(data, source_of(name))
    del data
    if isinstance(read, list):
        from mcpeak.command.stage import by_place

        for issue in by_place(read) if given.check else read:
            write(issue)
        return exits.NO
    record, notices = read.record(), read.notices
    del read  # the parsed value of a large suite is larger than its record
    write(record)
    for notice in notices:
        if given.strict:
            notice.severity = "failure"
        write(notice)
    return exits.NO if given.strict and notices else exits.GOOD
