"""An edge: what people are told on stderr: trouble that passes by, and the end of the server's own process.

Rule of this file: words go to stderr only; the report itself is none of its business.
"""

from collections.abc import Iterator

from mcpeak.command.boundary import tell, to_stderr
from mcpeak.command.stage import by_place, issue_text, place_of, tell_record
from mcpeak.command.text import clean, cut
from mcpeak.messages import label, say
from mcpeak.report.progress import Progress
from mcpeak.report.tally import Suite, Tally
from mcpeak.wire.records import AnyRecord, Error, Issue, Notice, ProcessEnd, Unknown

LINE = 1000  # code points of one line of the server's stderr


_HEARD = frozenset((Issue, Error, Notice))


class Told:
    """Tells each trouble once, as it comes; notices only where the report on stdout does not show them.

    Args:
        progress: the line that must make room first, if there is one.
        notices: whether nobody else tells notices.
        runner: whether GitHub's runner reads along: then no line may be a command.
    """

    def __init__(self, progress: Progress | None, *, notices: bool, runner: bool) -> None:
        self._progress = progress
        self._notices = notices
        self._runner = runner
        self._source: str | None = None
        self._issues: list[Issue] = []  # of one file, until the last has come

    def hear(self, record: AnyRecord | Unknown) -> None:
        """Tell a record that people must know of."""
        kind = type(record)
        if isinstance(record, Issue):
            if self._issues and self._issues[0].source != record.source:
                self._ordered()
            self._issues.append(record)
            return
        self._ordered()
        if kind not in _HEARD:
            return
        if isinstance(record, Error) or (isinstance(record, Notice) and self._notices):
            self._room()
            tell_record(record)

    def mention(self, error: Error) -> None:
        """Tell a trouble that touches no verdict."""
        self._room()
        tell_record(Notice(severity="warning", code=error.code, message=error.message, hint=error.hint))

    def end(self, tally: Tally) -> None:
        """Tell what is left, and the notices of a stream that gives no report to hold them."""
        self._ordered()
        if not self._notices and not tally.suites:
            for notice in tally.notices:
                self._room()
                tell_record(notice)

    def processes(self, tally: Tally, lines: int) -> None:
        """Tell how servers ended, after a failure or an abnormal end (CONTRACT §5, `--stderr-lines`)."""
        for source, end in _worth_telling(tally) if lines else ():
            block = [*_block(source, end, lines)]
            if self._runner:
                from mcpeak.report.github import defused

                block = [defused(line) for line in block]
            to_stderr("\n" + "\n".join(block) + "\n")

    def _ordered(self) -> None:
        """Tell the issues of a file from its top to its end: people mend it that way."""
        if self._issues:
            self._room()
            for issue in by_place(self._issues):
                self._issue(issue)
            self._issues = []

    def _room(self) -> None:
        if self._progress is not None:
            self._progress.clear()

    def _issue(self, issue: Issue) -> None:
        """Begin the issues of a file with one line that says so; a file that is none says so alone."""
        if not issue.code.startswith("SUITE_") and issue.source != self._source:
            words = say("report", "SUITE_VALIDATION_FAILED", source=issue.source)
            tell("mcpeak-validate", "SUITE_VALIDATION_FAILED", words.message, words.hint)
        self._source = issue.source
        if issue.code.startswith("SUITE_"):
            tell("mcpeak-validate", issue.code, f"{place_of(issue)}: {issue.message}", issue.hint)
        else:
            to_stderr(issue_text(issue))


def _worth_telling(tally: Tally) -> Iterator[tuple[str, ProcessEnd]]:
    for suite in tally.suites:
        yield from ((suite.source, end) for end in suite.processes if _worth(suite, end))
    for trouble in tally.troubles:
        end = trouble.process if isinstance(trouble, Error) else None
        if end is not None and (end.stderr or end.abnormal):
            yield trouble.source or "", end


def _worth(suite: Suite, end: ProcessEnd) -> bool:
    return end.abnormal or (suite.status != "passed" and bool(end.stderr))


def _block(source: str, end: ProcessEnd, lines: int) -> Iterator[str]:
    shown = end.stderr[-lines:]
    left_out = end.dropped_lines + len(end.stderr) - len(shown)
    parts = [
        label(
            "report", "process_code", code=label("report", "none") if end.exit_code is None else end.exit_code
        ),
        label("report", "process_signal", signal=end.signal or label("report", "none")),
    ]
    if end.ended_by is not None:
        parts.append(label("report", "process_ended_by", signal=end.ended_by))
    parts.append(_counted("process_lines", len(shown)) if shown else label("report", "process_silent"))
    if left_out:
        parts.append(_counted("process_left_out", left_out))
    yield label("report", "process", source=clean(source), facts=", ".join(parts))
    yield from (f"  | {clean(cut(line, LINE))}" for line in shown)


def _counted(name: str, count: int) -> str:
    return label("report", f"{name}_one" if count == 1 else f"{name}_many", count=count)
