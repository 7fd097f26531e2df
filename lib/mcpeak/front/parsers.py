"""Every program's parser in one place: what completion and man pages are made from.

Rule of this file: it builds argparse parsers and decides nothing; options stay defined where they are used.
"""

import argparse
from importlib import import_module

from mcpeak.command.options import spell_out
from mcpeak.front.help import sentence
from mcpeak.front.programs import NAME, built
from mcpeak.front.table import Command, Option, Table
from mcpeak.messages import label, language

FILE_VALUES = {"FILE", "PATH", "FILE.j2"}
FOLDER_VALUES = {"DIR"}


def parsers(known: Table) -> dict[str, argparse.ArgumentParser]:
    """Give the parser of the front end and of each program that is there, by program name."""
    single = {f"{NAME}-{each}": program_parser(each) for each in known.programs if built(each)}
    return {NAME: front_parser(known), **single}


def program_parser(program: str) -> argparse.ArgumentParser:
    """Give one program's own parser, in the language of this process."""
    made: argparse.ArgumentParser = import_module(f"mcpeak.{program}.tool").parser(["--lang", language()])
    spell_out(made)
    return made


def front_parser(known: Table) -> argparse.ArgumentParser:
    """Make a parser that looks like the front end: its commands with their options, the programs as words."""
    front = argparse.ArgumentParser(NAME, description=label("front", "overview"), add_help=False)
    front.add_argument("--version", action="store_true", help=label("command", "version_option"))
    front.add_argument("-h", "--help", action="store_true", help=label("command", "help_option"))
    words = front.add_subparsers(metavar="COMMAND")
    for name, command in known.commands.items():
        _fill(words.add_parser(name, help=label("front", f"command_{name}"), add_help=False), command)
    for each in known.programs:
        if built(each) and each not in known.commands:
            words.add_parser(
                each, help=label("front", f"program_{each}"), add_help=False, parents=[program_parser(each)]
            )
    return front


def _fill(parser: argparse.ArgumentParser, command: Command) -> None:
    if command.files:
        parser.add_argument("files", nargs="*", metavar="FILE", help=label("front", "files"))
    groups: dict[str, argparse._ArgumentGroup] = {}
    for name, option in command.options.items():
        group = groups.setdefault(
            option.group, parser.add_argument_group(label("front", f"group_{option.group}"))
        )
        _add(group, name, option)


def _add(group: argparse._ArgumentGroup, name: str, option: Option) -> None:
    words = sentence(option).replace("%", "%%")
    names = [option.short, name] if option.short else [name]
    if option.value is None:
        group.add_argument(*names, action="store_true", help=words)
    else:
        group.add_argument(*names, metavar=option.value, choices=option.choices or None, help=words)
