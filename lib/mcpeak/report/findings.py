"""Causes that lie in the suite itself: what the run found against the tools' schemas.

Rule of this file: pure; it finds the words, `mcpeak.suite.findings` found the facts.
"""

from mcpeak.messages import label, say
from mcpeak.report.tally import Suite
from mcpeak.wire.records import Finding

SILENT = frozenset({"SCHEMA_NOT_ANALYZABLE"})  # says only that nothing could be said


def sentences(suite: Suite, case_id: str) -> list[str]:
    """Say in words what a case has against its tool's schema; nothing for findings that explain nothing."""
    return [sentence(each) for each in suite.findings.get(case_id, ()) if each.code not in SILENT]


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
