"""How a run reached its server, as the words of a command line that reaches it again. Pure.

Rule of this file: names of variables may be written, their values never; what may hold a secret is described
as a target is.
"""

from argparse import Namespace

from mcpeak.command.redact import Redactor
from mcpeak.command.repeat import quoted, target_words
from mcpeak.command.target import Command, Target, described

ONCE = ("protocol", "cwd", "config", "answers", "ca")
REPEATED = ("header_env", "env", "roots")


def options_of(given: Namespace) -> tuple[str, ...]:
    """Give the options that decide what a server is and what it is told, ready for a shell."""
    words = [f"--{name} {quoted(getattr(given, name))}" for name in ONCE if getattr(given, name)]
    words += [
        f"--{name.replace('_', '-')} {quoted(value)}"
        for name in REPEATED
        for value in getattr(given, name) or ()
    ]
    if given.proxy:
        words.append(f"--proxy {quoted(described(Target(None, given.proxy, {}, ())))}")
    if given.start_timeout is not None:
        words.append(f"--start-timeout {given.start_timeout:g}")
    if given.reset_cmd:
        words.append(f"--reset-cmd {quoted(_command(_split(given.reset_cmd), ()))}")
    return tuple(words)


def words_of(target: Target, options: tuple[str, ...], era: str | None = None) -> str | None:
    """Write how to reach a target again; None where naming it is all.

    Args:
        target: the server.
        options: what `options_of` gave.
        era: with `--matrix`, the era of this run.
    """
    words = (
        list(options) if era is None else [f"--protocol {era}", *(each for each in options if not _era(each))]
    )
    if target.name is not None:
        words.append(f"--server {quoted(target.name)}")
    elif words or (target.url is not None and target.command is not None):
        words.append(target_words(described(target)))
        if target.url is not None and target.command is not None:
            words.append(f"-- {_command(target.command.argv, target.secrets)}")
    return Redactor(target.secrets).known(" ".join(words)) or None


def _era(option: str) -> bool:
    return option.startswith("--protocol ")


def _command(argv: tuple[str, ...], secrets: tuple[str, ...]) -> str:
    return described(Target(Command(argv, {}, None), None, {}, secrets))


def _split(text: str) -> tuple[str, ...]:
    import shlex  # late: few reset anything

    try:
        return tuple(shlex.split(text))
    except ValueError:  # told as an unusable option
        return ()
