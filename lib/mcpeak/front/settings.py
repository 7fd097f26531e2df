"""What a project's own file says a command should be given, and how the command line overrides it. Pure.

Keys are the long names of the command's options without their dashes; `suites` are its FILEs, and `command`
is, as a list of words, what would stand after `--`. The command line always wins.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mcpeak.command.failure import UsageError
from mcpeak.front.arguments import COMMAND, Given
from mcpeak.front.table import Command, Option
from mcpeak.front.values import check_value

FILES = "suites"
WORDS = "command"
TARGET = "target"
PROGRAM = "mcpeak test"  # whose help explains every setting


def given_by(
    settings: Mapping[str, Any],
    command: Command,
    where: Callable[[str], str],
    expand: Callable[[str, str], Sequence[str]],
) -> Given:
    """Read settings as a command line would be read.

    Args:
        settings: the file's table.
        command: the command that they are for.
        where: tells where a key stands, for errors.
        expand: gives the files that a pattern of `suites` stands for; the second word is where it stands.

    Raises:
        UsageError: a key that is no option, or a value of the wrong type or form.
    """
    given = Given([], [], None)
    for key, value in settings.items():
        if key == FILES:
            for pattern in _strings(key, value, where(key)):
                given.files.extend(expand(pattern, where(key)))
        elif key == WORDS:
            given = given._replace(command=_strings(key, value, where(key)))
        else:
            given.options.extend(_checked(key, value, command, where(key)))
    return given


def target_of(settings: Mapping[str, Any], command: Command) -> dict[str, Any]:
    """Give the settings that say which server, as far as a command has such options."""
    options = {key: command.options.get(f"--{key}") for key in settings}
    named = {key for key, option in options.items() if option is not None and option.group == TARGET}
    return {key: value for key, value in settings.items() if key == WORDS or key in named}


def _checked(key: str, value: Any, command: Command, file: str) -> list[tuple[str, str | None]]:
    found = _option(key, value, command, file)
    for name, text in found:
        if text is not None:
            check_value(f"{file}: {key}", text, command.options[name], PROGRAM)
    return found


def _option(key: str, value: Any, command: Command, file: str) -> list[tuple[str, str | None]]:
    name = f"--{key}"
    option = command.options.get(name)
    if option is None or name in command.words or not (option.to or option.wrap):
        raise _unknown(key, command, file)
    if option.value is None:
        if not isinstance(value, bool):
            raise _wrong("SETTING_NO_FLAG", file, key)
        return [(name, None)] if value else []
    if option.repeat:
        return [(name, each) for each in _strings(key, value, file)]
    return [(name, _text(key, value, option, file))]


def _text(key: str, value: Any, option: Option, file: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _wrong("SETTING_NO_VALUE", file, key, value=option.value)
    return str(value)


def _strings(key: str, value: Any, file: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise _wrong("SETTING_NO_LIST", file, key)
    return value


def _unknown(key: str, command: Command, file: str) -> UsageError:
    from difflib import get_close_matches  # late: only a mistake pays for it

    known = [FILES, WORDS, *(name.removeprefix("--") for name in command.options)]
    near = get_close_matches(key, known, n=1) or known[:1]
    return _wrong("SETTING_UNKNOWN", file, key, nearest=near[0])


def _wrong(detail: str, file: str, key: str, **values: Any) -> UsageError:
    return UsageError("CLI_USAGE", room="front", detail=detail, file=file, key=key, **values)


def merged(line: Given, project: Given, command: Command) -> Given:
    """Add to a command line what the project says and the line leaves open.

    An option of the line puts away the project's own value of it and whatever it excludes; a server named on
    the line puts away the project's server.
    """
    target = any(line.has(name) for name in command.targets)
    words = None if target else project.command
    kept = [each for each in project.options if not _overruled(each[0], line, target, command)]
    named = {name for name, _ in [*line.options, *kept]} | ({COMMAND} if line.command or words else set())
    kept = [each for each in kept if each[0] not in command.needs or named & set(command.needs[each[0]])]
    return Given([*kept, *line.options], line.files or project.files, line.command or words)


def _overruled(name: str, line: Given, target: bool, command: Command) -> bool:
    if line.has(name) or (target and name in command.targets):
        return True
    return any(name in group and any(line.has(other) for other in group) for group in command.exclusive)
