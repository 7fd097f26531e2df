"""Hand-made streams: what the stages before would write, record by record."""

from typing import Any

from msgspec import UNSET, Raw

from mcpeak.report.fold import Fold
from mcpeak.report.tally import Tally
from mcpeak.wire.json import dumps_line
from mcpeak.wire.records import (
    AssertionResult,
    Begin,
    CaseFinished,
    CaseResult,
    CaseStarted,
    Counts,
    Diagnostic,
    End,
    OperationResult,
    ProcessEnd,
    RunFinished,
    RunStarted,
    ServerFacts,
    StopReason,
    SuiteName,
    SuiteRecord,
    Summary,
    Unknown,
    Violation,
)
from mcpeak.wire.writer import encode

FINGERPRINT = "ab" * 32


def lines(*records: object, stage: str = "run") -> bytes:
    """A whole stream: begin, the records, end."""
    framed = [Begin(stage=stage, stream=1), *records, End(stage=stage, counts=Counts())]
    return b"".join(encode(record) + b"\n" for record in framed)


def raw(value: Any) -> Raw:
    return Raw(dumps_line(value))


def started(
    total: int, *, name: str = "Weather server", source: str = "weather.suite.json", **fields: Any
) -> RunStarted:
    fields = {
        "run": 0,
        "suite": SuiteName(id="weather", name=name),
        "fingerprint": FINGERPRINT,
        "approval": "absent",
        "server": ServerFacts(
            target="node server.mjs", name="srv", version="1", protocol_version="2025-11-25", era="initialize"
        ),
    } | fields
    return RunStarted(source=source, total=total, **fields)


def diagnostic(
    code: str, *, message: str = "what differs", hint: str = "what to do", **fields: Any
) -> Diagnostic:
    return Diagnostic(code=code, message=message, hint=hint, **fields)


def is_error(expected: bool, actual: bool, *notes: str) -> AssertionResult:
    told = diagnostic(
        "IS_ERROR_MISMATCH",
        message="the tool answered with an error, but the case expects success",
        hint="Mend the tool for this input, or expect isError true.",
        expected=expected,
        actual=actual,
        notes=list(notes) or None,
    )
    return AssertionResult(
        spec=raw({"type": "isError", "expected": expected}),
        status="passed" if expected == actual else "failed",
        diagnostic=None if expected == actual else told,
    )


def body(*violations: Violation, total: int | None = None) -> AssertionResult:
    told = diagnostic(
        "BODY_SCHEMA_MISMATCH",
        message="the answer does not match the schema",
        hint="Compare the answer with the schema.",
        violations=list(violations),
        total_violations=len(violations) if total is None else total,
    )
    return AssertionResult(
        spec=raw({"type": "bodyMatchesSchema", "schema": {"type": "object"}}),
        status="failed",
        diagnostic=told,
    )


def skipped() -> AssertionResult:
    return AssertionResult(
        spec=raw({"type": "isError", "expected": False}),
        status="skipped",
        diagnostic=diagnostic("OPERATION_RESULT_UNAVAILABLE"),
    )


def written(*ids: str, source: str = "weather.suite.json") -> SuiteRecord:
    """The suite record that a run forwards; it tells the ids before the cases come."""
    suite = {"id": "weather", "cases": [{"id": key, "name": f"case {key}"} for key in ids]}
    return SuiteRecord(source=source, suite=raw(suite), fingerprint=FINGERPRINT, approval="absent")


def case(
    index: int,
    key: str,
    status: str = "passed",
    *,
    name: str | None = None,
    operation: OperationResult | None = None,
    assertions: list[AssertionResult] | None = None,
    run: int = 0,
    **fields: Any,
) -> list[object]:
    """A case that starts and finishes."""
    name = f"case {key}" if name is None else name
    spec = {
        "id": key,
        "name": name,
        "operation": {"type": "callTool", "tool": "get_weather", "input": {"city": "서울"}},
        "assertions": [{"type": "isError", "expected": False}],
    }
    result = CaseResult(
        spec=raw(spec),
        status=status,
        operation=operation
        or OperationResult(
            status="completed" if status in ("passed", "failed") else status, timeout_ms=10000
        ),
        assertions=[is_error(False, status == "failed")] if assertions is None else assertions,
        rejection_basis="notApplicable",
    )
    fields = {"elapsed_ms": 12.345, "position": (6 + index * 8, 5)} | fields
    return [
        CaseStarted(run=run, index=index, id=key, name=name),
        CaseFinished(run=run, index=index, result=result, **fields),
    ]


def finished(
    *statuses: str, status: str | None = None, run: int = 0, stop: StopReason | None = None, **fields: Any
) -> RunFinished:
    """The end of a run whose cases had these verdicts."""
    counts = {name: statuses.count(name) for name in ("passed", "failed", "timedOut", "cancelled", "notRun")}
    good = counts["passed"] == len(statuses)
    summary = Summary(
        total=len(statuses),
        passed=counts["passed"],
        failed=counts["failed"],
        timed_out=counts["timedOut"],
        cancelled=counts["cancelled"],
        not_run=counts["notRun"],
        rejection_unverified=0,
    )
    return RunFinished(
        run=run,
        status=status or ("passed" if good else "failed"),
        stop_reason=stop,
        summary=summary,
        **fields,
    )


def ended(
    code: int | None = 0, signal: str | None = None, stderr: list[str] | None = None, **fields: Any
) -> ProcessEnd:
    return ProcessEnd(
        exit_code=code, signal=signal, stderr=stderr or [], dropped_lines=fields.pop("dropped", 0), **fields
    )


def violation(code: str, path: str, expected: Any = UNSET, actual: Any = UNSET, **fields: Any) -> Violation:
    return Violation(code=code, path=path, expected=expected, actual=actual, **fields)


def fold(*records: object, **how: bool) -> Tally:
    """The tally of these records, closed."""
    growing = Fold(**how)
    for record in records:
        growing.see(record, b"" if isinstance(record, Unknown) else encode(record))
    tally = growing.close()
    tally.troubles += growing.afterthoughts()
    return tally
