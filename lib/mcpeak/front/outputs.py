"""An edge: can the files that were asked for be written? Asked before anything starts, touching none."""

import os

from mcpeak.command import exits
from mcpeak.command.failure import Failure
from mcpeak.front.arguments import Given
from mcpeak.front.table import Command
from mcpeak.messages import label


def check_outputs(given: Given, command: Command) -> None:
    """Refuse a report that could not be written in the end.

    Raises:
        Failure: the code that the table gives the option, such as JUNIT_WRITE_FAILED; OUTPUT_EXISTS.
    """
    taken = {os.path.realpath(name): name for name in given.files}
    for name, path in given.options:
        code = command.options[name].writes
        if code is None or path is None:
            continue
        place = os.path.realpath(path)
        reason = "same_file" if place in taken else _obstacle(path)
        if reason is not None:
            other = taken.get(place, "")
            raise Failure(
                code,
                room="front",
                detail="OUTPUT_WRITE_FAILED",
                option=name,
                path=path,
                why=label("front", reason, other=other),
            )
        fresh = command.options[name].fresh
        if fresh is not None and os.path.lexists(path) and not given.has(fresh):
            raise Failure(
                "OUTPUT_EXISTS", room="front", exit_code=exits.NO, option=name, path=path, force=fresh
            )
        if os.path.isfile(place) or not os.path.exists(place):
            taken[place] = name


def _obstacle(path: str) -> str | None:
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        return "is_folder"
    if os.path.exists(path) and not os.path.isfile(path):
        # a device or a named pipe is written as it is
        return None if os.access(path, os.W_OK) else "not_writable"
    if not os.path.isdir(folder):
        return "no_folder"
    return None if os.access(folder, os.W_OK | os.X_OK) else "not_writable"
