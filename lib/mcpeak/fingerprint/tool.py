"""An edge: suite files in, a line or record with each one's fingerprint out."""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcpeak.command import exits
from mcpeak.command.boundary import bounded
from mcpeak.command.failure import Failure, InputError, UsageError
from mcpeak.command.options import Parser, describe, program

if TYPE_CHECKING:  # msgspec costs 30 ms, which `--version` and `--help` need not pay
    from mcpeak.fingerprint.outputs import Lines, Records

NAME = "mcpeak-fingerprint"


def parser(arguments: Sequence[str]) -> Parser:
    """Build the command line."""
    made = program(NAME, "fingerprint", arguments)
    made.add_argument("files", metavar="FILE", nargs="*", help=describe("fingerprint", "file"))
    for option in ("check", "require_approval", "approve", "json"):
        name = f"--{option.replace('_', '-')}"
        made.add_argument(name, action="store_true", help=describe("fingerprint", option))
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Fingerprint the named suites; give the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return bounded(NAME, lambda: _begin(parser(arguments).parse_args(arguments)))


def _begin(given: Namespace) -> int:
    if given.approve and (given.check or given.require_approval):
        other = "--check" if given.check else "--require-approval"
        raise UsageError("CLI_USAGE", room="fingerprint", detail="ONE_MODE", one="--approve", other=other)
    if not given.files and _nobody_gives():
        raise UsageError("NOTHING_GIVEN", room="suite", program=NAME)
    from mcpeak.fingerprint.outputs import Lines, Records

    if given.json:
        from mcpeak.command.stage import run_stage

        return run_stage("fingerprint", lambda writer: _all(given, Records(writer)))
    return _all(given, Lines())


def _nobody_gives() -> bool:
    """Tell whether standard input is a terminal or closed: no suite can come from there."""
    try:
        return os.isatty(0)
    except OSError:
        return True


def _all(given: Namespace, output: "Lines | Records") -> int:
    """Take one file after the other; the worst of their codes is ours."""
    return max(_told(name, given, output) for name in given.files or ["-"])


def _told(name: str, given: Namespace, output: "Lines | Records") -> int:
    """Take one file; what fails for it must not keep the others from their turn."""
    try:
        return _one(name, given, output)
    except Failure as wrong:
        output.failed(name, wrong)
        return wrong.exit


def _one(name: str, given: Namespace, output: "Lines | Records") -> int:
    from mcpeak.suite.files import file_bytes, source_of
    from mcpeak.suite.read import read_suite
    from mcpeak.wire.records import Issue

    data = file_bytes(name)
    if isinstance(data, Issue):
        output.issues([data])
        return exits.UNREADABLE
    if not given.files and not data.strip():
        raise InputError("NOTHING_GIVEN", room="suite", program=NAME)
    if given.approve:
        return _approve(name, data, output)
    read = read_suite(data, source_of(name))
    if isinstance(read, list):
        output.issues(read)
        return exits.UNREADABLE
    output.notices(read.notices)
    if not (given.check or given.require_approval):
        output.fingerprint(name, read)
        return exits.GOOD
    good = read.approval == "matched" or (read.approval == "absent" and not given.require_approval)
    output.compared(name, read, good=good)
    return exits.GOOD if good else exits.NO


def _approve(name: str, data: bytes, output: "Lines | Records") -> int:
    from mcpeak.fingerprint.approve import Approved, approve, save
    from mcpeak.suite.files import STDIN, source_of

    approved = approve(data, source_of(name))
    if not isinstance(approved, Approved):
        output.issues(approved)
        return exits.UNREADABLE
    output.notices(approved.suite.notices)
    if name != STDIN and approved.data != data:
        save(name, data, approved.data)
    output.approved(name, approved.suite, approved.data, changed=approved.data != data)
    return exits.GOOD
