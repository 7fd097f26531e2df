"""The front end: connects the programs and knows nothing of their business.

`mcpeak COMMAND …` forks the stages that `pipelines.json` names; `mcpeak WORD …` is `mcpeak-WORD …`.
"""

import os
import signal
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module

from mcpeak import __version__
from mcpeak.command import exits
from mcpeak.command.boundary import bounded, tell
from mcpeak.command.failure import UsageError
from mcpeak.command.language import choose, flag_in
from mcpeak.front.arguments import parse, usage
from mcpeak.front.fork import run_pipe
from mcpeak.front.outputs import check_outputs
from mcpeak.front.plan import Step, plan
from mcpeak.front.programs import NAME, check_built, execute, find, launch, run_ours, shown
from mcpeak.front.table import Command, Table, load
from mcpeak.front.terminal import check_terminal
from mcpeak.front.verdict import killed, verdict, wired
from mcpeak.messages import say

HELP = ("-h", "--help")


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the words ask for; give the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    choose(flag_in(words), os.environ)
    if words[:1] == ["--lang"]:
        words = words[2:]
    if words == ["--version"]:
        return wired(bounded(NAME, lambda: _print(f"{NAME} {__version__}\n")))
    known = load()
    if words and words[0] in known.programs and words[0] not in known.commands:
        return bounded(NAME, lambda: _run_one(words[0], words[1:]))
    return wired(bounded(NAME, lambda: _dispatch(words, known)))


def _dispatch(words: list[str], known: Table) -> int:
    if not words or words[0] in HELP or words == ["help"]:
        from mcpeak.front.help import overview

        return _print(overview(known))
    word, *rest = words
    if word in _WORDS:
        return _WORDS[word](rest, known)
    if word in known.commands:
        return _command(word, rest, known.commands[word])
    path = None if word.startswith("-") else find(word)
    if path is None:
        raise _unknown(word, known)
    return execute(path, rest)


def _unknown(word: str, known: Table) -> UsageError:
    from difflib import get_close_matches  # late: only a mistake pays for it

    if word.startswith("-"):
        return usage(NAME, "OPTION_UNKNOWN", option=word)
    near = get_close_matches(word, ["help", *known.commands, *known.programs], n=1, cutoff=0.75)
    return (
        usage(NAME, "WORD_MISSPELT", word=word, nearest=near[0])
        if near
        else usage(NAME, "WORD_UNKNOWN", word=word)
    )


def _help(words: list[str], known: Table) -> int:
    word = words[0]
    if word in known.commands:
        return _command_help(word, known.commands[word])
    if word in known.programs:
        return _run_one(word, ["--help"])
    path = find(word)
    if path is None:
        raise _unknown(word, known)
    return execute(path, ["--help"])


def _completion(words: list[str], known: Table) -> int:
    """Write the shell's completion script."""
    from mcpeak.front.completion import SHELLS, script  # late: it reads every program's parser

    if len(words) != 1 or words[0] not in SHELLS:
        raise usage(NAME, "SHELL_UNKNOWN", shells=", ".join(SHELLS))
    return _print(script(words[0], known))


def _make(_: list[str], __: Table) -> int:
    """Say where the rules for make are: `include $(shell mcpeak --make)`."""
    return _print(os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcpeak.mk") + "\n")


_WORDS = {"help": _help, "completion": _completion, "--make": _make}


def _command_help(name: str, command: Command) -> int:
    from mcpeak.front.help import command_page

    return _print(command_page(name, command))


def _command(name: str, words: list[str], command: Command) -> int:
    """Run a wired command, or show what it would run."""
    ours = words[: words.index("--")] if "--" in words else words
    if any(word in HELP for word in ours):
        return _command_help(name, command)
    program = f"{NAME} {name}"
    given = parse(words, command, program)
    explained = given.has("--explain")
    steps = plan(given, command, program, shown if explained else launch)
    if explained:
        from mcpeak.front.explain import explain

        return _print(explain(steps, shown))
    for step in steps:
        check_built(step.program)
    check_outputs(given, command)
    check_terminal(given, command)
    for module in command.preload:
        import_module(module)
    return _pipe(steps)


def _pipe(steps: list[Step]) -> int:
    ended = run_pipe([partial(_stage, step) for step in steps])
    for place, number in killed(ended):
        words = say("front", "STAGE_KILLED", signal=signal.Signals(number).name)
        tell(f"{NAME}-{steps[place].program}", "STAGE_KILLED", words.message, words.hint)
    return verdict(ended, [step.forgiven for step in steps])


def _stage(step: Step) -> int:
    return bounded(f"{NAME}-{step.program}", lambda: run_ours(step.program, step.arguments))


def _run_one(program: str, arguments: list[str]) -> int:
    check_built(program)
    return run_ours(program, arguments)


def _print(text: str) -> int:
    data = text.encode("utf-8", "backslashreplace")
    while data:
        data = data[os.write(1, data) :]
    return exits.GOOD
