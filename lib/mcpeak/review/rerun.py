"""An edge: one case tried again, by mcpeak-run, a program like any other.

Rule of this file: records in, records out; nothing of the run room is imported.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from msgspec import Raw

from mcpeak.review.draft import Result
from mcpeak.review.effects import Failed
from mcpeak.review.gather import result_of
from mcpeak.suite.canonical import fingerprint
from mcpeak.wire.json import dumps_line
from mcpeak.wire.reader import BadLine, CutStream, read
from mcpeak.wire.records import CaseFinished, Error, SuiteRecord
from mcpeak.wire.writer import Writer

PROGRAM = "mcpeak-run"
LIMIT = 600.0
"""Seconds; the case has its own limit, this one only keeps us from waiting for ever."""


def rerun(suite: dict[str, Any], arguments: Sequence[str]) -> Result | Failed:
    """Run a suite of one case against the server of `arguments`; give how it ended."""
    program = _program()
    if program is None:
        return Failed("rerun_failed", {"why": PROGRAM})
    try:
        done = subprocess.run(  # noqa: S603 - our own program, without a shell
            [sys.executable, program, *arguments],
            input=_stream(suite),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=LIMIT,
            check=False,
        )
        return _result(done.stdout)
    except subprocess.TimeoutExpired:
        return Failed("rerun_failed", {"why": f"> {LIMIT:g} s"})


def _program() -> str | None:
    """Find mcpeak-run beside the program that we are, else on PATH."""
    beside = os.path.join(os.path.dirname(os.path.realpath(sys.argv[0])), PROGRAM)
    return beside if os.path.exists(beside) else shutil.which(PROGRAM)


def _stream(suite: dict[str, Any]) -> bytes:
    lines: list[bytes] = []
    writer = Writer("review", lines.append)
    raw = Raw(dumps_line(suite))
    digest = fingerprint(suite)
    writer.write(SuiteRecord(source="-", suite=raw, fingerprint=digest, approval="absent"))
    writer.end()
    return b"".join(lines)


def _result(output: bytes) -> Result | Failed:
    try:
        for record, _ in read(output.splitlines(keepends=True)):
            if isinstance(record, CaseFinished):
                return result_of(record)
            if isinstance(record, Error):
                return Failed("rerun_failed", {"why": record.message})
    except (BadLine, CutStream):
        pass
    return Failed("rerun_failed", {"why": PROGRAM})
