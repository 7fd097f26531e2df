"""The shape of `pipelines.json`: which stages make up a command, and which stage gets which option.

Rule of this file: shapes and one reader, no decisions. To add an option is to add a line to the JSON.
"""

import os
from typing import Literal

from mcpeak.wire import msgspec

PATH = os.path.join(os.path.dirname(__file__), "pipelines.json")

Kind = Literal["text", "any", "count", "positive", "number", "share", "words", "json"]


class Option(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One option of a wired command.

    Attributes:
        group: under which heading the help shows it.
        help: `room.key` of its sentence in the catalogue.
        to: the stages that get it as written; or by stage the words that it becomes, `{value}` filled in.
        short: its one-letter name.
        value: the placeholder of its value, absent for a flag.
        kind: what a value must look like; `any` may begin with `-` or be empty.
        choices: the only values.
        repeat: it may be given more than once.
        writes: it names a file to write, and this is the code when that cannot be done.
        fresh: the file that it names must not exist yet, unless this other option is given.
        wrap: words put before the server's command; `{options}` stands for the options of that program.
    """

    group: str
    help: str
    to: tuple[str, ...] | dict[str, list[str]] = ()
    short: str | None = None
    value: str | None = None
    kind: Kind = "text"
    choices: tuple[str, ...] = ()
    repeat: bool = False
    writes: str | None = None
    fresh: str | None = None
    wrap: tuple[str, ...] = ()


class Stage(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One program of a pipe. `when`: only if one of these options is given; `unless`: not if one is.

    `forgiven`: its "no" (exit 1) is no verdict of the command, because a later stage decides about it.
    `arguments`: what it always gets.
    """

    program: str
    arguments: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    forgiven: bool = False


class Asking(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A command that talks with a person. `unless`: options with which it does not; `code`: no terminal."""

    unless: list[str]
    code: str


class Remembering(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A command that knows what failed last time.

    `stage` gets `option` and a file to write it in; `by` asks to run only that, chosen with `choose`.
    """

    stage: str
    option: str
    by: str
    choose: str


class Command(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A wired command: its stages in order, and where files, target and options go.

    Attributes:
        stages: the pipe.
        options: by name, in the order of the help page.
        command: the stages that get `-- COMMAND…`.
        words: the options that spell the same command word by word.
        targets: what names a server, of which one is needed; `-- COMMAND` is the command after `--`.
        files: the stage that reads the FILE arguments, absent when the command takes none.
        exclusive: options of which only one may be given.
        needs: an option that makes no sense without one of these.
        project: its project's own file may say what the command line leaves open: all, or the target.
        remembers: it knows what failed last time, and can run only that.
        asks: it needs a terminal, and with which options it does not.
        preload: modules that all stages share, imported once before the stages are forked.
    """

    stages: list[Stage]
    options: dict[str, Option]
    command: list[str]
    words: list[str]
    targets: list[str]
    needs: dict[str, list[str]]
    files: str | None = None
    exclusive: tuple[list[str], ...] = ()
    project: Literal["all", "target"] | None = None
    remembers: Remembering | None = None
    asks: Asking | None = None
    preload: tuple[str, ...] = ()


class Table(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Everything the front end knows: the programs of the house and the commands made of them.

    `borrow`: programs that get the project's server, each with a command whose first stage takes the same.
    """

    programs: list[str]
    commands: dict[str, Command]
    borrow: dict[str, str]


def load(path: str = PATH) -> Table:
    """Read the table."""
    with open(path, "rb") as file:
        return msgspec.json.decode(file.read(), type=Table)
