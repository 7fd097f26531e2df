"""The report for people at a terminal: pure layout of suites, cases and what is said after them.

Rule of this file: tally in, lines out, each part as soon as it is known. Untrusted text is cleaned here.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from mcpeak.messages import label
from mcpeak.report import approval, determinism
from mcpeak.report.details import Details
from mcpeak.report.paint import MARKS, Paint
from mcpeak.report.plain import stop_words
from mcpeak.report.repeat import server_words
from mcpeak.report.tally import STATUSES, Case, Suite, Tally
from mcpeak.report.width import clean_text, columns, one_line, padded, wrapped
from mcpeak.wire.records import Issue, Notice

ID = 32  # columns of the id at most; a longer one pushes its own name aside
NAME = 200  # code points of a name
NOTICES = 20  # notices of a suite that are shown in full
SCREEN = 40  # lines of a screen where there is no terminal to ask


class Style(Struct):
    """How the report is laid out. `columns`: of the terminal; 0: there is none, nothing is wrapped."""

    paint: Paint
    columns: int = 0
    lines: int = SCREEN
    quiet: bool = False
    verbose: bool = False
    timings: bool = False


class Human:
    """Lays out the parts of the report in one style."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self._paint = style.paint
        self._details = Details(style.paint, style.columns, verbose=style.verbose)
        self._marks = {status: style.paint(status, mark) for status, mark in MARKS.items()}

    def head(self, suite: Suite) -> list[str]:
        """Name the suite and count its cases."""
        count = suite.started.total if suite.open_runs else len(suite.cases)
        name = self._paint("bold", one_line(suite.name, NAME))
        line = label("report", "suite_one" if count == 1 else "suite_many", suite=name, count=count)
        return [line, *self._server(suite)]

    def _server(self, suite: Suite) -> list[str]:
        server = suite.started.server
        if not self._style.verbose or not server.target:
            return []
        facts = " · ".join(
            one_line(text, NAME)
            for text in (server_words(server.target), server.name, server.version, server.protocol_version)
            if text
        )
        return [self._paint("dim", f"  {facts}")]

    def case(self, suite: Suite, case: Case, width: int) -> list[str]:
        """Lay out one case: its line and, when it did not pass, what went wrong."""
        if case.status == "passed" and not self._style.verbose:
            return [] if self._style.quiet else self._row(case, width)
        if case.status == "notRun" and self._style.quiet:
            return []
        return [*self._row(case, width), *self._details.of(suite, case)]

    def _row(self, case: Case, width: int) -> list[str]:
        """Lay out the line of a case; on a narrow terminal its name goes on below its beginning."""
        line = self._line(case, width)
        wide = self._style.columns
        if not wide:
            return [line]
        return [part.rstrip() for part in wrapped(line, wide, min(width + 4, wide // 2)).split("\n")]

    def _line(self, case: Case, width: int) -> str:
        key, name = one_line(case.id, NAME), one_line(case.name, NAME)
        line = f"{self._marks[case.status]} {padded(key, width)}  {name}"
        extra = []
        if self._style.timings and case.status != "notRun":
            extra.append(duration(case.elapsed_ms))
        if case.flaky:
            extra.append(label("report", "flaky"))
        return f"{line} {self._paint('dim', '(' + ', '.join(extra) + ')')}" if extra else line

    def foot(self, suite: Suite, printed: int, *, late: bool = False) -> list[str]:
        """Say what follows the cases: failures again if off the screen, notices, why it stopped, the sum.

        Args:
            suite: whose cases are laid out.
            printed: lines that they took.
            late: they were laid out before the run's findings came: what these explain is told here.
        """
        again = self._again(suite) if printed > self._style.lines and not self._style.quiet else []
        causes = self._causes(suite) if late else []
        blocks = [again, causes, self._notices(suite.notices), self._why(suite)]
        lines = [line for block in blocks if block for line in ["", *block]]
        lines += ["", self.summary(suite)]
        words = None if approval.silent(suite) else approval.words(suite)
        return lines if words is None else [*lines, "", *self._wrap(words, 2)]

    def _again(self, suite: Suite) -> list[str]:
        failed = [case for case in suite.cases if case.status not in ("passed", "notRun")]
        if not failed:
            return []
        width = id_width([case.id for case in failed])
        lines = [self._paint("bold", label("report", "again"))]
        for case in failed:
            lines += self._row(case, width)
            lines += self._details.brief(suite, case)
        return lines

    def _causes(self, suite: Suite) -> list[str]:
        """Say what the run found out about its failures once all cases were done."""
        width = id_width(suite.findings)
        lines = []
        for case in suite.cases:
            causes = self._details.causes(suite, case) if case.status != "passed" else []
            lines += [*self._row(case, width), *causes] if causes else []
        return [self._paint("bold", label("report", "causes")), *lines] if lines else []

    def _notices(self, notices: Iterable[Notice]) -> list[str]:
        shown = [
            notice
            for notice in notices
            if notice.severity != "info" or self._style.verbose or not self._style.quiet
        ]
        if not shown:
            return []
        lines = [self._paint("bold", label("report", "notices"))]
        for notice in shown[:NOTICES]:
            lines += self._notice(notice)
        if len(shown) > NOTICES:
            lines.append("  " + label("report", "more", count=len(shown) - NOTICES))
        return lines

    def _notice(self, notice: Notice) -> Iterator[str]:
        mark = {"info": "i", "warning": "!", "failure": MARKS["failed"]}[notice.severity]
        case = "" if notice.case is None else f"{one_line(notice.case, NAME)}: "
        place = (
            ""
            if notice.line is None
            else f" ({clean_text(notice.source or '')}:{notice.line}:{notice.column})"
        )
        yield from self._wrap(
            f"{mark} {case}{clean_text(notice.message)} [{notice.code}]{place}", 4, notice.severity
        )
        if notice.hint:
            yield from self._wrap(f"    {clean_text(notice.hint)}", 4, "dim")

    def _why(self, suite: Suite) -> list[str]:
        lines = []
        for words in stop_words(suite):
            lines += self._wrap(clean_text(words), 2)
        if suite.lost is not None:
            what = label("report", suite.lost, shares=suite.missing_shares)
            lines += self._wrap(label("report", "incomplete_suite", what=what), 2, "failed")
        if self._red_without_a_case(suite):
            lines += self._wrap(label("report", "red_by_notice"), 2, "failed")
        if suite.determinism is not None:
            lines += self._wrap(clean_text(determinism.words(suite.determinism)), 2)
            for line in determinism.differences(suite.determinism):
                lines += self._wrap(f"    {clean_text(line)}", 6)
        return lines

    def _red_without_a_case(self, suite: Suite) -> bool:
        """Tell whether only a notice makes this suite red: the counts below would puzzle."""
        passed = all(case.status == "passed" for case in suite.cases)
        return passed and suite.lost is None and any(notice.severity == "failure" for notice in suite.notices)

    def summary(self, *suites: Suite) -> str:
        """Count in words: `2 passed, 1 failed (3 total)`."""
        counts = dict.fromkeys(STATUSES, 0)
        for suite in suites:
            for case in suite.cases:
                counts[case.status] += 1
        parts = [(name, n) for name, n in counts.items() if n or name in ("passed", "failed")]
        words = ", ".join(
            self._paint(name if n else "", label("report", f"count_{name}", count=n)) for name, n in parts
        )
        return label("report", "total", words=words, count=sum(counts.values()))

    def end(self, tally: Tally) -> list[str]:
        """Say what concerns no single suite: other notices, what was not tested, the sum, no approvals."""
        absent = approval.absent(tally.suites)
        blocks = [
            self._notices(tally.notices),
            self._untested(tally),
            self._sum(tally),
            [] if absent is None else self._wrap(absent, 2),
        ]
        return [line for block in blocks if block for line in ["", *block]]

    def _untested(self, tally: Tally) -> list[str]:
        tested = {suite.source for suite in tally.suites}
        sources = dict.fromkeys(
            t.source for t in tally.troubles if t.source is not None and t.source not in tested
        )
        lines = [
            self._paint("failed", label("report", "untested", source=clean_text(source)))
            for source in sources
        ]
        if any(not isinstance(trouble, Issue) and trouble.source is None for trouble in tally.troubles):
            lines.append(self._paint("failed", label("report", "incomplete")))
        return lines

    def _sum(self, tally: Tally) -> list[str]:
        if len(tally.suites) < 2:  # noqa: PLR2004 - one suite has its own summary
            return []
        good = sum(suite.status == "passed" for suite in tally.suites)
        bad = len(tally.suites) - good
        passed = self._paint("passed" if good else "", label("report", "count_passed", count=good))
        failed = self._paint("failed" if bad else "", label("report", "count_failed", count=bad))
        suites = label("report", "suites", words=f"{passed}, {failed}", count=len(tally.suites))
        return [suites, label("report", "cases", words=self.summary(*tally.suites))]

    def _wrap(self, text: str, indent: int, style: str = "") -> list[str]:
        lines = text.split("\n")
        if self._style.columns:
            lines = [
                part for line in lines for part in wrapped(line, self._style.columns, indent).split("\n")
            ]
        return [self._paint(style, line) for line in lines]


def render(tally: Tally, human: Human) -> Iterator[str]:
    """Lay out a whole tally, as on paper."""
    yield from squeezed(_whole(tally, human))


def squeezed(lines: Iterable[str], blank: bool = False) -> Iterator[str]:
    """Let no two blank lines follow each other.

    Args:
        lines: what is to be written.
        blank: whether the line before them was blank.
    """
    for line in lines:
        if line or not blank:
            yield line
        blank = not line


def _whole(tally: Tally, human: Human) -> Iterator[str]:
    for number, suite in enumerate(tally.suites):
        if number:
            yield ""
        lines = 0
        yield from human.head(suite)
        width = suite_width(suite)
        for case in suite.cases:
            block = human.case(suite, case, width)
            lines += len(block)
            yield from block
        yield from human.foot(suite, lines)
    yield from human.end(tally)


def suite_width(suite: Suite) -> int:
    """Find the width of the id column: of the suite's own ids, as far as they are known."""
    return id_width(suite.ids if suite.ids is not None else [case.id for case in suite.cases])


def id_width(ids: Iterable[str]) -> int:
    """Find the width that a column of ids needs."""
    return min(max((columns(one_line(key, NAME)) for key in ids), default=0), ID)


def duration(ms: float) -> str:
    """Write a duration for people: `12 ms`, `3.4 s`; the same in every locale."""
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"  # noqa: PLR2004 - a second
