"""An edge: where records come from: stdin or files, each a stream or stored RunnerReport documents.

Rule of this file: bytes in, the same events out whatever the form; stored reports become records again.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import msgspec
from msgspec import Raw, Struct

from mcpeak.command.failure import InputError
from mcpeak.command.stage import stdin_lines
from mcpeak.wire.json import JsonError, dumps_line, parse
from mcpeak.wire.reader import read
from mcpeak.wire.records import (
    AnyRecord,
    CaseFinished,
    CaseResult,
    Determinism,
    ReportSpec,
    RunFinished,
    RunStarted,
    RunStatus,
    ServerFacts,
    StopReason,
    SuiteName,
    Summary,
    Unknown,
)

Event = tuple[AnyRecord | Unknown, bytes]


class _Stored(Struct, rename="camel"):
    """A RunnerReport whose cases stay bytes."""

    suite: SuiteName
    status: RunStatus
    cases: list[Raw]
    summary: Summary
    spec: ReportSpec
    stop_reason: StopReason | None = None
    determinism: Determinism | None = None


def events(files: list[str]) -> Iterator[Event]:
    """Yield the events of stdin (no file, or `-`) and of files, one after the other.

    Raises:
        InputError: a file that cannot be opened, a document that is no RunnerReport.
        BadLine, CutStream: as `wire.reader.read`.
    """
    for number, name in enumerate(files or ["-"]):
        yield from _of_lines(_lines(name), name, number)


def _lines(name: str) -> Iterable[bytes]:
    if name == "-":
        return stdin_lines()
    try:
        return open(name, "rb")
    except OSError as wrong:
        raise InputError(
            "REPORT_READ_FAILED", room="report", path=name, why=wrong.strerror or str(wrong)
        ) from wrong


def _of_lines(lines: Iterable[bytes], name: str, number: int) -> Iterator[Event]:
    reading = iter(lines)
    first = next((line for line in reading if line.strip()), b"")
    whole = chain([first] if first else [], reading)
    if _is_stored(first):
        yield from _stored(b"".join(whole), name, number)
    else:
        yield from read(whole)


def _is_stored(first: bytes) -> bool:
    """Tell a stored document from a stream by its first line: it has no `type` there, or is not whole."""
    start = first.lstrip(b"\xef\xbb\xbf \t")
    if not start.startswith((b"{", b"[")) or start.startswith(b'{"type"'):
        return False
    try:
        value = parse(start)
    except JsonError:
        return start.strip() in (b"{", b"[")
    return isinstance(value, list) or (isinstance(value, dict) and "type" not in value and "cases" in value)


def _stored(data: bytes, name: str, number: int) -> Iterator[Event]:
    for count, document in enumerate(_documents(data, name)):
        yield from _records(document, number * 1000 + count, name)


def _documents(data: bytes, name: str) -> Iterator[dict[str, Any]]:
    """Cut a file into its documents: one a line, or one laid out over many lines, or an array of them."""
    for part in _parts(data):
        try:
            value = parse(part)
        except JsonError as wrong:
            raise InputError("REPORT_INVALID", room="report", path=name, why=str(wrong)) from wrong
        yield from value if isinstance(value, list) else [value]


def _parts(data: bytes) -> list[bytes]:
    lines = [line for line in data.splitlines() if line.strip()]
    try:
        for line in lines:
            parse(line)
    except JsonError:
        return [data.removeprefix(b"\xef\xbb\xbf")]
    return lines


def _records(document: dict[str, Any], run: int, name: str) -> Iterator[Event]:
    try:
        stored = msgspec.json.decode(_filled(document), type=_Stored)
        results = [(msgspec.json.decode(raw, type=CaseResult), raw) for raw in stored.cases]
    except (msgspec.MsgspecError, RecursionError, AttributeError) as wrong:
        raise InputError("REPORT_INVALID", room="report", path=name, why=str(wrong)) from wrong
    yield _started(stored, run), b""
    for index, (result, raw) in enumerate(results):
        record = CaseFinished(run=run, index=index, elapsed_ms=result.elapsed_ms or 0.0, result=result)
        yield record, b'{"result":' + bytes(raw) + b"}"
    yield _finished(stored, run), b""


def _filled(document: dict[str, Any]) -> bytes:
    """Give every diagnostic the fields that reports of other tools may leave out."""
    for case in document.get("cases") or []:
        for holder in (case.get("operation") or {}, *(case.get("assertions") or [])):
            if isinstance(holder.get("diagnostic"), dict):
                holder["diagnostic"] = {"message": "", "hint": "", **holder["diagnostic"]}
    return dumps_line(document)


def _started(stored: _Stored, run: int) -> RunStarted:
    """Begin a run as the document tells of it; its suite file is not known, its id stands for it."""
    spec = stored.spec
    return RunStarted(
        run=run,
        source=stored.suite.id,
        suite=stored.suite,
        total=len(stored.cases),
        fingerprint=spec.fingerprint,
        approval=spec.approval,
        approved_fingerprint=spec.approved_fingerprint,
        approved_cases=spec.cases,
        server=ServerFacts(target=""),
    )


def _finished(stored: _Stored, run: int) -> RunFinished:
    return RunFinished(
        run=run,
        status=stored.status,
        stop_reason=stored.stop_reason,
        summary=stored.summary,
        determinism=stored.determinism,
        findings=stored.spec.findings,
    )
