"""An edge: a page of text onto stdout, whole."""

import os

from mcpeak.command import exits
from mcpeak.command.failure import Failure


def show(text: str) -> int:
    """Write a page, and give the exit code of having done so.

    Raises:
        BrokenPipeError: nobody reads it any more.
        Failure: STDOUT_FAILED: a full disk, a closed descriptor.
    """
    data = _bytes(text)
    try:
        while data:
            data = data[os.write(1, data) :]
    except BrokenPipeError:
        raise
    except OSError as why:
        raise Failure("STDOUT_FAILED", why=os.strerror(why.errno or 0)) from why
    return exits.GOOD


def _bytes(text: str) -> bytes:
    """Encode a page; file names that are no UTF-8 come out as they are on the disk."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")
