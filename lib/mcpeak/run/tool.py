"""mcpeak-run: suite records on stdin, run records on stdout, as they happen."""

import argparse
import sys
from collections.abc import Sequence

from mcpeak.command.boundary import bounded
from mcpeak.command.options import Parser, program
from mcpeak.command.stage import run_stage
from mcpeak.command.target import add_target, split
from mcpeak.link.interrupt import Interrupts
from mcpeak.link.orphans import sweep
from mcpeak.run.feed import warm_lines
from mcpeak.run.options import add_options, settings_of
from mcpeak.run.suites import Suites
from mcpeak.wire.writer import Writer


def parser(arguments: Sequence[str]) -> Parser:
    """Build the command line in the language of its arguments."""
    built = program("mcpeak-run", "run", arguments)
    add_target(built)
    add_options(built)
    return built


def main(argv: Sequence[str] | None = None) -> int:
    """Run the suites that come in; give the exit code."""
    return bounded("mcpeak-run", lambda: _main(sys.argv[1:] if argv is None else argv))


def _main(argv: Sequence[str]) -> int:
    ours, command = split(argv)
    given = parser(ours).parse_args(ours)
    with Interrupts() as interrupts:
        try:
            return run_stage("run", lambda writer: _run(given, command, writer, interrupts))
        finally:
            sweep()


def _run(given: argparse.Namespace, command: list[str] | None, writer: Writer, interrupts: Interrupts) -> int:
    """Run; a file or word among the options that cannot be used is an `error` record, as all else is."""
    return Suites(settings_of(given, command), writer, interrupts).run(warm_lines(0, interrupts))
