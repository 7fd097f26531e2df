"""An edge: where the programs are: ours as modules and files, others' as `mcpeak-WORD` near us or on PATH."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from mcpeak.command import exits
from mcpeak.command.failure import Failure

NAME = "mcpeak"
_LIBRARY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def built(program: str) -> bool:
    """Tell whether a program of the house is there, or its room still empty."""
    return os.path.exists(os.path.join(_LIBRARY, program, "tool.py"))


def check_built(program: str) -> None:
    """Refuse a program of the house whose room is still empty.

    Raises:
        Failure: COMMAND_NOT_IMPLEMENTED.
    """
    if not built(program):
        raise Failure(
            "COMMAND_NOT_IMPLEMENTED", room="front", exit_code=exits.NO, program=f"{NAME}-{program}"
        )


def run_ours(program: str, arguments: Sequence[str]) -> int:
    """Run one of our programs in this process; give its exit code."""
    code: int = import_module(f"mcpeak.{program}.tool").main(list(arguments))
    return code


def find(word: str) -> str | None:
    """Find somebody's `mcpeak-WORD`: beside our own programs, else on PATH."""
    if not word or os.sep in word:
        return None
    name = f"{NAME}-{word}"
    folders = [folder(), *os.environ.get("PATH", os.defpath).split(os.pathsep)]
    paths = (os.path.join(each or os.curdir, name) for each in folders)
    return next((path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)), None)


def execute(path: str, arguments: Sequence[str]) -> NoReturn:
    """Become another program: its exit code is ours.

    Raises:
        Failure: PROGRAM_NOT_EXECUTABLE: the system could not start it.
    """
    sys.stdout.flush()
    try:
        os.execv(path, [path, *arguments])  # noqa: S606 - no shell is the rule here
    except OSError as why:
        raise Failure("PROGRAM_NOT_EXECUTABLE", room="front", path=path, why=why.strerror) from why


def folder() -> str:
    """Find the folder that holds our programs: where this one was started from, else the checkout's `bin`."""
    started = sys.argv[0] if sys.argv else ""
    beside = [os.path.dirname(os.path.abspath(started)), os.path.dirname(os.path.realpath(started))]
    checkout = os.path.join(os.path.dirname(os.path.dirname(_LIBRARY)), "bin")
    for each in (*beside, checkout):
        if os.path.exists(os.path.join(each, NAME)):
            return each
    return os.path.dirname(os.path.abspath(sys.executable))


def launch(program: str) -> list[str]:
    """Give the words that start a program of ours in a process of its own, whatever PATH says."""
    return [sys.executable, os.path.join(folder(), program)]


def shown(program: str) -> list[str]:
    """Give the words that start a program of ours in the user's shell: its name, or its path off PATH."""
    from shutil import which  # late: only --explain asks

    path = os.path.join(folder(), program)
    on_path = which(program)
    if on_path is not None and os.path.realpath(on_path) == os.path.realpath(path):
        return [program]
    near = os.path.relpath(path)
    return [path if near.startswith(os.pardir) else os.path.join(os.curdir, near)]
