"""The first word: a word of our own, a wired command, one of our programs, or anybody's `mcpeak-WORD`."""

import os
from collections.abc import Sequence

from mcpeak.command.boundary import bounded
from mcpeak.command.failure import UsageError
from mcpeak.command.stdout import show
from mcpeak.front.arguments import usage
from mcpeak.front.codes import wired
from mcpeak.front.programs import NAME, check_built, execute, find, run_ours
from mcpeak.front.table import Table, load
from mcpeak.front.wired import asked, help_page, run_command
from mcpeak.messages import language

NEAR = 0.75  # how alike a word must be to be what was meant


def dispatch(words: list[str], spoken: Sequence[str] = ()) -> int:
    """Run what the first word names; give the exit code, which for one of our programs is its own.

    `spoken`: the words that chose a language before it; they go on to whatever of ours is run.
    """
    known = load()
    word, *rest = words
    if word in known.programs or word in known.commands:
        rest = [*spoken, *rest]
    if word in known.programs and word not in known.commands:
        return bounded(NAME, lambda: _one(word, _borrowing(word, rest, known)))
    return wired(bounded(NAME, lambda: _dispatch(word, rest, known)))


def _dispatch(word: str, rest: list[str], known: Table) -> int:
    if word in _OURS:
        return _OURS[word](rest, known)
    if word in known.commands:
        return run_command(word, rest, known.commands[word])
    return _anybody(word, rest, known)


def _one(program: str, arguments: list[str]) -> int:
    check_built(program)
    return run_ours(program, arguments)


def _borrowing(program: str, arguments: list[str], known: Table) -> list[str]:
    """Give the arguments of a program, with the project's server where it takes one and none is named."""
    if program not in known.borrow:
        return arguments
    from mcpeak.front.borrow import with_server  # late: most programs take no server

    return with_server(program, arguments, known)


def _anybody(word: str, arguments: list[str], known: Table) -> int:
    path = None if word.startswith("-") else find(word)
    if path is None:
        raise _unknown(word, known)
    return execute(path, arguments)


def _unknown(word: str, known: Table) -> UsageError:
    from difflib import get_close_matches  # late: only a mistake pays for it

    if word.startswith("-"):
        return usage(NAME, "OPTION_UNKNOWN", option=word)
    near = get_close_matches(word, [*_OURS, *known.commands, *known.programs], n=1, cutoff=NEAR)
    if near:
        return usage(NAME, "WORD_MISSPELT", word=word, nearest=near[0])
    return usage(NAME, "WORD_UNKNOWN", word=word)


def _help(words: list[str], known: Table) -> int:
    word = words[0]
    if word in known.commands:
        return show(help_page(word, known.commands[word]))
    if word in known.programs:
        return _one(word, ["--lang", language(), "--help"])
    return _anybody(word, ["--help"], known)


def _completion(words: list[str], known: Table) -> int:
    """Write the shell's completion script."""
    from mcpeak.front.completion import SHELLS, script  # late: it reads every program's parser

    if len(words) != 1 or words[0] not in SHELLS:
        raise usage(NAME, "SHELL_UNKNOWN", shells=", ".join(SHELLS))
    return show(script(words[0], known))


def _make(_: list[str], __: Table) -> int:
    """Say where the rules for make are: `include $(shell mcpeak --make)`."""
    return show(os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcpeak.mk") + "\n")


def _config(words: list[str], known: Table) -> int:
    """Show what `mcpeak test` would be given, and where each thing comes from."""
    from mcpeak.front.config import page  # late: asked rarely

    asked_for = asked(words, known.commands["test"], f"{NAME} config")
    return show(page(asked_for.line, asked_for.together, asked_for.file))


def _explain(words: list[str], _: Table) -> int:
    """Say what codes mean."""
    from mcpeak.front.meaning import explained, nearest  # late: asked rarely

    if not words:
        raise usage(NAME, "CODE_MISSING")
    pages = {word: explained(word) for word in words}
    for word, page in pages.items():
        if page is None:
            near = nearest(word)
            raise (
                usage(NAME, "CODE_MISSPELT", word=word, nearest=near)
                if near
                else usage(NAME, "CODE_UNKNOWN", word=word)
            )
    return show("\n".join(page for page in pages.values() if page))


_OURS = {"help": _help, "explain": _explain, "completion": _completion, "config": _config, "--make": _make}
