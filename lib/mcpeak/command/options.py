"""What the command lines of all programs have in common: errors as usage errors, help, version, language."""

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn, Self

from mcpeak import __version__, messages
from mcpeak.command.failure import UsageError
from mcpeak.command.language import choose, flag_in
from mcpeak.command.stdout import show
from mcpeak.messages import label


class Later(str):
    """A sentence that is looked up when it is shown: a quiet start need not read the catalogue.

    Until `spell_out` has replaced it, it is the empty string.
    """

    __slots__ = ("name", "room", "table")
    room: str
    table: str
    name: str

    def __new__(cls, room: str, table: str, name: str) -> Self:
        """Remember where the sentence stands: `label` or `option` of a room."""
        made = super().__new__(cls)
        made.room, made.table, made.name = room, table, name
        return made

    def text(self) -> str:
        """Look the sentence up."""
        if self.table == "label":
            return label(self.room, self.name)
        found: str = messages.table(self.room, messages.language())[self.table][self.name]
        return found


def spell_out(parser: argparse.ArgumentParser) -> None:
    """Put the sentences into a parser whose help is going to be read."""
    for owner in (parser, *parser._action_groups, *parser._actions):  # noqa: SLF001 - argparse has no public lists
        for name in ("description", "title", "help", "epilog"):
            words = getattr(owner, name, None)
            if isinstance(words, Later):
                setattr(owner, name, words.text())


class Layout(argparse.RawDescriptionHelpFormatter):
    """argparse's layout, without the 4 ms that its own look at the terminal costs at every start."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        """Head the usage with our own word."""
        super().add_usage(usage, actions, groups, prefix or f"{label('command', 'usage')} ")


def _columns() -> int:
    """Count the columns: COLUMNS, else the terminal's, else 80."""
    told = os.environ.get("COLUMNS", "")
    if told.isdigit() and int(told):
        return int(told)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80


class Parser(argparse.ArgumentParser):
    """argparse with our errors, no abbreviations, and no single-value option given twice."""

    def __init__(self, program: str, **rest: Any) -> None:
        super().__init__(
            prog=program,
            add_help=False,
            allow_abbrev=False,
            exit_on_error=False,
            formatter_class=Layout,
            **rest,
        )
        self._positionals.title = Later("command", "label", "positionals")
        self._optionals.title = Later("command", "label", "optionals")
        self.register("action", None, Once)
        self.register("action", "store", Once)

    def format_help(self) -> str:
        """Lay the help out, its sentences looked up."""
        spell_out(self)
        return super().format_help()

    def parse_args(  # type: ignore[override] # nobody here gives a namespace of a class of its own
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Read a command line.

        Raises:
            UsageError: it cannot be read, in the words of `command.mistake`.
        """
        words = list(sys.argv[1:] if args is None else args)
        given = argparse.Namespace() if namespace is None else namespace
        try:
            _, rest = self.parse_known_args(words, given)
        except argparse.ArgumentError as wrong:
            raise _mistake().refused(self, wrong, words, given) from wrong
        rest = [word for word in rest if word != "--"]  # where nothing may follow, some Pythons leave it over
        if rest:
            raise _mistake().unknown(self, rest)
        return given

    def error(self, message: str) -> NoReturn:
        """Raise instead of exiting, as newer Pythons do by themselves: `parse_args` finds the words."""
        raise argparse.ArgumentError(None, message)

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        try:
            return super()._match_argument(action, arg_strings_pattern)
        except argparse.ArgumentError as wrong:
            raise _mistake().without_value(self, action) from wrong

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        if arg_strings == ["--"] and action.option_strings and action.nargs is None:
            return self._get_value(
                action, "--"
            )  # given as `--arg=--`; argparse before 3.13 makes it no value
        return super()._get_values(action, arg_strings)

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as wrong:
            raise _mistake().no_value(self, action, arg_string, wrong) from wrong

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as wrong:
            raise _mistake().no_choice(self, action, value) from wrong


def _mistake() -> Any:
    from mcpeak.command import mistake  # late: a right command line needs none of it

    return mistake


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
        show(f"{parser.prog} {__version__}\n")
        raise SystemExit(0)


class _Help(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        """Say the help on stdout and end."""
        show(parser.format_help())
        raise SystemExit(0)


def program(name: str, room: str, arguments: Sequence[str]) -> Parser:
    """Begin a program's parser in the language that its own arguments and environment choose.

    `messages/<language>/<room>.toml` has the description under `[label] help`, one line an option
    under `[option]` (looked up by `describe`).
    """
    choose(flag_in(arguments), os.environ)
    parser = Parser(name, description=Later(room, "label", "help"))
    common = parser.add_argument_group(Later("command", "label", "common"))
    for names, action, words in (
        (("-h", "--help"), _Help, "help_option"),
        (("--version",), _Version, "version_option"),
    ):
        common.add_argument(*names, action=action, nargs=0, help=Later("command", "label", words))
    common.add_argument("--lang", choices=("en", "ko"), help=Later("command", "label", "lang_option"))
    return parser


def describe(room: str, option: str) -> str:
    """Give an option's help sentence: `[option]` of a room's catalogue, `suite_id` for `--suite-id`."""
    return Later(room, "option", option)
