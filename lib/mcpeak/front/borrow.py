"""An edge: the project's server for a single program that was given none, such as `mcpeak call TOOL`.

Rule of this file: it only adds words to a command line; the program itself reads no project.
"""

from collections.abc import Sequence

from mcpeak.front.plan import routed
from mcpeak.front.project import expand, read_project
from mcpeak.front.settings import given_by, target_of
from mcpeak.front.table import Command, Table

ALONE = {"-h", "--help", "--version"}


def with_server(program: str, words: Sequence[str], known: Table) -> list[str]:
    """Add the project's server to the words of a program, where it takes one and none is named.

    Raises:
        UsageError, InputError: the project's file is wrong.
    """
    command = known.commands.get(known.borrow.get(program, ""))
    if command is None or _complete(words, command):
        return list(words)
    project = read_project()
    if project is None:
        return list(words)
    given = given_by(target_of(project.settings, command), command, project.where, expand)
    ours = _names(words)
    given = given._replace(
        options=[each for each in given.options if command.options[each[0]].repeat or each[0] not in ours]
    )
    server = ["--", *given.command] if given.command else []
    return [*routed(command.stages[0].program, given, command), *words, *server]


def _complete(words: Sequence[str], command: Command) -> bool:
    return "--" in words or bool(_names(words) & {*ALONE, *command.targets})


def _names(words: Sequence[str]) -> set[str]:
    return {word.partition("=")[0] for word in words}
