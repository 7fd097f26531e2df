"""The server as the printed commands name it: as the user did where he did, else as the records do.

Rule of this file: it reads no variable and no file, and writes no secret; the names of variables are none.
"""

from argparse import Namespace

from mcpeak.command.options import Later, Parser, describe
from mcpeak.command.repeat import quoted, target_words
from mcpeak.command.target import Command, Target, described

ONCE = ("url", "config", "server", "cwd")
REPEATED = ("header_env", "env")


def add_server(parser: Parser) -> None:
    """Add the options that say how the server was named to the stage before."""
    group = parser.add_argument_group(Later("init", "label", "named"))
    metavars = {"url": "URL", "config": "FILE", "server": "NAME", "cwd": "DIR"}
    for name in ONCE:
        group.add_argument(f"--{name}", metavar=metavars[name], help=describe("link", name))
    group.add_argument(
        "--header-env",
        metavar="HEADER=ENVVAR",
        action="append",
        default=[],
        help=describe("link", "header_env"),
    )
    group.add_argument("--env", metavar="NAME", action="append", default=[], help=describe("link", "env"))


def server_words(given: Namespace, command: list[str] | None, told: str) -> str:
    """Write the TARGET of the printed commands.

    Args:
        given: the parsed options.
        command: what stood after `--`.
        told: the target that the records name, secrets left out.
    """
    words = [f"--{name} {quoted(getattr(given, name))}" for name in ONCE if getattr(given, name)]
    words += [
        f"--{name.replace('_', '-')} {quoted(value)}" for name in REPEATED for value in getattr(given, name)
    ]
    if given.url and command:
        words.append("-- " + described(Target(Command(tuple(command), {}, None), None, {}, ())))
    elif not (given.url or given.config):
        words.append(target_words(told))
    return " ".join(words)
