"""How long to wait, as an option says it. Pure."""

import argparse

from mcpeak.messages import label

LONGEST = 2_147_483  # seconds: what a poll can wait


def seconds(text: str) -> float:
    """Read a time limit; the type of an option.

    Raises:
        argparse.ArgumentTypeError: it is no number of seconds that anything can wait.
    """
    try:
        limit = float(text)
    except ValueError:
        limit = 0.0
    if not 0 < limit <= LONGEST:
        raise argparse.ArgumentTypeError(label("command", "wrong_seconds", text=text, longest=LONGEST))
    return limit
