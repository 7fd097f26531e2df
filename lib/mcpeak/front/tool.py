"""The front end: connects the programs and knows nothing of their business.

`mcpeak COMMAND …` forks the stages that `pipelines.json` names; `mcpeak WORD …` is `mcpeak-WORD …`. What this
file imports is all that `mcpeak --help` loads, so it stays that little.
"""

import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from mcpeak import __version__
from mcpeak.command.boundary import bounded
from mcpeak.command.language import choose, flag_in
from mcpeak.command.stdout import show
from mcpeak.front.codes import wired

NAME = "mcpeak"
HELP = (["help"], ["-h"], ["--help"])


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the words ask for; give the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    choose(flag_in(words), os.environ)
    spoken = _spoken(words)
    words = words[len(spoken) :]
    if not words or words[:1] in HELP[1:] or words in HELP:
        return _general(_overview)
    if words == ["--version"]:
        return _general(lambda: f"{NAME} {__version__}\n")
    try:
        from mcpeak.front.words import dispatch
    except ModuleNotFoundError as wrong:
        absent = wrong
    else:
        return dispatch(words, spoken)
    return _general(lambda: _incomplete(absent))


def _incomplete(absent: ModuleNotFoundError) -> NoReturn:
    """Let the boundary tell that a package is not installed."""
    raise absent


def _spoken(words: list[str]) -> list[str]:
    """Give the words before the first that choose a language."""
    if words[:1] == ["--lang"]:
        return words[:2]
    return words[:1] if words and words[0].startswith("--lang=") else []


def _overview() -> str:
    from mcpeak.front.help import overview

    return overview()


def _general(page: Callable[[], str]) -> int:
    return wired(bounded(NAME, lambda: show(page())))
