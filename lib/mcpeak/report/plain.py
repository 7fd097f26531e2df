"""A case's reasons as plain lines, for formats that carry text: JUnit, TAP, annotations.

Rule of this file: reasons in, uncleaned lines out; escaping is the business of the format that takes them.
"""

from collections.abc import Iterator

from mcpeak.messages import label
from mcpeak.report import findings, repeat
from mcpeak.report.reasons import Reason
from mcpeak.report.tally import Case, Suite


def block(suite: Suite, case: Case, found: list[Reason]) -> Iterator[str]:
    """Give everything that there is to say about a case that did not pass."""
    for reason in found:
        yield from _reason(reason)
    for words in findings.sentences(suite, case):
        yield f"  {label('report', 'cause')}: {words}"
    if case.id in suite.defects:
        yield f"  {label('report', 'cause')}: {label('report', 'known_defect')}"
    again = repeat.command(suite, case)
    if again:
        yield f"  {label('report', 'repeat')}: {again}"


def _reason(reason: Reason) -> Iterator[str]:
    check = f"{reason.check}: " if reason.check else ""
    yield f"{check}{reason.text} [{reason.code}]"
    for each in reason.differences:
        yield f"  {each.path}: {each.text}"
        yield from (f"    {line}" for line in each.lines)
    if reason.left_out:
        yield f"  {label('report', 'more', count=reason.left_out)}"
    for name, side in (("expected", reason.expected), ("actual", reason.actual)):
        if side is not None:
            yield f"  {label('report', name)}: {side}"
    yield from (f"    {line}" for line in reason.lines)
    if reason.notes:
        yield f"  {label('report', 'server')}:"
        yield from (f"    | {line}" for line in reason.notes)
    yield f"  {label('report', 'place')}: {reason.place}"
    if reason.hint:
        yield f"  {label('report', 'remedy')}: {reason.hint}"


def stop_words(suite: Suite) -> list[str]:
    """Say why later cases of a suite did not run, if so."""
    stop = suite.stop_reason
    if stop is None:
        return []
    name = f"stop_{stop.type}" if stop.case_id or stop.type == "cancelled" else "stop_other"
    return [label("report", name, case=stop.case_id or "")]
