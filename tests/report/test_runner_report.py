"""The report for programs keeps its shape (DESIGN: RunnerReport)."""

import json
from typing import Any

import msgspec

from mcpeak.report.runner_report import document
from mcpeak.wire.records import ApprovedCase, Determinism, Finding, RunnerReport, StopReason
from support.streams import FINGERPRINT, case, finished, fold, started


def text(*records: object, timings: bool = False) -> bytes:
    return b"".join(document(fold(*records, keep_raw=True).suites[0], timings=timings))


def report(*records: object, timings: bool = False) -> dict[str, Any]:
    return json.loads(text(*records, timings=timings))


def test_keys_come_in_the_order_that_consumers_know() -> None:
    stop = StopReason(type="timeout", case_id="a")
    told = Determinism(compared=1, skipped=0, differences=[], conclusion="deterministic")
    whole = report(started(1), *case(0, "a", "timedOut"), finished("timedOut", stop=stop, determinism=told))
    assert list(whole) == [
        "schemaVersion",
        "suite",
        "status",
        "stopReason",
        "cases",
        "summary",
        "spec",
        "determinism",
    ]
    assert list(whole["cases"][0]) == ["spec", "status", "operation", "assertions", "rejectionBasis"]


def test_what_is_not_there_is_left_out() -> None:
    assert list(report(started(1), *case(0, "a"), finished("passed"))) == [
        "schemaVersion",
        "suite",
        "status",
        "cases",
        "summary",
        "spec",
    ]


def test_it_is_one_line() -> None:
    assert text(started(1), *case(0, "a"), finished("passed")).count(b"\n") == 1


def test_a_result_passes_through_byte_for_byte() -> None:
    from mcpeak.report.fold import Fold
    from mcpeak.wire.writer import encode

    record = case(0, "a")[1]
    line = encode(record).replace(
        b'"rejectionBasis":"notApplicable"', b'"soon" : [1.0, 1e2],"rejectionBasis":"notApplicable"'
    )
    growing = Fold(keep_raw=True)
    growing.see(started(1), b"")
    growing.see(record, line)
    assert b'"soon" : [1.0, 1e2]' in b"".join(document(growing.tally.suites[0], timings=False))


def test_a_lone_surrogate_and_a_deep_value_survive() -> None:
    from mcpeak.report.fold import raw_result

    assert bytes(raw_result(b'{"result":{"a":"\\ud800"}}')) == b'{"a":"\\ud800"}'
    deep = b"[" * 3000 + b"]" * 3000
    assert bytes(raw_result(b'{"result":' + deep + b"}")) == deep


def test_spec_is_always_there() -> None:
    spec = report(started(1), *case(0, "a"), finished("passed"))["spec"]
    assert spec == {"approval": "absent", "fingerprint": FINGERPRINT, "findings": []}


def test_spec_tells_what_was_approved() -> None:
    approved = {
        "approval": "matched",
        "approved_fingerprint": FINGERPRINT,
        "approved_cases": [ApprovedCase(id="a", status="passed")],
    }
    spec = report(started(1, **approved), *case(0, "a"), finished("passed"))["spec"]
    assert list(spec) == ["approval", "fingerprint", "findings", "approvedFingerprint", "cases"]
    assert spec["cases"] == [{"id": "a", "status": "passed"}]


def test_a_finding_has_exactly_the_keys_that_consumers_know() -> None:
    found = Finding(
        code="TOOL_NOT_DECLARED",
        severity="blocking",
        case_id="a",
        path="operation.tool",
        detail={"tool": "x"},
    )
    spec = report(started(1), *case(0, "a", "failed"), finished("failed", findings=[found]))["spec"]
    assert spec["findings"] == [
        {"code": "TOOL_NOT_DECLARED", "severity": "blocking", "caseId": "a", "path": "operation.tool"}
    ]


def test_times_come_only_when_asked_for() -> None:
    records = [started(1), *case(0, "a"), finished("passed")]
    assert b"lapsed" not in text(*records)
    assert report(*records, timings=True)["cases"][0]["elapsedMs"] == 12.345


def test_it_is_what_the_struct_says() -> None:
    msgspec.json.decode(text(started(1), *case(0, "a"), finished("passed"), timings=True), type=RunnerReport)
