"""Every record of stream version 1, one Struct a type; `schemas/stream.schema.json` is generated from them.

Rule of this file: shapes only. Fields may be added; none is renamed or removed within version 1.
User JSON (suites, results, tools) stays `Raw`: the bytes as they came, parsed only by who needs the value.
"""

from typing import Any, Literal

from msgspec import UNSET, Raw, Struct, UnsetType

STREAM = 1

Approval = Literal["matched", "mismatched", "absent"]
Severity = Literal["info", "warning", "failure"]
CaseStatus = Literal["passed", "failed", "timedOut", "cancelled", "notRun"]
OperationStatus = Literal["completed", "failed", "timedOut", "cancelled", "notRun"]
AssertionStatus = Literal["passed", "failed", "skipped", "notRun"]
RunStatus = Literal["passed", "failed", "aborted"]
RejectionBasis = Literal["verified", "unverified", "notApplicable"]


class Part(Struct, rename="camel", omit_defaults=True, kw_only=True, gc=False):
    """A piece of a record; absent optional fields are left out of the JSON."""


class Record(Part, tag_field="type", gc=False):
    """One line of the stream."""


class Counts(Part, kw_only=True):
    """What a stage wrote since its `begin`; a reader that saw another number has a cut stream."""

    suites: int | None = None
    runs: int | None = None
    issues: int | None = None
    errors: int | None = None


class Begin(Record, tag="begin", kw_only=True):
    """A stage starts to write."""

    stage: str
    stream: int  # always written, though it is 1 today


class End(Record, tag="end", kw_only=True):
    """A stage has written everything; input that stops without it was cut."""

    stage: str
    counts: Counts


class SuiteRecord(Record, tag="suite", kw_only=True):
    """A valid suite, exactly as parsed. `positions`: path → [line, column], 1-based code points.

    Of a draft: `held_back`: ids of cases that are not to be run yet (their tool says it is destructive);
    `guesses`: id → fields whose values are only guessed, because nothing names a real one.
    """

    source: str
    suite: Raw
    fingerprint: str
    approval: Approval
    approved_fingerprint: str | None = None
    positions: dict[str, tuple[int, int]] | None = None
    held_back: list[str] | None = None
    guesses: dict[str, list[str]] | None = None


class FingerprintRecord(Record, tag="fingerprint", kw_only=True):
    """The digest of one suite and how it stands to the approved one (`mcpeak-fingerprint --json`)."""

    source: str
    fingerprint: str
    approval: Approval
    approved_fingerprint: str | None = None


class Issue(Record, tag="issue", kw_only=True):
    """One problem of a suite file (`mcpeak-validate`)."""

    source: str
    code: str
    path: str
    message: str
    hint: str
    line: int | None = None
    column: int | None = None


class ServerFacts(Part, kw_only=True):
    """Who answered. `target`: the command line or URL, secrets left out."""

    target: str
    name: str = ""
    version: str = ""
    protocol_version: str = ""
    era: str = ""


class ToolRecord(Record, tag="tool", kw_only=True):
    """One tool as the server advertises it, byte for byte."""

    server: ServerFacts
    tool: Raw


class SuiteName(Part, kw_only=True):
    """The suite's own words about itself."""

    id: str
    name: str
    default_timeout_ms: Raw | UnsetType = UNSET  # `Raw | None` would decode null alone


class Shard(Part, kw_only=True):
    """The run holds share `index` (1-based) of `of`."""

    index: int
    of: int


class ApprovedCase(Part, kw_only=True):
    """How a case was classified when the suite was approved."""

    id: str
    status: str


class RunStarted(Record, tag="runStarted", kw_only=True):
    """The server of one suite is ready; its cases follow. `reset`: the world was put back before it.

    `reached_by`: the end of a command line that reaches this server in the same way, where its target alone
    does not say how; ready for a shell, names of variables in it and no values.
    """

    run: int
    source: str
    suite: SuiteName
    total: int
    fingerprint: str
    approval: Approval
    approved_fingerprint: str | None = None
    approved_cases: list[ApprovedCase] | None = None
    server: ServerFacts
    shard: Shard | None = None
    repeat: int | None = None
    reset: bool | None = None
    reached_by: str | None = None


class CaseStarted(Record, tag="caseStarted", kw_only=True):
    """A case begins. `index` counts in the suite, from 0."""

    run: int
    index: int
    id: str
    name: str


class Violation(Part, kw_only=True):
    """One place where a value does not match its schema. `path` starts at `$`."""

    code: str
    path: str
    expected: Any = UNSET
    actual: Any = UNSET
    actual_chars: int | None = None
    observed_keys: list[str] | None = None
    observed_key_count: int | None = None


class Diagnostic(Part, kw_only=True):
    """Why something failed, for people and programs (DESIGN: RunnerReport)."""

    code: str
    message: str
    expected: Any = UNSET
    actual: Any = UNSET
    hint: str
    violations: list[Violation] | None = None
    total_violations: int | None = None
    notes: list[str] | None = None


class OperationResult(Part, kw_only=True):
    """What became of the call itself."""

    status: OperationStatus
    timeout_ms: int | UnsetType = UNSET
    diagnostic: Diagnostic | None = None


class AssertionResult(Part, kw_only=True):
    """What became of one assertion; `spec` is the assertion as written."""

    spec: Raw
    status: AssertionStatus
    diagnostic: Diagnostic | None = None


class CaseResult(Part, kw_only=True):
    """One entry of `RunnerReport.cases`; `spec` is the case as written, `operation.input` redacted.

    `elapsed_ms`: milliseconds, only in a RunnerReport and only with `--timings`.
    """

    spec: Raw
    status: CaseStatus
    operation: OperationResult
    assertions: list[AssertionResult]
    rejection_basis: RejectionBasis
    rejection_body: Any = UNSET
    elapsed_ms: float | None = None


class Payload(Part, kw_only=True):
    """Server JSON as shown in a record: redacted; over 64 KiB only the first part, as text.

    `size`: bytes of the whole, unredacted. Exactly one of `json` and `text` is there.
    """

    size: int
    json: Raw | UnsetType = UNSET
    text: str | None = None


class CaseFinished(Record, tag="caseFinished", kw_only=True):
    """A case has its verdict. `elapsed_ms`: milliseconds; `position`: [line, column] of the case."""

    run: int
    index: int
    elapsed_ms: float
    result: CaseResult
    position: tuple[int, int] | None = None
    assertion_positions: list[tuple[int, int]] | None = None
    answer: Payload | None = None
    answer_digest: str | None = None
    stderr: list[str] | None = None
    stderr_dropped: int | None = None
    repro: list[str] | None = None
    attempt: int | None = None
    flaky: bool | None = None


class StopReason(Part, kw_only=True):
    """Why later cases did not run."""

    type: Literal["timeout", "serverExited", "cancelled"]
    case_id: str | None = None


class Summary(Part, kw_only=True):
    """Counts of one suite, as in RunnerReport."""

    total: int
    passed: int
    failed: int
    timed_out: int
    cancelled: int
    not_run: int
    rejection_unverified: int


class ProcessEnd(Part, kw_only=True):
    """How the server ended. `stderr`: last lines, redacted; `dropped_lines`: how many older ones are gone.

    `ended_by`: the signal that we sent last (`SIGTERM`, `SIGKILL`), absent when the server ended by itself.
    """

    exit_code: int | None
    signal: str | None
    stderr: list[str]
    dropped_lines: int
    ended_by: str | None = None
    abnormal: bool = False


class Finding(Part, kw_only=True):
    """Where a case contradicts the tool's schema (`RunnerReport.spec.findings`).

    `detail`: what the sentence of this code needs (`tool`, `nearest`, `expected`, …); in the stream only.
    """

    code: str
    severity: str
    case_id: str
    path: str
    detail: dict[str, Any] | None = None


class Determinism(Part, kw_only=True):
    """The verdict of `mcpeak-compare` over repeated runs of one suite."""

    compared: int
    skipped: int
    differences: list[Any]
    conclusion: str


class RunFinished(Record, tag="runFinished", kw_only=True):
    """The server of one suite has ended and the suite has its verdict."""

    run: int
    status: RunStatus
    stop_reason: StopReason | None = None
    summary: Summary
    process: ProcessEnd | None = None
    determinism: Determinism | None = None
    findings: list[Finding] | None = None


class Notice(Record, tag="notice", kw_only=True):
    """Something worth knowing; `failure` turns the verdict red at the end of the pipe.

    `path`, `line`, `column`: where in the source, when the notice is about a suite's text.
    """

    severity: Severity
    source: str | None = None
    run: int | None = None
    case: str | None = None
    code: str
    message: str
    hint: str | None = None
    path: str | None = None
    line: int | None = None
    column: int | None = None


class Error(Record, tag="error", kw_only=True):
    """The work could not be done."""

    source: str | None = None
    stage: str
    code: str
    detail: str | None = None
    message: str
    hint: str
    process: ProcessEnd | None = None


class ReportSpec(Part, kw_only=True):
    """How the suite stands to its approval, and what its cases have against the tools' schemas.

    `cases`: the classification of each case when the suite was approved.
    """

    approval: Approval
    fingerprint: str
    findings: list[Finding]
    approved_fingerprint: str | None = None
    cases: list[ApprovedCase] | None = None


class RunnerReport(Part, kw_only=True):
    """What `mcpeak-report --json` writes: one document a suite, one a line (DESIGN: RunnerReport)."""

    schema_version: Literal[1]
    suite: SuiteName
    status: RunStatus
    stop_reason: StopReason | None = None
    cases: list[CaseResult]
    summary: Summary
    spec: ReportSpec
    determinism: Determinism | None = None


AnyRecord = (
    Begin
    | End
    | SuiteRecord
    | FingerprintRecord
    | Issue
    | ToolRecord
    | RunStarted
    | CaseStarted
    | CaseFinished
    | RunFinished
    | Notice
    | Error
)


class Unknown(Struct, gc=False):
    """A record of a type that this version does not know: filters pass its line on, byte for byte."""

    tag: str


COUNTED: dict[type, str] = {SuiteRecord: "suites", RunStarted: "runs", Issue: "issues", Error: "errors"}
"""The records that an `end` record counts, and under which name."""
