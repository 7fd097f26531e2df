"""stdin as lines; while nothing comes, the heavier modules are imported: the stage before works meanwhile.

This module does I/O: an edge of the room.
"""

import os
import select
from collections.abc import Iterator
from importlib import import_module

from mcpeak.link.interrupt import Interrupts

CHUNK = 1 << 20
HEAVY = (
    "mcpeak.protocol.session",
    "mcpeak.link.stdio",
    "hashlib",
    "mcpeak.run.judge",
    "mcpeak.run.runner",
)
"""What a run needs besides the stream, in the order of need."""


def warm_lines(descriptor: int, interrupts: Interrupts) -> Iterator[bytes]:
    """Yield lines with their ends as they arrive; after an interrupt only what is already there."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    poll.register(interrupts.soon, select.POLLIN)
    cold = list(HEAVY)
    parts: list[bytes] = []
    while True:
        while cold and not poll.poll(0):
            import_module(cold.pop(0))
        ready = [found for found, _ in poll.poll()]
        if descriptor not in ready:
            return
        chunk = os.read(descriptor, CHUNK)
        if not chunk:
            break
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield b"".join((*parts, line, b"\n"))
            parts.clear()
        if rest:
            parts.append(rest)
    if parts:
        yield b"".join(parts)
