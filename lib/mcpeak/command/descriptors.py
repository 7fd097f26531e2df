"""An edge: 0, 1 and 2 are stdin, stdout and stderr, even for a program that was started without them.

A closed one of the three goes to whatever is opened first: a pipe of ours would then be read as our own
input, for ever. Each place is held so that using it fails: nothing to read, nothing that can be written.
"""

import os

STDIN, STDOUT, STDERR = range(3)


def hold() -> None:
    """Fill the places of closed standard descriptors; those that are open stay as they are."""
    for place in (STDIN, STDOUT, STDERR):
        try:
            os.fstat(place)
        except OSError:
            _fill(place)


def _fill(place: int) -> None:
    """Open the null device there: ours to read in stdin's and stdout's place, to write in stderr's."""
    found = os.open(os.devnull, os.O_WRONLY if place == STDERR else os.O_RDONLY)
    if found != place:
        os.dup2(found, place)
        os.close(found)
    os.set_inheritable(place, True)
