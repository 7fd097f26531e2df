"""Causes that lie in the suite itself: what the run found against the tools' schemas.

Rule of this file: pure; it finds the words, `mcpeak.suite.findings` found the facts.
"""

from mcpeak.messages import label, say
from mcpeak.report.tally import Case, Suite
from mcpeak.wire.records import Finding

SILENT = frozenset({"SCHEMA_NOT_ANALYZABLE"})  # says only that nothing could be said


def sentences(suite: Suite, case: Case) -> list[str]:
    """Say in words what a case has against its tool's schema; nothing for findings that explain nothing."""
    found = suite.findings.get(case.id, ())
    return [sentence(each) for each in found if each.code not in SILENT and _explains(each, case)]


def _explains(finding: Finding, case: Case) -> bool:
    """Tell whether a finding can be the cause: a tool that worked on the call is there, declared or not."""
    if finding.code != "TOOL_NOT_DECLARED" or case.finished is None:
        return True
    result = case.finished.result
    all_told = [result.operation.diagnostic, *(each.diagnostic for each in result.assertions)]
    told = [each for each in all_told if each is not None]
    refused = [each for each in told if each.code == "IS_ERROR_MISMATCH" and each.actual is True]
    return bool(refused) or any(each.code == "OPERATION_FAILED" for each in told) or not told


def sentence(finding: Finding) -> str:
    """Say one finding: what is wrong, at which place of the case, and what to do."""
    values = finding.detail or {}
    try:
        words = say("report", finding.code, path=finding.path, **values)
    except KeyError:  # a code of a newer version, or a finding that came without its detail
        return label("report", "finding", code=finding.code, path=finding.path)
    nearest = values.get("nearest")
    hint = label("report", "did_you_mean", nearest=nearest) if nearest else words.hint
    return f"{words.message} {hint}".strip()
