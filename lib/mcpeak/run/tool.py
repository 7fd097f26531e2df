"""mcpeak-run: suite records on stdin, run records on stdout, as they happen."""

import sys
from collections.abc import Iterator, Sequence

from mcpeak.command.boundary import bounded
from mcpeak.command.options import Parser, program
from mcpeak.command.stage import run_stage
from mcpeak.command.target import add_target, split
from mcpeak.link.interrupt import Interrupts
from mcpeak.link.orphans import sweep
from mcpeak.run.feed import warm_lines
from mcpeak.run.options import add_options, settings_of
from mcpeak.run.settings import Settings
from mcpeak.run.suites import Suites


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
    settings = settings_of(parser(ours).parse_args(ours), command)
    return _run(settings)


def _run(settings: Settings) -> int:
    with Interrupts() as interrupts:
        try:
            return run_stage(
                "run", lambda writer: Suites(settings, writer, interrupts).run(_lines(interrupts))
            )
        finally:
            sweep()


def _lines(interrupts: Interrupts) -> Iterator[bytes]:
    return warm_lines(0, interrupts)
