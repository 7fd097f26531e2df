"""Definition files: reading them, and telling on stderr what is odd about them.

Rule of this file: an edge.
"""

import os
from collections.abc import Iterable

from mcpeak.command.boundary import to_stderr
from mcpeak.command.failure import InputError
from mcpeak.command.text import clean
from mcpeak.messages import label, say
from mcpeak.mock.checks import Problem
from mcpeak.mock.definition import Definition, Refused, read
from mcpeak.mock.oddities import folded
from mcpeak.mock.words import refusal, sentence

NAME = "mcpeak-mock"


def load(path: str) -> Definition | Refused:
    """Read a definition file; `-` is stdin.

    Raises:
        InputError: the file cannot be read.
    """
    return read(_bytes(path), path)


def _bytes(path: str) -> bytes:
    try:
        with open(0 if path == "-" else path, "rb", closefd=path != "-") as file:
            return file.read()
    except OSError as wrong:
        reason = os.strerror(wrong.errno) if wrong.errno else str(wrong)
        raise InputError("FILE_UNREADABLE", room="mock", path=path, reason=reason) from wrong


def check(path: str) -> bool:
    """Check one file, all of its problems and oddities; tell whether it can be served."""
    from mcpeak.mock.oddities import advice, doubled_keys, schema_problems

    data = _bytes(path)
    definition = read(data, path)
    if isinstance(definition, Refused):
        to_stderr(refusal(definition, every=True))
        warn_all(definition.warnings, path)
        return False
    value = definition.value
    warn_all((*definition.warnings, *doubled_keys(data), *advice(value), *schema_problems(value)), path)
    return True


def warn_all(problems: Iterable[Problem], source: str) -> None:
    """Tell all that is odd about a definition, what repeats itself only a few times."""
    for problem in folded(problems):
        warn(problem, source)


def warn(problem: Problem, source: str) -> None:
    """Tell something odd about a definition."""
    _warning(problem.code, f"{source}: {sentence(problem)}")


def tell(code: str, **values: object) -> None:
    """Tell something that happens while serving."""
    _warning(code, say("mock", code, **values).message)


def _warning(code: str, text: str) -> None:
    to_stderr(f"{NAME}: {label('command', 'warning')} [{code}]: {clean(text)}\n")
