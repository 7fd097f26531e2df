"""mcpeak-mock: plays an MCP server from a definition file.

Rule of this file: the command line, and which job it asks for.
"""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcpeak.command import exits
from mcpeak.command.boundary import bounded, to_stderr
from mcpeak.command.failure import UsageError
from mcpeak.command.options import Later, Parser, describe, program
from mcpeak.command.target import add_target, split
from mcpeak.protocol.revisions import WISHES

if TYPE_CHECKING:
    from argparse import Namespace

NAME = "mcpeak-mock"
PORTS = 65535
_HTTP_ONLY = ("host", "port", "sessions", "sse")


def parser(arguments: Sequence[str]) -> Parser:
    """Build the command line."""
    made = program(NAME, "mock", arguments)
    made.add_argument("files", nargs="*", metavar="FILE", help=Later("mock", "label", "file"))
    serving = made.add_argument_group(Later("mock", "label", "serving"))
    serving.add_argument("--http", action="store_true", help=describe("mock", "http"))
    serving.add_argument("--host", help=describe("mock", "host"))
    serving.add_argument("--port", type=int, help=describe("mock", "port"))
    serving.add_argument("--sessions", action="store_true", help=describe("mock", "sessions"))
    serving.add_argument("--sse", action="store_true", help=describe("mock", "sse"))
    serving.add_argument(
        "--protocol", default="auto", choices=WISHES, metavar="ERA", help=describe("mock", "protocol")
    )
    serving.add_argument("--watch", action="store_true", help=describe("mock", "watch"))
    serving.add_argument("--log", metavar="FILE", help=describe("mock", "log"))
    other = made.add_argument_group(Later("mock", "label", "drafting"))
    other.add_argument("--check", action="store_true", help=describe("mock", "check"))
    other.add_argument("--from-log", action="store_true", help=describe("mock", "from_log"))
    other.add_argument("--from-server", action="store_true", help=describe("mock", "from_server"))
    other.add_argument("--runs", metavar="FILE", help=describe("mock", "runs"))
    add_target(made)
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; give its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return bounded(NAME, lambda: _begin(arguments))


def _begin(arguments: list[str]) -> int:
    ours, command = split(arguments)
    options = parser(ours).parse_args(ours)
    if command is not None and not options.from_server:
        options.files += command  # without a server to name, `--` ends the options, as everywhere
    _refuse_nonsense(options)
    if options.from_server:
        return _from_server(arguments, options)
    if options.check:
        return _check(options.files)
    if len(options.files) != 1:
        raise UsageError("CLI_USAGE", room="mock", detail="USAGE_FILE")
    return _from_log(options.files[0]) if options.from_log else _serve(options)


def _refuse_nonsense(options: "Namespace") -> None:
    jobs = [name for name in ("http", "check", "from_log", "from_server") if getattr(options, name)]
    if len(jobs) > 1:
        first, second = (f"--{name.replace('_', '-')}" for name in jobs[:2])
        raise UsageError("CLI_USAGE", room="mock", detail="USAGE_ONE_JOB", first=first, second=second)
    for name in _HTTP_ONLY:
        if getattr(options, name) not in (None, False) and not options.http:
            raise _needs(f"--{name}", "--http")
    if options.port is not None and not 0 <= options.port <= PORTS:
        raise UsageError("CLI_USAGE", room="mock", detail="PORT_RANGE", port=options.port)
    named = options.command is not None or options.url or options.config
    if "-" in options.files and not (options.http or options.check or options.from_log):
        raise _needs("-", "--http")
    if (named or options.runs is not None) and not options.from_server:
        raise _needs("--runs" if options.runs is not None else "TARGET", "--from-server")


def _needs(option: str, needed: str) -> UsageError:
    return UsageError("CLI_USAGE", room="mock", detail="USAGE_NEEDS", option=option, needed=needed)


def _serve(options: "Namespace") -> int:
    import mcpeak.wire  # noqa: F401 - first, because it imports msgspec the lean way; late: not for --help
    from mcpeak.mock.definition import Refused
    from mcpeak.mock.files import load, warn_all
    from mcpeak.mock.serving import on_http, on_stdio
    from mcpeak.mock.words import refusal

    definition = load(options.files[0])
    if isinstance(definition, Refused):
        to_stderr(refusal(definition))
        return exits.UNREADABLE
    warn_all(definition.warnings, definition.source)
    return on_http(definition, options) if options.http else on_stdio(definition, options)


def _check(files: list[str]) -> int:
    """Check definitions, all problems of all files; serve nothing."""
    from mcpeak.mock.files import check

    if not files:
        raise UsageError("CLI_USAGE", room="mock", detail="USAGE_FILE")
    good = [check(path) for path in files]
    return exits.GOOD if all(good) else exits.UNREADABLE


def _from_log(path: str) -> int:
    from mcpeak.mock.collect import draft_from_log
    from mcpeak.wire.writer import to_descriptor

    to_descriptor(1)(draft_from_log(path))
    return exits.GOOD


def _from_server(arguments: list[str], options: "Namespace") -> int:
    from mcpeak.mock.collect import ToolsFailed, draft_from_server, target_words
    from mcpeak.wire.writer import to_descriptor

    if options.files:
        raise UsageError(
            "CLI_USAGE", room="mock", detail="USAGE_ONE_JOB", first="--from-server", second="FILE"
        )
    try:
        to_descriptor(1)(draft_from_server(target_words(arguments), options.runs))
    except ToolsFailed as failed:
        return failed.exit
    return exits.GOOD
