"""An edge: is there a person to talk with? Asked before anything starts."""

import os

from mcpeak.command import exits
from mcpeak.command.failure import Failure
from mcpeak.front.arguments import Given
from mcpeak.front.table import Command

TERMINAL = "/dev/tty"


def check_terminal(given: Given, command: Command) -> None:
    """Refuse a command that would talk with a person where none is.

    Raises:
        Failure: the code that the table gives, such as GENERATE_INTERACTIVE_REQUIRED.
    """
    asks = command.asks
    if asks is None or any(given.has(name) for name in asks.unless) or _attended():
        return
    raise Failure(asks.code, room="front", exit_code=exits.NO)


def _attended() -> bool:
    """Tell whether somebody sits there: stdin is a terminal, and it can be opened apart from the pipe."""
    if not os.isatty(0):
        return False
    try:
        os.close(os.open(TERMINAL, os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True
