"""How a pipe ended, as one exit code (DESIGN: Exit codes). Pure."""

import signal
from collections.abc import Sequence

from mcpeak.command import exits
from mcpeak.front.fork import Ended

BY_SIGNAL = {signal.SIGINT: exits.INTERRUPTED, signal.SIGTERM: exits.TERMINATED}


def verdict(ended: Ended, forgiven: Sequence[bool] = ()) -> int:
    """Give 0 only when every stage ended well; 130, 143 and 141 keep their meaning; 1 is everything else.

    Args:
        ended: how the stages ended.
        forgiven: for each stage, whether its "no" is none of the command.
    """
    if any(forgiven):
        both = zip(ended.codes, forgiven, strict=True)
        ended = ended._replace(codes=[0 if mild and code == exits.NO else code for code, mild in both])
    if ended.signal is not None:
        return BY_SIGNAL.get(signal.Signals(ended.signal), exits.NO)
    if ended.codes[-1] == exits.STDOUT_CLOSED:
        return exits.STDOUT_CLOSED
    for code in (exits.INTERRUPTED, exits.TERMINATED):
        if code in ended.codes:
            return code
    return exits.GOOD if not any(ended.codes) else exits.NO


def killed(ended: Ended) -> list[tuple[int, int]]:
    """Name the stages that a signal killed without our passing it on: (place, signal)."""
    if ended.signal is not None:
        return []
    return [(place, -code) for place, code in enumerate(ended.codes) if code < 0]
