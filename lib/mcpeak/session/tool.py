"""mcpeak-session: wraps a command and records or replays the HTTP calls that it makes to the outside."""

import os
import sys
from collections.abc import Sequence

from mcpeak.command import exits
from mcpeak.command.boundary import bounded
from mcpeak.session.options import PROGRAM, parser, read

__all__ = ("main", "parser")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; give its exit code, which is the wrapped command's where there is one."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return bounded(PROGRAM, lambda: _run(arguments))


def _run(arguments: Sequence[str]) -> int:
    given, command = read(arguments)
    if given.action in ("record", "replay"):
        from mcpeak.session.child import end_like

        if given.action == "record":
            from mcpeak.session.record import record as wrap
        else:
            from mcpeak.session.replay import replay as wrap
        return end_like(wrap(given, command, os.environ))
    from mcpeak.session import upkeep

    getattr(upkeep, given.action)(given, os.environ)
    return exits.GOOD
