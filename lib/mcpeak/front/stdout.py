"""An edge: a page of text onto stdout, whole."""

import os

from mcpeak.command import exits


def show(text: str) -> int:
    """Write a page, and give the exit code of having done so."""
    data = text.encode("utf-8", "backslashreplace")
    while data:
        data = data[os.write(1, data) :]
    return exits.GOOD
