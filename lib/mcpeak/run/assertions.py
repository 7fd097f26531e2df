"""One assertion against one answer. Pure; None means that it holds."""

from typing import NamedTuple

from msgspec import UNSET, Raw, Struct

from mcpeak.command.redact import REDACTED, Redactor, is_secret_name
from mcpeak.protocol.events import RpcError
from mcpeak.run.answers import Fault, ToolResult, bounded, value_of
from mcpeak.run.cases import Assertion
from mcpeak.run.words import diagnostic
from mcpeak.suite.body import BodyProblem, body_of
from mcpeak.suite.matcher import match
from mcpeak.wire.json import parse
from mcpeak.wire.records import Diagnostic, Violation

SHOWN_TOOLS = 20
_IN_ONE_PLACE = {
    "BODY_SCHEMA_MISMATCH": "BODY_SCHEMA_MISMATCH_ONE",
    "STRUCTURED_CONTENT_SCHEMA_MISMATCH": "STRUCTURED_CONTENT_SCHEMA_MISMATCH_ONE",
}


class Listed(NamedTuple):
    """A tools/list read to its end: names in the server's order, each tool raw, all of it as one answer."""

    names: list[str]
    tools: list[Raw]
    raw: Raw


class Judged(Struct, gc=False):
    """An answer that can be judged: a result, an error that counts as a rejection, or a list of names."""

    result: ToolResult | None = None
    error: RpcError | None = None
    tools: list[str] | None = None


def check(assertion: Assertion, judged: Judged, redactor: Redactor) -> Diagnostic | None:
    """Say why an assertion does not hold, or None."""
    if assertion.type == "isError":
        return _is_error(assertion.expected, judged)
    if assertion.type == "toolExists":
        return _tool_exists(assertion.tool, judged.tools or [])
    if assertion.type == "bodyMatchesSchema":
        return _body(assertion.schema, judged, redactor)
    return _structured(assertion.schema, judged, redactor)


def _refused(judged: Judged) -> bool:
    return judged.error is not None or (
        judged.result is not None and bytes(judged.result.is_error) == b"true"
    )


def _is_error(expected: bool, judged: Judged) -> Diagnostic | None:
    actual = _refused(judged)
    if actual is expected:
        return None
    word = "IS_ERROR_MISMATCH_ACCEPTED" if expected else "IS_ERROR_MISMATCH"
    return diagnostic("IS_ERROR_MISMATCH", word=word, expected=expected, actual=actual)


def _tool_exists(tool: str, names: list[str]) -> Diagnostic | None:
    if tool in names:
        return None
    from mcpeak.suite.nearest import nearest

    near = nearest(tool, names)
    word = "TOOL_NOT_FOUND_NEAR" if near else "TOOL_NOT_FOUND" if names else "TOOL_NOT_FOUND_NONE"
    return diagnostic(
        "TOOL_NOT_FOUND",
        word=word,
        expected=tool,
        actual=names[:SHOWN_TOOLS],
        tool=tool,
        near=near,
        names=", ".join(names[:SHOWN_TOOLS]),
        count=len(names),
    )


def _body(schema: Raw, judged: Judged, redactor: Redactor) -> Diagnostic | None:
    if judged.result is None:
        return diagnostic("BODY_EXTRACTION_FAILED", word="BODY_EXTRACTION_FAILED_ERROR", actual=0)
    content = value_of(judged.result.content) if len(judged.result.content) else []
    if isinstance(content, Fault):
        return diagnostic("BODY_EXTRACTION_FAILED", word=content.word, **content.values)
    body = body_of(content)
    if isinstance(body, BodyProblem):
        word = f"BODY_{body.code}" if body.actual != 0 else "BODY_CONTENT_EMPTY"
        return diagnostic("BODY_EXTRACTION_FAILED", word=word, actual=body.actual, found=body.actual)
    return _matched(schema, body.value, "BODY_SCHEMA_MISMATCH", redactor)


def _structured(schema: Raw, judged: Judged, redactor: Redactor) -> Diagnostic | None:
    if judged.result is None or not len(judged.result.structured_content):
        word = "STRUCTURED_CONTENT_MISSING_ERROR" if _refused(judged) else None
        return diagnostic("STRUCTURED_CONTENT_MISSING", word=word)
    value = value_of(judged.result.structured_content)
    if isinstance(value, Fault):
        return diagnostic("STRUCTURED_CONTENT_SCHEMA_MISMATCH", word=value.word, **value.values)
    return _matched(schema, value, "STRUCTURED_CONTENT_SCHEMA_MISMATCH", redactor)


def _matched(schema: Raw, value: object, code: str, redactor: Redactor) -> Diagnostic | None:
    found = match(parse(bytes(schema)), value)
    if not found.total:
        return None
    violations = [_shown(violation, redactor) for violation in found.violations]
    return diagnostic(
        code,
        word=_IN_ONE_PLACE[code] if found.total == 1 else code,
        violations=violations,
        total=found.total,
        count=found.total,
        first=violations[0].path,
    )


def _shown(violation: Violation, redactor: Redactor) -> Violation:
    """Make a violation fit for a report: a missing key in its path, secrets out of what was found."""
    if violation.code == "REQUIRED_MISSING":
        violation.path = f"{violation.path}.{violation.expected}"
    elif violation.actual is not UNSET and violation.actual is not None:
        secret = any(is_secret_name(step) for step in violation.path.replace("[", ".").split("."))
        violation.actual = REDACTED if secret else bounded(redactor.value(violation.actual))
    if violation.observed_keys:
        violation.observed_keys = [redactor.known(key) for key in violation.observed_keys]
    return violation
