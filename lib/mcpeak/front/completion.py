"""Shell completion for every program, made by shtab from the programs' own parsers."""

import argparse

from mcpeak.front.parsers import FILE_VALUES, FOLDER_VALUES, parsers
from mcpeak.front.table import Table

SHELLS = ("bash", "zsh", "fish")


def script(shell: str, known: Table) -> str:
    """Write one script that completes `mcpeak` and all `mcpeak-…` programs in one shell."""
    import shtab  # late: only `mcpeak completion` needs it

    parts = []
    for parser in parsers(known).values():
        _mark_files(parser, shtab.FILE, shtab.DIRECTORY)
        parts.append(shtab.complete(parser, shell=shell))
    return "\n".join(parts)


def _mark_files(parser: argparse.ArgumentParser, file: object, folder: object) -> None:
    """Tell shtab which values are names of files, by the placeholder that the help shows."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no public list of its actions
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            for inner in action.choices.values():
                _mark_files(inner, file, folder)
        elif action.metavar in FILE_VALUES:
            action.complete = file  # type: ignore[attr-defined]  # the attribute is shtab's
        elif action.metavar in FOLDER_VALUES:
            action.complete = folder  # type: ignore[attr-defined]  # as above
