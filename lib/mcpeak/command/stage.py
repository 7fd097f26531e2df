"""The frame of every program that writes records: begin, work, trouble as an `error` record, end.

The last stage of a pipe speaks to people: when stdout is no pipe, problems that pass are told on stderr too.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from mcpeak.command import exits
from mcpeak.command.boundary import bounded, tell, to_stderr
from mcpeak.command.failure import Failure
from mcpeak.command.text import clean, cut
from mcpeak.messages import label, say
from mcpeak.wire.reader import BadLine, CutStream
from mcpeak.wire.records import AnyRecord, Error, Issue, Notice
from mcpeak.wire.writer import Writer, to_descriptor

QUOTED = 120  # code points of a bad line that are worth quoting
LONGEST_PATH = 300  # code points of a path that people may want to read


def run_stage(name: str, work: Callable[[Writer], int]) -> int:
    """Run a stage's work with its writer; give the exit code."""
    return bounded(f"mcpeak-{name}", lambda: _framed(name, work))


def stdin_lines() -> Iterator[bytes]:
    """Yield the lines of stdin as they arrive."""
    file: BinaryIO = os.fdopen(0, "rb", closefd=False)
    return iter(file.readline, b"")


def _framed(name: str, work: Callable[[Writer], int]) -> int:
    writer = Writer(name, to_descriptor(1), None if _piped(1) else tell_record)
    try:
        code = work(writer)
    except Failure as wrong:
        words = wrong.words
        writer.write(
            Error(stage=name, code=wrong.code, detail=wrong.detail, message=words.message, hint=words.hint)
        )
        code = wrong.exit
    except (BadLine, CutStream) as wrong:
        writer.write(stream_error(name, wrong))
        code = exits.UNREADABLE
    writer.end()
    return code


def stream_error(stage: str, wrong: BadLine | CutStream) -> Error:
    """Make the `error` record for input that is no whole stream."""
    if isinstance(wrong, BadLine):
        quoted = cut(clean(wrong.line.decode("utf-8", "replace").rstrip("\r\n")), QUOTED)
        words = say("command", "STREAM_LINE_INVALID", number=wrong.number, line=quoted, why=clean(wrong.why))
        return Error(stage=stage, code="STREAM_LINE_INVALID", message=words.message, hint=words.hint)
    words = say("command", "STREAM_CUT", reason=label("command", f"cut_{wrong.reason}"))
    return Error(stage=stage, code="STREAM_CUT", message=words.message, hint=words.hint)


def tell_record(record: AnyRecord) -> None:
    """Say a problem that passes by for people, on stderr."""
    if isinstance(record, Error):
        name = f"mcpeak-{record.stage.removeprefix('mcpeak-')}"
        tell(name, record.code, _placed(record.source, record.message), record.hint, record.detail)
    elif isinstance(record, Issue):
        to_stderr(issue_text(record))
    elif isinstance(record, Notice) and record.severity != "info":
        word = label("command", record.severity)
        hint = f"\n  {clean(record.hint)}" if record.hint else ""
        place = record.source
        if place is not None and record.line is not None:
            place = f"{place}:{record.line}:{record.column}"
        to_stderr(f"{word} [{record.code}]: {clean(_placed(place, record.message))}{hint}\n")


def issue_text(issue: Issue) -> str:
    """Lay one issue out for people: place, code, path, message; then the remedy."""
    word = label("command", "error")
    path = cut(clean(issue.path), LONGEST_PATH)
    first = f"{clean(place_of(issue))}: {word} [{issue.code}]: {path}: {clean(issue.message)}"
    return f"{first}\n  {clean(issue.hint)}\n"


def by_place(issues: Iterable[Issue]) -> list[Issue]:
    """Order the issues of one file for people: by line and column; the records keep the checker's order."""
    return sorted(issues, key=lambda issue: (issue.line or 0, issue.column or 0))


def place_of(issue: Issue) -> str:
    """Name the file of an issue, with line and column where they are known; uncleaned."""
    return issue.source if issue.line is None else f"{issue.source}:{issue.line}:{issue.column}"


def _placed(source: str | None, message: str) -> str:
    return message if source is None else f"{source}: {message}"


def _piped(descriptor: int) -> bool:
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
