"""From the words of a wired command to its options, files and target, by the table. Pure.

Rule of this file: it knows the grammar of options, and no option by name.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mcpeak.command.failure import UsageError
from mcpeak.front.table import Command
from mcpeak.front.values import check_value

COMMAND = "-- COMMAND"  # how the target after `--` is named in the table and in messages


class Given(NamedTuple):
    """What was asked for, in its order. A flag's value is None; `command` is None without `--`."""

    options: list[tuple[str, str | None]]
    files: list[str]
    command: list[str] | None

    def has(self, name: str) -> bool:
        """Tell whether an option, or `-- COMMAND`, was given."""
        return self.command is not None if name == COMMAND else any(name == each for each, _ in self.options)


def usage(program: str, detail: str, **values: Any) -> UsageError:
    """Make a usage error in the front end's own words."""
    return UsageError("CLI_USAGE", room="front", detail=detail, program=program, **values)


def read(words: Sequence[str], command: Command, program: str) -> Given:
    """Read a command line as it stands, option by option.

    Raises:
        UsageError: an unknown option, a value too many or too few, an option given twice.
    """
    given = _read(iter(words), command, program)
    for name in _twice(given, command):
        raise usage(program, "OPTION_GIVEN_TWICE", option=name)
    return given


def check(given: Given, command: Command, program: str) -> None:
    """Refuse what no stage could do anything with.

    Raises:
        UsageError: a value of the wrong form, options that exclude or need each other, no file where files
            are read, no server to test.
        InputError: RESET_COMMAND_FAILED, for a command that cannot be cut into words.
    """
    for name, value in given.options:
        if value is not None:
            check_value(name, value, command.options[name], program)
    _check_together(given, command, program)


def parse(words: Sequence[str], command: Command, program: str) -> Given:
    """Read a command line and check it; raises as `read` and `check` do."""
    given = read(words, command, program)
    check(given, command, program)
    return given


def _read(words: Iterator[str], command: Command, program: str) -> Given:
    given = Given([], [], None)
    for word in words:
        if word == "--":
            return given._replace(command=list(words))
        if word.startswith("-") and word != "-":
            given.options.append(_option(word, words, command, program))
        else:
            given.files.append(word)
    return given


def _option(word: str, rest: Iterator[str], command: Command, program: str) -> tuple[str, str | None]:
    name, joined, value = word.partition("=")
    name = next((long for long, option in command.options.items() if option.short == name), name)
    option = command.options.get(name)
    if option is None:
        raise _unknown(name, command, program)
    if option.value is None:
        if joined:
            raise usage(program, "OPTION_TAKES_NO_VALUE", option=name)
        return name, None
    if not joined:
        value = next(rest, "--")
        if value == "--" or (_is_option(value) and option.kind != "any"):
            raise usage(program, "OPTION_NEEDS_VALUE", option=name, value=option.value)
    return name, value


def _is_option(word: str) -> bool:
    return len(word) > 1 and word[0] == "-" and not word[1].isdigit()


def _unknown(name: str, command: Command, program: str) -> UsageError:
    from mcpeak.command.mistake import nearest  # late: only a mistake pays for it

    near = nearest(name, command.options)
    if near is not None:
        return usage(program, "OPTION_MISSPELT", option=name, nearest=near)
    return usage(program, "OPTION_UNKNOWN", option=name)


def _twice(given: Given, command: Command) -> list[str]:
    names = [name for name, _ in given.options if not command.options[name].repeat]
    return [name for place, name in enumerate(names) if name in names[:place]]


def _check_together(given: Given, command: Command, program: str) -> None:
    for group in command.exclusive:
        both = [name for name in group if given.has(name)]
        if len(both) > 1:
            raise usage(program, "OPTIONS_EXCLUDE", one=both[0], other=both[1])
    for name, others in command.needs.items():
        if given.has(name) and not any(given.has(other) for other in others):
            raise usage(program, "OPTION_NEEDS_OTHER", option=name, other=" | ".join(others))
    if command.files is None and given.files:
        raise usage(program, "WORD_UNEXPECTED", word=given.files[0])
    if command.files is not None and not given.files:
        raise usage(program, "FILES_MISSING")
    if "" in given.files:
        raise UsageError("CLI_USAGE", detail="WORD_EMPTY")
    if given.command is not None and not any(given.command[:1]):
        raise usage(program, "TARGET_EMPTY")
    if not any(given.has(name) for name in command.targets):
        raise usage(program, "TARGET_MISSING")
