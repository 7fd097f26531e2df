"""An edge: calls one tool, shows the answer, and if asked to, saves the call as a case of a suite file."""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from mcpeak.command import exits
from mcpeak.command.boundary import bounded
from mcpeak.command.failure import InputError, UsageError
from mcpeak.command.limits import seconds
from mcpeak.command.options import Parser, describe, program
from mcpeak.command.speech import add_manner
from mcpeak.command.stdout import show
from mcpeak.command.target import Target, add_target, split, target_of
from mcpeak.command.text import clean
from mcpeak.messages import label

NAME = "mcpeak-call"
START_LIMIT = 30.0
LIMIT = 10.0


def parser(arguments: Sequence[str]) -> Parser:
    """Build the command line."""
    made = program(NAME, "call", arguments)
    made.add_argument("tool", metavar="TOOL", help=describe("call", "tool"))
    made.add_argument("input", metavar="INPUT", nargs="?", default="{}", help=describe("call", "input"))
    made.add_argument("--json", action="store_true", help=describe("call", "json"))
    made.add_argument("--save", metavar="FILE", help=describe("call", "save"))
    made.add_argument("--id", metavar="ID", help=describe("call", "id"))
    made.add_argument("--name", metavar="NAME", help=describe("call", "name"))
    made.add_argument(
        "--timeout", metavar="SECONDS", type=seconds, default=LIMIT, help=describe("call", "timeout")
    )
    made.add_argument(
        "--start-timeout",
        metavar="SECONDS",
        type=seconds,
        default=START_LIMIT,
        help=describe("call", "start_timeout"),
    )
    add_target(made)
    add_manner(made)
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Make the call; give the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return bounded(NAME, lambda: _work(arguments))


def _work(arguments: list[str]) -> int:
    ours, command = split(arguments)
    given = parser(ours).parse_args(ours)
    if not given.tool:
        raise UsageError("CLI_USAGE", detail="VALUE_EMPTY", option="TOOL")
    target = target_of(given, command)
    text, value = _input(given.input)
    from mcpeak.call.ask import ask  # late: help and wrong usage need no link
    from mcpeak.link.manner import manner_of

    manner = manner_of(given.protocol, given.roots, given.answers, given.ca, given.proxy)
    asked = ask(target, manner, given.tool, text, given.start_timeout, given.timeout)
    _show(asked.result, target, as_json=given.json)
    if asked.misnamed is not None:
        raise asked.misnamed  # before it is saved: nobody wants a case of a slip of the finger
    if given.save is not None:
        _save(given, asked.server, value, asked.result)
    return exits.NO if asked.result.get("isError") is True else exits.GOOD


def _input(word: str) -> tuple[bytes, dict[str, Any]]:
    """Read the arguments: JSON on the command line, or `-` for stdin; sent as they are written."""
    from mcpeak.wire.json import JsonError, parse

    data = os.fdopen(0, "rb", closefd=False).read() if word == "-" else os.fsencode(word)
    try:
        value = parse(data)
    except JsonError as wrong:
        raise InputError("INPUT_NO_JSON", room="call", why=str(wrong)) from wrong
    if not isinstance(value, dict):
        raise InputError("INPUT_NO_OBJECT", room="call")
    return b" ".join(data.split(b"\n")).strip(), value


def _show(result: dict[str, Any], target: Target, *, as_json: bool) -> None:
    from mcpeak.call.answer import lines
    from mcpeak.command.redact import Redactor
    from mcpeak.wire.json import dumps_line

    shown = Redactor(target.secrets).value(result)
    text = dumps_line(shown).decode() if as_json else "\n".join(lines(shown))
    show(f"{text}\n")


def _save(given: Namespace, server: str, value: dict[str, Any], result: dict[str, Any]) -> None:
    from mcpeak.call.answer import assertions
    from mcpeak.call.keep import keep

    case = {
        "id": given.id,
        "name": given.name or label("call", _named(result), tool=given.tool),
        "operation": {"type": "callTool", "tool": given.tool, "input": value},
        "assertions": assertions(result),
    }
    kept = keep(given.save, server, case)
    checks = ", ".join(each["type"] for each in case["assertions"])
    told = [label("call", "saved", file=given.save, case=kept.id, checks=checks)]
    if kept.stale:
        told.append(label("call", "approval_stale", file=given.save))
    os.write(2, "".join(f"{clean(line)}\n" for line in told).encode("utf-8", "backslashreplace"))


def _named(result: dict[str, Any]) -> str:
    return "case_refused" if result.get("isError") is True else "case_answers"
