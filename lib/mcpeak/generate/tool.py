"""An edge: reads tool records, writes a draft suite with what was left out and what is covered.

The tool records go on with the draft: whoever reviews it needs their schemas.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from mcpeak.command import exits
from mcpeak.command.boundary import bounded, to_stderr
from mcpeak.command.failure import InputError, UsageError
from mcpeak.command.options import Parser, describe, program
from mcpeak.command.stage import run_stage, stdin_lines
from mcpeak.command.text import clean
from mcpeak.messages import label, say
from mcpeak.wire.json import JsonError, dumps_line, parse
from mcpeak.wire.reader import read
from mcpeak.wire.records import Error, Notice, ServerFacts, SuiteRecord, ToolRecord
from mcpeak.wire.writer import Writer

if TYPE_CHECKING:
    from mcpeak.generate.draft import Draft
    from mcpeak.generate.fixtures import Fixtures

NAME = "mcpeak-generate"
FIXTURES = "mcpeak.fixtures.json"
"""The fixtures file that is used when it stands in the working directory."""

FEW = 5
"""Names that fit a line."""

QUIET = ("CASE_NOT_BUILT", "OUTPUT_NOT_ASSERTED")
"""What is worth knowing, and no reason to act."""

SWITCHES = ("call_destructive", "announce")
OPTIONS = {"suite_id": "ID", "name": "NAME", "named_after": "FILE", "fixtures": "FILE"}


class Server(NamedTuple):
    """A server and its tools, in its order."""

    facts: ServerFacts
    tools: list[Any]


def parser(arguments: Sequence[str]) -> Parser:
    """Build the command line."""
    made = program(NAME, "generate", arguments)
    for key, placeholder in OPTIONS.items():
        made.add_argument(f"--{key.replace('_', '-')}", metavar=placeholder, help=describe("generate", key))
    for key in SWITCHES:
        made.add_argument(f"--{key.replace('_', '-')}", action="store_true", help=describe("generate", key))
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Draft a suite for each server on stdin; give the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return bounded(NAME, lambda: _begin(arguments))


def _begin(arguments: list[str]) -> int:
    given = parser(arguments).parse_args(arguments)
    return run_stage("generate", lambda writer: _work(writer, given))


def _work(writer: Writer, given: Namespace) -> int:
    for key in ("suite_id", "name"):
        value = getattr(given, key)
        if value is not None and not value.strip():
            raise UsageError("INVALID_OPTIONS", room="generate", option=f"--{key.replace('_', '-')}")
    servers, failed = _read(writer)
    if failed and not any(server.tools for server in servers):
        return exits.NO
    if not any(server.tools for server in servers):
        raise InputError("GENERATED_SUITE_INVALID", room="generate", detail="NO_TOOLS")
    fixtures = _fixtures(writer, given.fixtures)
    for server in servers:
        _draft(writer, server, given, fixtures)
    _unused(writer, fixtures, servers)
    return exits.NO if failed else exits.GOOD


def _unused(writer: Writer, fixtures: "Fixtures", servers: list[Server]) -> None:
    """Tell the fixtures that served nothing: of a tool that is not there once, with the nearest that is."""
    from mcpeak.suite.nearest import nearest

    tools = [tool for server in servers for tool in server.tools if isinstance(tool, dict)]
    names = [str(tool.get("name")) for tool in tools]
    told = set()
    for tool, field in fixtures.unused():
        if tool == "*" or tool in names:
            _notice(writer, "warning", "FIXTURE_UNUSED", tool=tool, field=field)
        elif tool not in told:
            told.add(tool)
            near = nearest(tool, names)
            code = "FIXTURE_NO_TOOL_NEAR" if near else "FIXTURE_NO_TOOL"
            _notice(writer, "warning", code, tool=tool, near=near)


def _read(writer: Writer) -> tuple[list[Server], bool]:
    servers: dict[tuple[str, str], Server] = {}
    failed = False
    for record, line in read(stdin_lines()):
        writer.forward(record, line)
        failed = failed or isinstance(record, Error)
        if isinstance(record, ToolRecord):
            facts = record.server
            server = servers.setdefault((facts.target, facts.name), Server(facts, []))
            server.tools.append(_value(record))
    return list(servers.values()), failed


def _value(record: ToolRecord) -> Any:
    """Read a tool; one that holds what no reader takes (1e400) is none."""
    try:
        return parse(bytes(record.tool))
    except JsonError:
        return None


def _fixtures(writer: Writer, path: str | None) -> Any:
    from mcpeak.generate.fixtures import Fixtures, Misfit

    if path is None and not os.path.exists(FIXTURES):
        return Fixtures({})
    chosen = path or FIXTURES
    try:
        with open(chosen, "rb") as file:
            fixtures = Fixtures(parse(file.read().removeprefix(b"\xef\xbb\xbf")))
    except OSError as refused:
        why = os.strerror(refused.errno or 0)
        raise InputError("FIXTURES_UNREADABLE", room="generate", file=chosen, why=why) from refused
    except JsonError as wrong:
        raise InputError(
            "FIXTURES_INVALID",
            room="generate",
            detail="FIXTURES_NO_JSON",
            file=chosen,
            line=wrong.line,
            column=wrong.column,
        ) from wrong
    except Misfit as wrong:
        detail = "FIXTURES_NO_OBJECT" if wrong.place is None else "FIXTURES_TOOL_NO_OBJECT"
        raise InputError(
            "FIXTURES_INVALID", room="generate", detail=detail, file=chosen, tool=wrong.place
        ) from wrong
    _notice(writer, "info", "FIXTURES_USED", file=chosen)
    return fixtures


def _draft(writer: Writer, server: Server, given: Namespace, fixtures: Any) -> None:
    from mcpeak.generate.draft import coverage, draft, held_back, suite_of
    from mcpeak.generate.naming import case_namer, suite_names

    made = draft(server.tools, fixtures, case_namer(given.lang or "en"))
    for skip in made.skips:
        severity = "info" if skip.code in QUIET else "warning"
        _notice(writer, severity, skip.code, **_worded(skip.values))
    if not made.cases:
        raise InputError("GENERATED_SUITE_INVALID", room="generate", detail="NO_CASES")
    suite_id, name = suite_names(given.suite_id, given.name, given.named_after, server.facts.name)
    source = given.named_after or f"{suite_id}.json"
    _notice(writer, "info", "GENERATE_COVERAGE", source, **coverage(made, len(server.tools)))
    record = _record(suite_of(made.cases, suite_id, name), source)
    record.guesses = made.guesses or None
    record.held_back = None if given.call_destructive else held_back(made) or None
    if given.announce:
        _announce(made, len(server.tools), held=record.held_back is not None)
    writer.write(record)


def _announce(made: "Draft", advertised: int, *, held: bool) -> None:
    """Say what the dry run is about to call, now: the end of the pipe speaks too late."""
    from mcpeak.generate.draft import MANNERS

    tools = {word: [name for name, own in made.manners.items() if own == word] for word in MANNERS}
    called = len(made.manners) - (len(tools["destructive"]) if held else 0)
    lines = [label("generate", "calls", called=called, tools=advertised)]
    for word, names in (
        ("destructive_held" if held else "destructive", tools["destructive"]),
        ("unsaid", tools["unsaid"]),
    ):
        if names:
            lines.append(label("generate", f"calls_{word}", count=len(names), names=_few(names)))
    to_stderr("".join(f"{clean(line)}\n" for line in lines))


def _few(names: list[str]) -> str:
    return ", ".join(names[:FEW]) + (", …" if len(names) > FEW else "")


def _record(suite: dict[str, Any], source: str) -> SuiteRecord:
    """Read the draft as every later reader will, and make its record."""
    from mcpeak.suite.read import ReadSuite, read_suite

    read = read_suite(_json(suite), source)
    if isinstance(read, ReadSuite):
        record = read.record()
        record.positions = None  # of this line, not of the file that may come of it
        return record
    first = read[0]
    raise InputError(
        "GENERATED_SUITE_INVALID", room="generate", detail="DRAFT_INVALID", path=first.path, why=first.message
    )


def _json(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except (UnicodeEncodeError, OverflowError, RecursionError):  # beyond msgspec: surrogates, big integers
        return dumps_line(value)


def _worded(values: dict[str, str]) -> dict[str, str]:
    """Replace the words of the search by sentences."""
    words = dict(values)
    if "place" in words and "reason" in words:
        words["reason"] = label("generate", f"none_{words['reason']}")
    if "kind" in words:
        words["kind"] = label("generate", f"kind_{words['kind']}")
    return words


def _notice(writer: Writer, severity: Any, code: str, source: str | None = None, **values: object) -> None:
    words = say("generate", code, **values)
    writer.write(
        Notice(severity=severity, source=source, code=code, message=words.message, hint=words.hint or None)
    )
