"""An edge: asks a server for its tools, writes a record for each, says what changed since an older list."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mcpeak.command import exits
from mcpeak.command.boundary import bounded
from mcpeak.command.failure import UsageError
from mcpeak.command.limits import seconds
from mcpeak.command.options import Parser, describe, program
from mcpeak.command.redact import Redactor
from mcpeak.command.speech import add_manner
from mcpeak.command.stage import run_stage, tell_record
from mcpeak.command.stdout import show
from mcpeak.command.target import Target, add_target, split, target_of
from mcpeak.messages import label, say
from mcpeak.wire.records import Notice, Severity, ToolRecord
from mcpeak.wire.writer import Writer

if TYPE_CHECKING:
    from mcpeak.tools.fetch import Listed

NAME = "mcpeak-tools"
LIMIT = 30.0
"""Seconds that the handshake and the list may each take (CONTRACT §4)."""


def parser(arguments: Sequence[str]) -> Parser:
    """Build the command line."""
    made = program(NAME, "tools", arguments)
    made.add_argument("--list", action="store_true", help=describe("tools", "list"))
    made.add_argument("--diff", metavar="OLD", help=describe("tools", "diff"))
    made.add_argument("--strict", action="store_true", help=describe("tools", "strict"))
    made.add_argument(
        "--start-timeout",
        metavar="SECONDS",
        type=seconds,
        default=LIMIT,
        help=describe("tools", "start_timeout"),
    )
    add_target(made)
    add_manner(made)
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """List the tools of one server; give the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return bounded(NAME, lambda: _begin(arguments))


def _begin(arguments: list[str]) -> int:
    ours, command = split(arguments)
    given = parser(ours).parse_args(ours)
    if given.list:
        return _for_people(given, command)
    return run_stage("tools", lambda writer: _work(writer, given, command))


def _for_people(given: Namespace, command: list[str] | None) -> int:
    """Write the list as text; it is the end of any pipe."""
    from mcpeak.tools.fetch import Unlisted
    from mcpeak.tools.old import value_of
    from mcpeak.tools.people import page

    if given.diff is not None:
        raise UsageError("CLI_USAGE", room="tools", detail="LIST_WITH_DIFF")
    target = target_of(given, command)
    try:
        listed = _fetched(given, target)
    except Unlisted as unlisted:
        if unlisted.record is not None:
            tell_record(unlisted.record)
        return unlisted.exit
    tools = [tool for tool in map(value_of, listed.tools) if isinstance(tool, dict)]
    return show(Redactor(target.secrets).text(page(tools)))


def _fetched(given: Namespace, target: Target) -> "Listed":
    from mcpeak.link.manner import manner_of
    from mcpeak.tools.fetch import fetch

    manner = manner_of(given.protocol, given.roots, given.answers, given.ca, given.proxy)
    return fetch(target, manner, given.start_timeout, LIMIT)


def _work(writer: Writer, given: Namespace, command: list[str] | None) -> int:
    from mcpeak.tools.fetch import Unlisted
    from mcpeak.tools.old import old_tools

    target = target_of(given, command)
    before = None if given.diff is None else old_tools(given.diff)
    try:
        listed = _fetched(given, target)
    except Unlisted as unlisted:
        if unlisted.record is not None:
            writer.write(unlisted.record)
        return unlisted.exit
    for tool in listed.tools:
        writer.write(ToolRecord(server=listed.server, tool=tool))
    return exits.GOOD if before is None else _compare(writer, before, listed.tools, strict=given.strict)


def _compare(writer: Writer, before: list[dict[str, Any]], tools: Sequence[Any], *, strict: bool) -> int:
    """Write a notice for each change; the answer is no when a call that was right may be refused now."""
    from mcpeak.tools.compare import changes
    from mcpeak.tools.old import value_of

    after = [tool for tool in map(value_of, tools) if isinstance(tool, dict)]
    worst = False
    for change in changes(before, after):
        severity: Severity = "failure" if strict and change.severity == "warning" else change.severity
        worst = worst or severity == "failure"
        where = (
            label("tools", "at_argument", tool=change.tool, where=change.where)
            if change.where
            else change.tool
        )
        words = say("tools", change.code, where=where, **change.values)
        writer.write(Notice(severity=severity, code=change.code, message=words.message, hint=words.hint))
    return exits.NO if worst else exits.GOOD
