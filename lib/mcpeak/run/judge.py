"""From an outcome to a case's verdict: statuses, diagnostics, what is shown of the answer. Pure.

The path of a passing isError case is kept short: nothing is parsed that no assertion asks for.
"""

from hashlib import sha256
from typing import NamedTuple

from msgspec import UNSET, Raw

from mcpeak.command.redact import Redactor, encode
from mcpeak.link.client import Died, Failed, Halt, Outcome, TooLong
from mcpeak.protocol.events import Answer, RpcError, Unreadable
from mcpeak.run import failures
from mcpeak.run.answers import (
    Fault,
    ToolResult,
    bounded,
    complaint_in,
    payload,
    read_result,
    texts_of,
    value_of,
)
from mcpeak.run.assertions import Judged, Listed, check
from mcpeak.run.cases import Assertion, Case, read_assertions
from mcpeak.run.words import diagnostic, rpc_diagnostic, rpc_value
from mcpeak.suite.rejection import NOT_APPLICABLE, Rejection, rejection
from mcpeak.wire.json import parse
from mcpeak.wire.records import (
    AssertionResult,
    CaseResult,
    CaseStatus,
    Diagnostic,
    OperationResult,
    Payload,
)


class Verdict(NamedTuple):
    """A case's result, and what is shown of its answer. `structured`: the result's structuredContent, raw."""

    result: CaseResult
    answer: Payload | None = None
    digest: str | None = None
    structured: Raw | None = None
    success: bool = False  # a result without isError
    complaint: str | None = None  # the beginning of a success that reads like an error
    refused: RpcError | None = None  # a protocol error that counted as the expected rejection


class Judge:
    """Judges the cases of one suite. `canned`: the server may have had answers of ours (`--answers`)."""

    def __init__(self, redactor: Redactor, *, canned: bool = False) -> None:
        self._redactor = redactor
        self._canned = canned

    def spec(self, case: Case, raw: Raw) -> Raw:
        """Give the case as written, its input redacted; its bytes stay where nothing is secret."""
        if not self._redactor.suspects(case.operation.input):
            return raw
        value = parse(bytes(raw))
        value["operation"]["input"] = self._redactor.value(value["operation"]["input"])
        return Raw(encode(value))

    def not_run(self, case: Case, raw: Raw, status: CaseStatus = "notRun") -> CaseResult:
        """Give the result of a case that had no turn: `notRun`, or `cancelled` after an interrupt."""
        operation = OperationResult(status="notRun")
        if status == "cancelled":
            operation = OperationResult(status="cancelled", diagnostic=diagnostic("RUN_CANCELLED"))
        return CaseResult(
            spec=self.spec(case, raw),
            status=status,
            operation=operation,
            assertions=[AssertionResult(spec=part, status="notRun") for part in case.assertions],
            rejection_basis="notApplicable",
        )

    def case(
        self, case: Case, raw: Raw, outcome: "Outcome | Listed | Fault", limit_ms: int, last: str = ""
    ) -> Verdict:
        """Judge a case by what became of its request. `last`: the server's last word, should it have died."""
        if isinstance(outcome, Answer):
            return self._answered(case, raw, outcome, limit_ms)
        if isinstance(outcome, Listed):
            result = self._completed(case, raw, Judged(tools=outcome.names), limit_ms)
            return self._shown(result, outcome.raw)
        return Verdict(self._without_answer(case, raw, outcome, limit_ms, last))

    def _answered(self, case: Case, raw: Raw, answer: Answer, limit_ms: int) -> Verdict:
        if answer.error is not None:
            return self._refused(case, raw, answer.error, limit_ms)
        assert answer.result is not None  # noqa: S101 - an answer without an error has a result
        if answer.problem is not None:
            wrong = diagnostic(
                "OPERATION_FAILED", room="protocol", word=answer.problem.code, **answer.problem.values
            )
            return self._shown(self._failed(case, raw, wrong, limit_ms), answer.result)
        seen = read_result(answer.result)
        if isinstance(seen, Fault):
            return self._shown(self._failed(case, raw, failures.fault(seen), limit_ms), answer.result)
        result = self._completed(case, raw, Judged(result=seen), limit_ms)
        success = bytes(seen.is_error) != b"true"
        structured = seen.structured_content if success and len(seen.structured_content) else None
        verdict = self._shown(result, answer.result, structured, success=success)
        complaint = complaint_in(seen.content) if success else None
        return verdict if complaint is None else verdict._replace(complaint=complaint)

    def _completed(self, case: Case, raw: Raw, judged: Judged, limit_ms: int) -> CaseResult:
        """Check every assertion against an answer that can be judged."""
        expected = list(read_assertions(case))
        results = []
        passed = True
        for part, assertion in zip(case.assertions, expected, strict=True):
            wrong = check(assertion, judged, self._redactor)
            passed = passed and wrong is None
            results.append(
                AssertionResult(spec=part, status="passed" if wrong is None else "failed", diagnostic=wrong)
            )
        if not passed:
            self._quote(results, judged)
        rejected = _rejection(expected, judged.result)
        return CaseResult(
            spec=self.spec(case, raw),
            status="passed" if passed else "failed",
            operation=OperationResult(status="completed", timeout_ms=limit_ms),
            assertions=results,
            rejection_basis=rejected.basis,
            rejection_body=UNSET if rejected.body is None else bounded(self._redactor.text(rejected.body)),
        )

    def _quote(self, results: list[AssertionResult], judged: Judged) -> None:
        """Put the server's own words under the failure that they explain: that of isError first."""
        result = judged.result
        failed = [part.diagnostic for part in results if part.diagnostic is not None]
        first = next((wrong for wrong in failed if wrong.code == "IS_ERROR_MISMATCH"), failed[0])
        if result is None or (first.code != "IS_ERROR_MISMATCH" and bytes(result.is_error) != b"true"):
            return
        content = value_of(result.content) if len(result.content) else []
        first.notes = failures.lines(texts_of(content), self._redactor) or None

    def _refused(self, case: Case, raw: Raw, error: RpcError, limit_ms: int) -> Verdict:
        """Judge a JSON-RPC error: a failure, or the rejection that the case asks for (CONTRACT §4)."""
        expected = list(read_assertions(case))
        wanted = [assertion.expected for assertion in expected if assertion.type == "isError"]
        known = rejection(any(wanted), None, {"code": error.code, "message": error.message})
        if wanted and all(wanted):
            result = self._completed(case, raw, Judged(error=error), limit_ms)
            result.rejection_basis = known.basis
            return self._shown_error(result, error)._replace(refused=error)
        result = self._failed(case, raw, rpc_diagnostic(error, self._redactor, canned=self._canned), limit_ms)
        result.rejection_basis = known.basis
        return self._shown_error(result, error)

    def _without_answer(
        self,
        case: Case,
        raw: Raw,
        outcome: Unreadable | TooLong | Failed | Died | Halt | Fault,
        limit_ms: int,
        last: str,
    ) -> CaseResult:
        if outcome is Halt.TIMED_OUT:
            return self._skipped(case, raw, "timedOut", failures.timeout(limit_ms), limit_ms)
        if outcome is Halt.INTERRUPTED:
            return self._skipped(case, raw, "cancelled", diagnostic("RUN_CANCELLED"), limit_ms)
        return self._failed(case, raw, failures.why(outcome, last, self._redactor), limit_ms)

    def _failed(self, case: Case, raw: Raw, wrong: Diagnostic, limit_ms: int) -> CaseResult:
        return self._skipped(case, raw, "failed", wrong, limit_ms)

    def _skipped(
        self, case: Case, raw: Raw, status: CaseStatus, wrong: Diagnostic, limit_ms: int
    ) -> CaseResult:
        """Give the result of a case without an answer to judge."""
        without = diagnostic("OPERATION_RESULT_UNAVAILABLE")
        return CaseResult(
            spec=self.spec(case, raw),
            status=status,
            operation=OperationResult(status=status, timeout_ms=limit_ms, diagnostic=wrong),  # type: ignore[arg-type]  # failed, timedOut and cancelled are statuses of both
            assertions=[
                AssertionResult(spec=part, status="skipped", diagnostic=without) for part in case.assertions
            ],
            rejection_basis="notApplicable",
        )

    def _shown(
        self, result: CaseResult, answer: Raw, structured: Raw | None = None, *, success: bool = False
    ) -> Verdict:
        shown = payload(answer, self._redactor.raw(answer))
        return Verdict(result, shown, sha256(answer).hexdigest(), structured, success)

    def _shown_error(self, result: CaseResult, error: RpcError) -> Verdict:
        shown = Raw(encode({"error": rpc_value(error, self._redactor)}))
        whole = encode([error.code, error.message]) + bytes(error.data)
        return Verdict(result, payload(shown, shown), sha256(whole).hexdigest())


def _rejection(expected: list[Assertion], result: ToolResult | None) -> Rejection:
    """Tell how sure it is that an expected error is a refusal of the input; free where none is expected."""
    if result is None or not any(part.type == "isError" and part.expected for part in expected):
        return NOT_APPLICABLE
    content = value_of(result.content) if len(result.content) else []
    return rejection(True, {"content": content, "isError": bytes(result.is_error) == b"true"}, None)
