"""What stands under a case that did not pass: what differs, where, the server's words, the remedy.

Rule of this file: as human.py, whose part it is; a case that passed has nothing here, but with `-v`.
"""

from collections.abc import Iterator

from msgspec import UNSET

from mcpeak.messages import label
from mcpeak.report import findings, repeat
from mcpeak.report.paint import MARKS, Paint
from mcpeak.report.reasons import Difference, Reason, checks, reasons
from mcpeak.report.tally import Case, Suite
from mcpeak.report.values import compact, of_raw
from mcpeak.report.width import clean_text, columns, cut_middle, one_line, padded, wrapped
from mcpeak.wire.records import CaseFinished

LABELS = (
    "expected",
    "actual",
    "diff",
    "server",
    "place",
    "remedy",
    "cause",
    "repeat",
    "input",
    "answer",
    "stderr",
    "by_hand",
)
PATH = 28  # columns of the path of a difference at most
LINE = 400  # code points of one line of somebody else's text
DIFFERENCES = 10
INDENT = 4
INNER = 8


class Details:
    """Lays out the block under a case."""

    def __init__(self, paint: Paint, width: int, *, verbose: bool) -> None:
        self._paint = paint
        self._width = width
        self._verbose = verbose
        self._labels = {name: label("report", name) for name in LABELS}
        self._column = max(
            columns(self._labels[name])
            for name in ("expected", "actual", "server", "place", "remedy", "cause", "repeat")
        )

    def of(self, suite: Suite, case: Case) -> list[str]:
        """Give the lines under a case."""
        finished = case.finished
        if finished is None or (case.status in ("notRun", "cancelled") and not self._verbose):
            return []
        lines = list(self._checks(suite, finished)) if case.status != "passed" or self._verbose else []
        lines += self._around(suite, case, finished)
        return [*lines, ""] if case.status != "passed" else lines

    def brief(self, suite: Suite, case: Case) -> list[str]:
        """Give one line a reason, for the list of failures at the end."""
        found = [] if case.finished is None else reasons(suite.source, case.finished)
        return [
            line
            for reason in found
            for line in self._wrap(f"    {clean_text(reason.place)}: {self._title(reason)}", INNER)
        ]

    def causes(self, suite: Suite, case: Case) -> list[str]:
        """Give what the run's findings say of a case."""
        return [
            line for words in findings.sentences(suite, case) for line in self._row("cause", words, INDENT)
        ]

    def _checks(self, suite: Suite, finished: CaseFinished) -> Iterator[str]:
        found = {reason.number: reason for reason in reasons(suite.source, finished)}
        if None in found:
            yield from self._reason(found[None])
        for number, check in enumerate(checks(finished)):
            if number in found:
                yield from self._reason(found[number])
            elif check.status == "passed" or self._verbose:
                mark = self._paint(check.status, MARKS.get(check.status, MARKS["notRun"]))
                yield f"    {mark} {self._paint('dim', one_line(check.text, LINE))}"

    def _title(self, reason: Reason) -> str:
        check = f"{reason.check}: " if reason.check else ""
        return f"{check}{clean_text(reason.text)} [{reason.code}]"

    def _reason(self, reason: Reason) -> Iterator[str]:
        yield from self._wrap(f"    {self._paint('failed', MARKS['failed'])} {self._title(reason)}", 6)
        yield from self._differences(reason)
        if reason.expected is not None:
            yield from self._row("expected", reason.expected)
        if reason.actual is not None:
            yield from self._row("actual", reason.actual)
        yield from self._diff(reason.lines)
        yield from self._notes(reason)
        yield from self._row("place", reason.place)
        if reason.hint:
            yield from self._row("remedy", reason.hint)

    def _differences(self, reason: Reason) -> Iterator[str]:
        shown = reason.differences[:DIFFERENCES]
        width = min(max((columns(one_line(each.path, LINE)) for each in shown), default=0), PATH)
        for each in shown:
            yield from self._difference(each, width)
        if reason.left_out:
            yield " " * INNER + label("report", "more", count=reason.left_out)

    def _difference(self, each: Difference, width: int) -> Iterator[str]:
        text = f"{' ' * INNER}{padded(one_line(each.path, LINE), width)}  {clean_text(each.text)}"
        yield from self._wrap(text, INNER + width + 2)
        yield from self._diff(each.lines)

    def _diff(self, lines: list[str]) -> Iterator[str]:
        for line in lines:
            style = {"-": "passed", "+": "failed"}.get(line[:1], "dim")
            yield f"{' ' * (INNER + 2)}{self._paint(style, one_line(line, LINE))}"

    def _notes(self, reason: Reason) -> Iterator[str]:
        yield from self._quoted("server", reason.notes)
        if reason.notes_left_out:
            left_out = label("report", "more_lines", count=reason.notes_left_out)
            yield f"{' ' * (INNER + self._column + 2)}{left_out}"

    def _quoted(self, name: str, lines: list[str], indent: int = INNER) -> Iterator[str]:
        """Set somebody else's words apart by a bar: they are not ours, and no line begins with them."""
        title = padded(self._labels[name], self._column)
        for line in lines:
            start = f"{' ' * indent}{self._paint('dim', title)}"
            yield from self._wrap(f"{start}  │ {one_line(line, LINE)}", indent + self._column + 4)
            title = " " * self._column

    def _row(self, name: str, text: str, indent: int = INNER) -> Iterator[str]:
        title = self._paint("dim", padded(self._labels[name], self._column))
        for number, line in enumerate(text.split("\n")):
            start = title if not number else " " * self._column
            yield from self._wrap(f"{' ' * indent}{start}  {clean_text(line)}", indent + self._column + 2)

    def _around(self, suite: Suite, case: Case, finished: CaseFinished) -> Iterator[str]:
        """Say what concerns the whole case: causes in the suite, how to repeat it, its traffic."""
        if case.status != "passed":
            yield from self.causes(suite, case)
            if case.id in suite.defects:
                yield from self._row("cause", label("report", "known_defect"), INDENT)
            again = repeat.command(suite, case)
            if again:
                title = self._paint("dim", padded(self._labels["repeat"], self._column))
                yield f"{' ' * INDENT}{title}  {clean_text(again)}"  # never wrapped: it is there to be copied
        if self._verbose:
            yield from self._traffic(finished)

    def _traffic(self, finished: CaseFinished) -> Iterator[str]:
        operation = of_raw(finished.result.spec).get("operation") or {}
        if "input" in operation:
            yield from self._row("input", cut_middle(compact(operation["input"]), LINE), INDENT)
        if finished.answer is not None:
            text = (
                finished.answer.text
                if finished.answer.json is UNSET
                else compact(of_raw(finished.answer.json))
            )
            yield from self._row("answer", cut_middle(text or "", LINE), INDENT)
        yield from self._quoted("stderr", finished.stderr or [], INDENT)
        yield from self._quoted("by_hand", finished.repro or [], INDENT)

    def _wrap(self, text: str, indent: int) -> list[str]:
        return wrapped(text, self._width, indent).split("\n") if self._width else [text]
