"""What the command lines of all programs have in common: errors as usage errors, help, version, language."""

import argparse
import os
from collections.abc import Sequence
from typing import Any, NoReturn

from mcpeak import __version__, messages
from mcpeak.command.failure import UsageError
from mcpeak.command.language import choose, flag_in
from mcpeak.messages import label


class Parser(argparse.ArgumentParser):
    """argparse with our errors, no abbreviations, and no single-value option given twice."""

    def __init__(self, program: str, **rest: Any) -> None:
        super().__init__(
            prog=program,
            add_help=False,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **rest,
        )
        self.register("action", None, Once)
        self.register("action", "store", Once)

    def error(self, message: str) -> NoReturn:
        """Raise instead of exiting: the boundary knows the exit code and the language."""
        raise UsageError("CLI_USAGE", what=message, program=self.prog)


class Once(argparse.Action):
    """Store one value; a second one is a mistake that must not be guessed away."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Keep the value."""
        given: set[str] = getattr(namespace, "_given", set())
        if option_string is not None and self.dest in given:
            raise UsageError("CLI_USAGE", detail="OPTION_TWICE", option=option_string, program=parser.prog)
        namespace._given = given | {self.dest}  # noqa: SLF001 - our own mark on argparse's namespace
        setattr(namespace, self.dest, values)


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        """Say the version on stdout and end."""
        os.write(1, f"{parser.prog} {__version__}\n".encode())
        raise SystemExit(0)


class _Help(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        """Say the help on stdout and end."""
        os.write(1, parser.format_help().encode("utf-8", "backslashreplace"))
        raise SystemExit(0)


def program(name: str, room: str, arguments: Sequence[str]) -> Parser:
    """Begin a program's parser in the language that its own arguments and environment choose.

    `messages/<language>/<room>.toml` has the description under `[label] help`, one line an option
    under `[option]` (looked up by `describe`).
    """
    choose(flag_in(arguments), os.environ)
    parser = Parser(name, description=label(room, "help"))
    common = parser.add_argument_group(label("command", "common"))
    common.add_argument("-h", "--help", action=_Help, nargs=0, help=label("command", "help_option"))
    common.add_argument("--version", action=_Version, nargs=0, help=label("command", "version_option"))
    common.add_argument("--lang", choices=("en", "ko"), help=label("command", "lang_option"))
    return parser


def describe(room: str, option: str) -> str:
    """Give an option's help sentence: `[option]` of a room's catalogue, `suite_id` for `--suite-id`."""
    text: str = messages.table(room, messages.language())["option"][option]
    return text
