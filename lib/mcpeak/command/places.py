"""An edge: could a file be written at a place? Asked before any work begins, touching nothing."""

import os

from mcpeak.messages import label


def obstacle(path: str) -> str | None:
    """Say in words what stands in the way of writing a file; None when nothing does.

    A regular file is replaced by another, so its folder must be writable; a device or a named pipe is written
    as it is.
    """
    place = os.path.realpath(path)
    if os.path.isdir(place):
        return label("command", "is_folder")
    if os.path.exists(place):
        writable = os.access(place, os.W_OK)
        if writable and os.path.isfile(place):
            writable = os.access(os.path.dirname(place), os.W_OK | os.X_OK)
        return None if writable else label("command", "not_writable")
    folder = os.path.dirname(place)
    if not os.path.isdir(folder):
        return label("command", "no_folder")
    return None if os.access(folder, os.W_OK | os.X_OK) else label("command", "not_writable")
