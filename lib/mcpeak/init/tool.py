"""An edge: reads what a server advertises, writes a first suite file, says what to do next."""

import sys
from argparse import Namespace
from collections.abc import Sequence

from mcpeak.command import exits
from mcpeak.command.boundary import bounded
from mcpeak.command.failure import InputError
from mcpeak.command.options import Parser, describe, program
from mcpeak.command.stage import stdin_lines, stream_error, tell_record
from mcpeak.command.stdout import show
from mcpeak.command.target import split
from mcpeak.command.text import clean
from mcpeak.init.server import add_server, server_words
from mcpeak.messages import label
from mcpeak.wire.reader import BadLine, CutStream, read
from mcpeak.wire.records import Error, Notice, ToolRecord, Unknown

NAME = "mcpeak-init"


def parser(arguments: Sequence[str]) -> Parser:
    """Build the command line."""
    made = program(NAME, "init", arguments)
    made.add_argument("--out", metavar="FILE", help=describe("init", "out"))
    made.add_argument("--force", action="store_true", help=describe("init", "force"))
    add_server(made)
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Write the suite; give the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return bounded(NAME, lambda: _begin(arguments))


def _begin(arguments: list[str]) -> int:
    ours, command = split(arguments)
    return _work(parser(ours).parse_args(ours), command)


def _work(given: Namespace, command: list[str] | None) -> int:
    tools: list[ToolRecord] = []
    failed = False
    try:
        for record, _ in read(stdin_lines()):
            if isinstance(record, ToolRecord):
                tools.append(record)
            elif not isinstance(record, Unknown):
                tell_record(record)
                failed = failed or isinstance(record, Error) or _red(record)
    except (BadLine, CutStream) as wrong:
        tell_record(stream_error(NAME, wrong))
        return exits.UNREADABLE
    if failed:
        return exits.NO
    if not tools:
        raise InputError("NO_TOOLS", room="init", exit_code=exits.NO)
    return _write(tools, given, command)


def _red(record: object) -> bool:
    return isinstance(record, Notice) and record.severity == "failure"


def _write(tools: list[ToolRecord], given: Namespace, command: list[str] | None) -> int:
    from mcpeak.command.repeat import quoted
    from mcpeak.command.save import save
    from mcpeak.init.first import file_name, laid_out, suite
    from mcpeak.init.sample import sample
    from mcpeak.wire.json import parse

    server = tools[0].server
    listed = [parse(bytes(record.tool)) for record in tools]
    path = given.out or file_name(server.name)
    made = suite(server.name, [tool["name"] for tool in listed], label("init", "case"))
    save(path, laid_out(made), replace=given.force)
    tool, words = sample(listed)
    told = label(
        "init",
        "written",
        file=quoted(path),
        count=len(listed),
        server=server.name,
        target=server_words(given, command, server.target),
        tool=quoted(tool),
        input=quoted(words),
    )
    return show(f"{clean_lines(told)}\n")


def clean_lines(text: str) -> str:
    """Clean each line of a text of ours that holds words of the server."""
    return "\n".join(clean(line) for line in text.splitlines())
