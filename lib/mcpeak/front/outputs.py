"""An edge: can the files that were asked for be written? Asked before anything starts, touching none."""

import os

from mcpeak.command import exits
from mcpeak.command.failure import Failure
from mcpeak.command.places import obstacle
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
        option = command.options[name]
        if option.writes is None or path is None:
            continue
        place = os.path.realpath(path)
        why = label("front", "same_file", other=taken[place]) if place in taken else obstacle(path)
        if why is not None:
            detail = "OUTPUT_WRITE_FAILED"
            raise Failure(option.writes, room="front", detail=detail, option=name, path=path, why=why)
        if option.fresh is not None and os.path.lexists(path) and not given.has(option.fresh):
            code, force = exits.NO, option.fresh
            raise Failure("OUTPUT_EXISTS", room="front", exit_code=code, option=name, path=path, force=force)
        if os.path.isfile(place) or not os.path.exists(place):
            taken[place] = name
