"""The report for TAP harnesses (`--tap`): TAP 14 (https://testanything.org/tap-version-14-specification.html).

Rule of this file: tally in, lines out. One flat list over all suites: readers of older versions count right.
"""

from collections.abc import Iterator

from mcpeak.messages import label
from mcpeak.report.flags import Flag, flags
from mcpeak.report.plain import block, stop_words
from mcpeak.report.reasons import reasons
from mcpeak.report.tally import Case, Suite, Tally
from mcpeak.report.values import compact
from mcpeak.report.width import clean_text, one_line

NAME = 200  # code points of a description
LINE = 1000  # code points of a line of diagnostics
LINES = 200  # lines of diagnostics


def document(tally: Tally, *, timings: bool) -> Iterator[str]:
    """Yield the lines of the document."""
    raised = flags(tally)
    yield "TAP version 14"
    yield f"1..{sum(len(suite.cases) for suite in tally.suites) + len(raised)}"
    number = 0
    for suite in tally.suites:
        yield f"# {one_line(suite.name, NAME)}"
        for case in suite.cases:
            number += 1
            yield from _case(suite, case, number, timings)
        yield from (f"# {clean_text(words)}" for words in stop_words(suite))
    for flag in raised:
        number += 1
        yield f"not ok {number} - {_text(flag.place)}"
        yield from _yaml(flag.message, flag.code, flag.place, list(_flag(flag)), None)


def _case(suite: Suite, case: Case, number: int, timings: bool) -> Iterator[str]:
    title = f"{_text(case.id)}: {_text(case.name)}"
    if case.status == "notRun":
        yield f"ok {number} - {title} # SKIP {label('report', 'not_run')}"
        return
    yield f"{'ok' if case.status == 'passed' else 'not ok'} {number} - {title}"
    elapsed = case.elapsed_ms if timings else None
    if case.status != "passed":
        yield from _failure(suite, case, elapsed)
    elif elapsed is not None:
        yield from ("  ---", f"  duration_ms: {elapsed:.3f}", "  ...")


def _failure(suite: Suite, case: Case, elapsed: float | None) -> Iterator[str]:
    found = [] if case.finished is None else reasons(suite.source, case.finished)
    message = found[0].text if found else case.status
    code = found[0].code if found else case.status
    place = found[0].place if found else suite.source
    yield from _yaml(message, code, place, list(block(suite, case, found)), elapsed)


def _yaml(message: str, code: str, place: str, lines: list[str], elapsed: float | None) -> Iterator[str]:
    """Yield a YAML block whose scalars are JSON strings, which every YAML reader takes as they are."""
    yield "  ---"
    yield f"  message: {_scalar(message)}"
    yield f"  code: {_scalar(code)}"
    yield f"  at: {_scalar(place)}"
    if elapsed is not None:
        yield f"  duration_ms: {elapsed:.3f}"
    yield "  details:"
    yield from (f"    - {_scalar(line)}" for line in lines[:LINES])
    yield "  ..."


def _flag(flag: Flag) -> Iterator[str]:
    yield flag.message
    if flag.hint:
        yield from flag.hint.splitlines()
    yield from (f"| {line}" for line in flag.lines)


def _scalar(text: str) -> str:
    return compact(one_line(text, LINE))


def _text(text: str) -> str:
    """Escape what has a meaning in a description: `#` begins a directive, a backslash an escape."""
    return one_line(text, NAME).replace("\\", "\\\\").replace("#", "\\#")
