"""mcpeak-mock: plays an MCP server from a definition file.

Rule of this file: the command line, the definition file, and who serves it.
"""

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcpeak.command import exits
from mcpeak.command.boundary import bounded, to_stderr
from mcpeak.command.failure import InputError, UsageError
from mcpeak.command.text import clean, cut
from mcpeak.messages import label, say
from mcpeak.mock.book import Book
from mcpeak.mock.checks import Problem
from mcpeak.mock.definition import Definition, Refused, read
from mcpeak.mock.words import refusal, sentence
from mcpeak.wire.writer import to_descriptor

if TYPE_CHECKING:
    import argparse

    from mcpeak.command.options import Parser
    from mcpeak.mock.server import Server

NAME = "mcpeak-mock"
_NOTED = 20
_QUOTED = 120


def parser(arguments: Sequence[str]) -> "Parser":
    """Build the parser in the language of the arguments."""
    from mcpeak.command.options import program
    from mcpeak.messages import language, table
    from mcpeak.protocol.revisions import WISHES

    options = program(NAME, "mock", arguments)
    words = table("mock", language())["option"]
    options.add_argument("files", nargs="*", metavar="FILE", help=label("mock", "file"))
    serving = options.add_argument_group(label("mock", "serving"))
    serving.add_argument("--check", action="store_true", help=words["check"])
    serving.add_argument("--http", action="store_true", help=words["http"])
    serving.add_argument("--host", help=words["host"])
    serving.add_argument("--port", type=int, help=words["port"])
    serving.add_argument("--sessions", action="store_true", help=words["sessions"])
    serving.add_argument("--sse", action="store_true", help=words["sse"])
    serving.add_argument("--protocol", default="auto", choices=WISHES, metavar="ERA", help=words["protocol"])
    serving.add_argument("--watch", action="store_true", help=words["watch"])
    serving.add_argument("--log", metavar="FILE", help=words["log"])
    return options


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; give its exit code."""
    import sys

    arguments = list(sys.argv[1:] if argv is None else argv)
    return bounded(NAME, lambda: _run(parser(arguments).parse_args(arguments)))


def _run(options: "argparse.Namespace") -> int:
    _refuse_nonsense(options)
    if options.check:
        return _check(options.files)
    if len(options.files) != 1:
        raise UsageError("CLI_USAGE", room="mock", detail="USAGE_FILE")
    definition = load(options.files[0])
    if isinstance(definition, Refused):
        to_stderr(refusal(definition))
        return exits.UNREADABLE
    for problem in definition.warnings:
        warn(problem, definition.source)
    return _http(definition, options) if options.http else _stdio(definition, options.protocol)


def _refuse_nonsense(options: "argparse.Namespace") -> None:
    for name in ("host", "port", "sessions", "sse"):
        if getattr(options, name) not in (None, False) and not options.http:
            raise UsageError("CLI_USAGE", room="mock", detail="USAGE_HTTP_ONLY", option=f"--{name}")


def _server(definition: Definition, protocol: str) -> "Server":
    from mcpeak.mock.server import Server
    from mcpeak.protocol.revisions import wish

    return Server(Book(definition, lambda problem: warn(problem, definition.source)), wish(protocol))


def _stdio(definition: Definition, protocol: str) -> int:
    from mcpeak.mock.player import Player
    from mcpeak.mock.stdio import serve

    player = Player(_server(definition, protocol), time.monotonic, Ignored())
    return serve(player, definition.value.get("faults", {}))


def _http(definition: Definition, options: "argparse.Namespace") -> int:
    import asyncio

    from mcpeak.mock import http

    manner = http.Manner(options.host or "127.0.0.1", options.port or 0, options.sessions, options.sse)
    time.sleep(definition.value.get("faults", {}).get("startDelayMs", 0) / 1000)
    try:
        bound = http.listen(manner)
    except (OSError, OverflowError) as wrong:
        raise InputError(
            "MOCK_CANNOT_LISTEN",
            room="mock",
            detail="PORT_TAKEN",
            host=manner.host,
            port=manner.port,
            reason=wrong,
        ) from wrong
    app = http.App(_server(definition, options.protocol), manner)
    url = f"{http.url_of(bound)}\n".encode()
    interrupted = asyncio.run(http.serve(app, bound, lambda: to_descriptor(1)(url)))
    return exits.INTERRUPTED if interrupted else exits.GOOD


class Ignored:
    """Tells of lines that got no answer, but not of thousands."""

    def __init__(self) -> None:
        self._left = _NOTED

    def __call__(self, why: str, line: bytes) -> None:
        """Tell of one line."""
        self._left -= 1
        if self._left >= 0:
            shown = cut(clean(line[: 4 * _QUOTED].decode("utf-8", "replace").strip()), _QUOTED)
            tell("LINE_IGNORED", why=label("mock", f"line_{why}", limit=64), line=shown)
        elif self._left == -1:
            tell("LINES_IGNORED")


def load(path: str) -> Definition | Refused:
    """Read a definition file.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        with open(0 if path == "-" else path, "rb", closefd=path != "-") as file:
            return read(file.read(), path)
    except OSError as wrong:
        reason = os.strerror(wrong.errno) if wrong.errno else str(wrong)
        raise InputError(
            "MOCK_DEFINITION_UNREADABLE", room="mock", detail="FILE_UNREADABLE", path=path, reason=reason
        ) from wrong


def warn(problem: Problem, source: str) -> None:
    """Tell something odd about a definition on stderr."""
    to_stderr(
        clean(f"{NAME}: {label('command', 'warning')} [{problem.code}]: {source}: {sentence(problem)}") + "\n"
    )


def tell(code: str, **values: object) -> None:
    """Tell something that happens while serving on stderr."""
    to_stderr(
        f"{NAME}: {label('command', 'warning')} [{code}]: {clean(say('mock', code, **values).message)}\n"
    )


def _check(files: list[str]) -> int:
    """Check definitions, all problems of all files; serve nothing."""
    if not files:
        raise UsageError("CLI_USAGE", room="mock", detail="USAGE_FILE")
    code = exits.GOOD
    for path in files:
        definition = load(path)
        if isinstance(definition, Refused):
            to_stderr(refusal(definition, every=True))
            code = exits.UNREADABLE
            continue
        for problem in definition.warnings:
            warn(problem, path)
    return code
