"""The report for programs (`--json`): one RunnerReport document a suite, one a line (DESIGN: RunnerReport).

Rule of this file: tally in, bytes out; the results of the cases pass through as the run wrote them.
"""

from collections.abc import Iterator

from mcpeak.report.tally import Case, Suite
from mcpeak.wire.records import Finding, ReportSpec
from mcpeak.wire.writer import encode


def document(suite: Suite, *, timings: bool) -> Iterator[bytes]:
    """Yield the pieces of one document and its newline, keys in the order that consumers know."""
    yield b'{"schemaVersion":1,"suite":' + encode(suite.started.suite)
    yield b',"status":' + encode(suite.status)
    if suite.stop_reason is not None:
        yield b',"stopReason":' + encode(suite.stop_reason)
    yield b',"cases":['
    for number, case in enumerate(suite.cases):
        yield (b"," if number else b"") + _case(case, timings)
    yield b'],"summary":' + encode(suite.summary)
    yield b',"spec":' + encode(_spec(suite))
    if suite.determinism is not None:
        yield b',"determinism":' + encode(suite.determinism)
    yield b"}\n"


def _case(case: Case, timings: bool) -> bytes:
    raw = bytes(case.raw or b"{}")
    if not timings or case.status == "notRun":
        return raw
    return raw[:-1] + b',"elapsedMs":%.3f}' % case.elapsed_ms


def _spec(suite: Suite) -> ReportSpec:
    started = suite.started
    found = [each for findings in suite.findings.values() for each in findings]
    return ReportSpec(
        approval=started.approval,
        fingerprint=started.fingerprint,
        findings=[Finding(code=f.code, severity=f.severity, case_id=f.case_id, path=f.path) for f in found],
        approved_fingerprint=started.approved_fingerprint,
        cases=started.approved_cases,
    )
