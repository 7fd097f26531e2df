"""What makes a report red beside its cases: troubles of the stream and notices of severity `failure`.

Rule of this file: pure; every format must show each flag, or it would look green where the verdict is red.
"""

from collections.abc import Iterator

from msgspec import Struct

from mcpeak.messages import label
from mcpeak.report.tally import Suite, Tally
from mcpeak.wire.records import Error, Issue, Notice


class Flag(Struct, gc=False):
    """One reason for red. `source`: the file that it concerns, or `mcpeak`; `lines`: the server's stderr.

    Texts are uncleaned. `position`: line and column in the source.
    """

    source: str
    code: str
    message: str
    hint: str
    position: tuple[int, int] | None = None
    lines: list[str] = []

    @property
    def place(self) -> str:
        """Give the source, with line and column where they are known."""
        return (
            self.source if self.position is None else f"{self.source}:{self.position[0]}:{self.position[1]}"
        )


def flags(tally: Tally) -> list[Flag]:
    """Give every reason for red that is no case, in the order in which it came."""
    found = [_of_trouble(trouble) for trouble in tally.troubles]
    for suite in tally.suites:
        found += _of_suite(suite)
    found += [_of_notice(notice, "mcpeak") for notice in tally.notices if notice.severity == "failure"]
    return found


def _of_suite(suite: Suite) -> Iterator[Flag]:
    failures = [notice for notice in suite.notices if notice.severity == "failure"]
    yield from (_of_notice(notice, suite.source) for notice in failures)
    unexplained = suite.lost is None and not failures and all(case.status == "passed" for case in suite.cases)
    if suite.status != "passed" and unexplained:
        yield Flag(suite.source, "RUN_FAILED", label("report", "run_failed"), "")


def _of_trouble(trouble: Issue | Error) -> Flag:
    source = trouble.source or "mcpeak"
    if isinstance(trouble, Issue):
        position = None if trouble.line is None else (trouble.line, trouble.column or 1)
        return Flag(source, trouble.code, f"{trouble.path}: {trouble.message}", trouble.hint, position)
    code = trouble.code if trouble.detail is None else f"{trouble.code}/{trouble.detail}"
    lines = [] if trouble.process is None else trouble.process.stderr
    return Flag(source, code, trouble.message, trouble.hint, None, lines)


def _of_notice(notice: Notice, source: str) -> Flag:
    where = f"{notice.case}: " if notice.case else ""
    return Flag(notice.source or source, notice.code, f"{where}{notice.message}", notice.hint or "")
