"""From what was asked for to the stages of the pipe, each with its own arguments. Pure.

`--explain` prints this plan and `fork` carries it out, so that what is shown is what runs.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from mcpeak.front.arguments import Given, usage
from mcpeak.front.table import Command, Option, Stage


class Step(NamedTuple):
    """One stage of the pipe: the program's short name and its arguments."""

    program: str
    arguments: list[str]
    forgiven: bool = False


def plan(given: Given, command: Command, program: str, launch: Callable[[str], list[str]]) -> list[Step]:
    """Share what was asked for out among the stages.

    Args:
        given: what was asked for.
        command: its description in the table.
        program: how to name ourselves in a usage error.
        launch: gives the words that start one of our programs, for a wrapper before the server's command.
    """
    server = _server_command(given, command, program, launch)
    return [
        Step(stage.program, _arguments(stage, given, command, server), stage.forgiven)
        for stage in command.stages
        if _wanted(stage, given)
    ]


def _wanted(stage: Stage, given: Given) -> bool:
    asked = not stage.when or any(given.has(name) for name in stage.when)
    return asked and not any(given.has(name) for name in stage.unless)


def _server_command(
    given: Given, command: Command, program: str, launch: Callable[[str], list[str]]
) -> list[str] | None:
    """Join the server's command from `--` or the options that spell it, behind its wrappers."""
    spelt = [value or "" for word in command.words for name, value in given.options if name == word]
    server = given.command or spelt or None
    for name, value in given.options:
        wrap = command.options[name].wrap
        if wrap and server is None:
            raise usage(program, "OPTION_NEEDS_COMMAND", option=name)
        if wrap and server is not None:
            server = [*launch(wrap[0]), *_wrapper_words(wrap, value or "", given, command), *server]
    return server


def _wrapper_words(wrap: Sequence[str], value: str, given: Given, command: Command) -> list[str]:
    words = []
    for word in wrap[1:]:
        if word == "{options}":
            words += routed(wrap[0].partition("-")[2], given, command)
        else:
            words.append(word.replace("{value}", value))
    return words


def _arguments(stage: Stage, given: Given, command: Command, server: list[str] | None) -> list[str]:
    words = [*stage.arguments, *routed(stage.program, given, command)]
    if stage.program == command.files:
        words += ["--", *given.files]
    if server is not None and stage.program in command.command:
        words += ["--", *server]
    return words


def routed(program: str, given: Given, command: Command) -> list[str]:
    """Give the options of a stage as the words that it gets."""
    each = (_routed(name, value, command.options[name], program) for name, value in given.options)
    return [word for words in each for word in words]


def _routed(name: str, value: str | None, option: Option, stage: str) -> list[str]:
    if isinstance(option.to, dict):
        return [word.replace("{value}", value or "") for word in option.to.get(stage, [])]
    if stage not in option.to:
        return []
    if value is None:
        return [name]
    return [f"{name}={value}"] if not value or value.startswith("-") else [name, value]
