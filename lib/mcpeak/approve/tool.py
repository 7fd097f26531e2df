"""An edge: reads a draft suite and its dry run; saves the suite with its approval block, or writes it out."""

import os
import shlex
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from mcpeak.approve.gather import Gathered
from mcpeak.command import exits
from mcpeak.command.boundary import bounded
from mcpeak.command.failure import Failure, InputError
from mcpeak.command.options import Parser, describe, program
from mcpeak.command.stage import stdin_lines, stream_error, tell_record
from mcpeak.command.text import clean
from mcpeak.messages import label
from mcpeak.wire.reader import BadLine, CutStream, read
from mcpeak.wire.records import SuiteRecord, Unknown

NAME = "mcpeak-approve"


def parser(arguments: Sequence[str]) -> Parser:
    """Build the command line."""
    made = program(NAME, "approve", arguments)
    made.add_argument("--out", metavar="FILE", help=describe("approve", "out"))
    made.add_argument("--force", action="store_true", help=describe("approve", "force"))
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Approve the suite on stdin; give the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return bounded(NAME, lambda: _work(parser(arguments).parse_args(arguments)))


def _work(given: Namespace) -> int:
    from mcpeak.approve.save import check_place

    if given.out is not None:
        check_place(given.out, force=given.force)
    gathered = Gathered()
    try:
        for record, _ in read(stdin_lines()):
            if not isinstance(record, Unknown):
                tell_record(record)
            gathered.see(record)
    except (BadLine, CutStream) as wrong:
        tell_record(stream_error(NAME, wrong))
        return exits.UNREADABLE
    if gathered.failed:
        return exits.NO
    if len(gathered.suites) != 1:
        detail = "SEVERAL_SUITES" if gathered.suites else "NO_SUITE"
        raise InputError("NOTHING_TO_APPROVE", room="approve", detail=detail, count=len(gathered.suites))
    return _approve(gathered.suites[0], gathered, given)


def _approve(record: SuiteRecord, gathered: Gathered, given: Namespace) -> int:
    from mcpeak.approve.layout import approved, laid_out
    from mcpeak.approve.save import check_again, save
    from mcpeak.suite.canonical import fingerprint

    suite = _suite(record)
    digest = fingerprint(suite)
    statuses = gathered.statuses(suite)
    data = laid_out(approved(suite, digest, statuses))
    if given.out is None:
        check_again(data, record.source, digest)
        _write(data)
        return exits.GOOD
    save(given.out, data, digest, force=given.force)
    defects = sum(1 for entry in statuses if entry["status"] == "serverDefect")
    lines = [gathered.coverage] if gathered.coverage else []
    saved = label("approve", "saved", file=given.out, cases=len(suite["cases"]), fingerprint=digest)
    lines += [saved] + ([label("approve", "defects", count=defects)] if defects else [])
    lines.append(label("approve", "next", command=shlex.join(["mcpeak", "test", given.out])))
    _write("".join(f"{clean(line)}\n" for line in lines).encode("utf-8", "backslashreplace"))
    return exits.GOOD


def _suite(record: SuiteRecord) -> dict[str, Any]:
    """Read the suite; a hand-made record may hold anything."""
    from mcpeak.suite.read import ReadSuite, read_suite

    read = read_suite(bytes(record.suite), record.source)
    if isinstance(read, ReadSuite):
        return read.value()
    first = read[0]
    raise Failure("GENERATED_SUITE_INVALID", room="approve", path=first.path, why=first.message)


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]
