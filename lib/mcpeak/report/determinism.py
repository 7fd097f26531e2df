"""What repeated runs of a suite said together, in words (`runFinished.determinism`, from mcpeak-compare).

Rule of this file: pure; the verdict is mcpeak-compare's, only the words are found here.
"""

from typing import Any

from mcpeak.messages import label
from mcpeak.report.reasons import sized
from mcpeak.wire.records import Determinism

MOST = 10  # differences that are shown


def words(told: Determinism) -> str:
    """Say the conclusion."""
    try:
        return label("report", f"determinism_{told.conclusion}", compared=told.compared, skipped=told.skipped)
    except KeyError:  # a conclusion of a newer version
        return label("report", "determinism_other", conclusion=told.conclusion)


def differences(told: Determinism) -> list[str]:
    """Give the places where the runs differ, with both values; uncleaned."""
    lines = [_line(each) for each in told.differences[:MOST] if isinstance(each, dict)]
    rest = len(told.differences) - len(lines)
    return [*lines, label("report", "more", count=rest)] if rest else lines


def _line(each: dict[str, Any]) -> str:
    place = each.get("path") or each.get("what", "")
    if "first" not in each:
        return f"{each.get('caseId', '')}  {place}: {label('report', 'determinism_hidden')}"
    return f"{each.get('caseId', '')}  {place}: {sized(each['first'])} → {sized(each.get('second'))}"
