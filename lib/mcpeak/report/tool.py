"""run records in, the report out; exit 0 all passed, 1 not all passed, 2 usage, 3 unreadable or cut input."""

import sys
from argparse import Namespace
from collections.abc import Sequence

from mcpeak.command.boundary import bounded
from mcpeak.report import options

parser = options.parser
"""The complete parser, for completion and manual pages."""


def main(argv: Sequence[str] | None = None) -> int:
    """Report what the stream on stdin, or in files, tells."""
    arguments = sys.argv[1:] if argv is None else argv
    return bounded(options.NAME, lambda: _begin(options.parse(arguments)))


def _begin(given: Namespace) -> int:
    from mcpeak.report.reporting import report  # late: `--version` and `--help` read no records

    return report(given)
