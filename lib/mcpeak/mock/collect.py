"""Where drafts come from: a log file, a stream of records, or `mcpeak-tools` asking a live server.

Rule of this file: an edge; what it reads goes to `draft.py`.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from mcpeak.command.failure import Failure, InputError
from mcpeak.command.stage import tell_record
from mcpeak.mock.draft import from_log, from_tools, pretty
from mcpeak.wire.json import JsonError, parse
from mcpeak.wire.reader import BadLine, CutStream, read
from mcpeak.wire.records import CaseFinished, Error, ToolRecord

TOOLS = "mcpeak-tools"


def draft_from_log(path: str) -> bytes:
    """Draft a definition from a file that `--log` wrote.

    Raises:
        InputError: it cannot be read, or is no such log.
    """
    return pretty(from_log(_records(path)))


def draft_from_server(target: list[str], runs: str | None) -> bytes:
    """Draft a definition from the tools of a live server. `target`: the words that name it.

    Raises:
        Failure: there is no list of tools; `mcpeak-tools` has said why.
        InputError: a tool holds what a definition cannot, a number beyond a double.
    """
    done = subprocess.run(  # noqa: S603 - our own program, without a shell
        [sys.executable, _beside(TOOLS), *target], stdout=subprocess.PIPE, check=False
    )
    tools: list[dict[str, Any]] = []
    for record in _stream(done.stdout):
        if isinstance(record, ToolRecord):
            tools.append(_tool(record, len(tools) + 1))
        elif isinstance(record, Error):
            tell_record(record)
    if done.returncode:
        raise ToolsFailed(done.returncode)
    cases: list[CaseFinished] = []
    if runs is not None:
        cases = [record for record in _stream(_bytes(runs)) if isinstance(record, CaseFinished)]
    return pretty(from_tools(tools, cases))


def _tool(record: ToolRecord, number: int) -> dict[str, Any]:
    try:
        tool: dict[str, Any] = parse(bytes(record.tool))
    except JsonError as wrong:
        raise InputError("TOOL_UNREADABLE", room="mock", number=number, why=str(wrong)) from wrong
    return tool


class ToolsFailed(Exception):  # noqa: N818 - the other program has said what happened
    """`mcpeak-tools` ended without a list. `exit`: its exit code."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(exit_code)
        self.exit = exit_code


def _records(path: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(_bytes(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            record = parse(line)
        except JsonError:
            record = None
        if not isinstance(record, dict) or not str(record.get("type", "")).startswith("mock"):
            raise InputError("MOCK_LOG_INVALID", room="mock", detail="LOG_LINE", path=path, number=number)
        yield record


def _stream(data: bytes) -> Iterator[Any]:
    try:
        for record, _ in read(data.splitlines(keepends=True)):
            yield record
    except (BadLine, CutStream) as wrong:
        raise InputError("STREAM_CUT", reason=str(wrong)) from wrong


def _bytes(path: str) -> bytes:
    try:
        with open(0 if path == "-" else path, "rb", closefd=path != "-") as file:
            return file.read()
    except OSError as wrong:
        raise InputError("FILE_UNREADABLE", room="mock", path=path, reason=wrong.strerror) from wrong


def _beside(program: str) -> str:
    """Find a program beside the one that we are, else in the checkout, else on PATH."""
    here = os.path.dirname(os.path.realpath(__file__))
    checkout = os.path.join(here, *[os.pardir] * 3, "bin")
    for folder in (os.path.dirname(os.path.realpath(sys.argv[0])), checkout, os.path.dirname(sys.executable)):
        path = os.path.join(folder, program)
        if os.path.exists(path):
            return path
    found = shutil.which(program)
    if found is None:
        raise Failure("PROGRAM_MISSING", room="mock", program=program)
    return found


def target_words(arguments: list[str]) -> list[str]:
    """Give the words of our command line that name the server; `mcpeak-tools` knows them, too."""
    kept: list[str] = []
    words = list(arguments)
    while words:
        word = words.pop(0)
        if word == "--":
            return [*kept, word, *words]
        if word == "--runs":
            words = words[1:]
        elif word != "--from-server" and not word.startswith("--runs="):
            kept.append(word)
    return kept
