"""An edge: where records come from: stdin or files, each a stream or stored RunnerReport documents.

Rule of this file: bytes in, the same events out whatever the form; stored reports become records again.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from mcpeak.command.failure import InputError
from mcpeak.command.stage import stdin_lines
from mcpeak.wire.json import JsonError, dumps_line, parse
from mcpeak.wire.reader import decode, read
from mcpeak.wire.records import AnyRecord, Unknown

_END = ("status", "stopReason", "summary", "determinism")
Event = tuple[AnyRecord | Unknown, bytes]


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
        lines = [dumps_line(record) for record in _told(document, run)]
        yield from [(decode(line), line) for line in lines]
    except (ValueError, LookupError, TypeError, AttributeError) as wrong:
        raise InputError("REPORT_INVALID", room="report", path=name, why=str(wrong)) from wrong


def _told(document: dict[str, Any], run: int) -> Iterator[dict[str, Any]]:
    """Tell a document as the records that it came from.

    Its suite file is not known, so the suite's id stands for it; it holds no server and mostly no times.
    """
    spec, cases = document["spec"], document["cases"]
    yield {
        "type": "runStarted",
        "run": run,
        "source": document["suite"]["id"],
        "suite": document["suite"],
        "total": len(cases),
        "fingerprint": spec["fingerprint"],
        "approval": spec["approval"],
        "approvedFingerprint": spec.get("approvedFingerprint"),
        "approvedCases": spec.get("cases"),
        "server": {"target": ""},
    }
    for index, case in enumerate(cases):
        elapsed = case.get("elapsedMs", 0.0)
        yield {
            "type": "caseFinished",
            "run": run,
            "index": index,
            "elapsedMs": elapsed,
            "result": _filled(case),
        }
    rest: dict[str, Any] = {key: document[key] for key in _END if key in document}
    yield {"type": "runFinished", "run": run, "findings": spec.get("findings"), **rest}


def _filled(case: dict[str, Any]) -> dict[str, Any]:
    """Give every diagnostic the fields that reports of other tools may leave out."""
    for holder in (case["operation"], *case["assertions"]):
        told = holder.get("diagnostic")
        if told is not None:
            told.setdefault("message", "")
            told.setdefault("hint", "")
    return case
