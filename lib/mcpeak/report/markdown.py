"""The report for pull requests and `$GITHUB_STEP_SUMMARY` (`--markdown`): failures first, the rest folded.

Rule of this file: tally in, bytes out; it chooses how much is shown and escapes, the template lays out.
GitHub takes 1 MiB a step: what would go beyond is counted instead.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from mcpeak.command.text import clean
from mcpeak.messages import label
from mcpeak.report.tally import Tally
from mcpeak.report.templating import ours
from mcpeak.report.view import view
from mcpeak.report.width import cut_middle

BUDGET = 700_000  # code points of all failures and rows; most take one byte, GitHub's limit is 1,048,576
FAILURE = 12_000  # code points of one failure
TEXT = 300  # code points of a name or a message
NOTICES = 20
_SPECIAL = re.compile(r"[\\`*_{}\[\]#!|<>~@$]|&(?=[#\w])|:(?=//|\w+:)|(?<=www)\.")


def document(tally: Tally, *, timings: bool) -> Iterator[bytes]:
    """Yield the pieces of the file."""
    values = view(tally, timings=timings)
    budget = [BUDGET]
    for suite in values["suites"]:
        _choose(suite, budget)
    return ours("report.md.j2", {**values, "summary": summary_of}, md=escaped, words=words, fenced=fenced)


def _choose(suite: dict[str, Any], budget: list[int]) -> None:
    """Take failures, then rows, as long as there is room; count what is left out."""
    suite["shown_failures"] = list(
        _within(suite["failed"], budget, lambda case: min(len(case["text"]), FAILURE) + 400)
    )
    suite["hidden_failures"] = len(suite["failed"]) - len(suite["shown_failures"])
    suite["shown_notices"] = suite["notices"][:NOTICES]
    suite["hidden_notices"] = len(suite["notices"]) - len(suite["shown_notices"])
    suite["rows"] = list(
        _within(suite["cases"], budget, lambda case: 2 * len(case["id"][:TEXT] + case["name"][:TEXT]) + 40)
    )
    suite["hidden_rows"] = len(suite["cases"]) - len(suite["rows"])


def _within(cases: Any, budget: list[int], cost: Any) -> Iterator[dict[str, Any]]:
    for case in islice(cases, 20_000):
        budget[0] -= cost(case)
        if budget[0] < 0:
            return
        yield case


def summary_of(suite: dict[str, Any]) -> str:
    counts = suite["counts"]
    words = ", ".join(
        label("report", f"count_{name}", count=count)
        for name, count in counts.items()
        if count or name in ("passed", "failed")
    )
    return label("report", "total", words=words, count=len(suite["cases"]))


def escaped(text: str) -> str:
    """Make a text mean itself in Markdown, in a table cell too; one line, cut in the middle."""
    return words(cut_middle(text, TEXT))


def words(text: str) -> str:
    """Escape our own words, which may hold somebody else's: nothing is cut."""
    return _SPECIAL.sub(lambda found: "&amp;" if found[0] == "&" else f"\\{found[0]}", clean(text))


def fenced(text: str) -> str:
    """Put a text into a code block that it cannot end: the fence is longer than any run of backticks."""
    lines = "\n".join(clean(line) for line in cut_middle(text, FAILURE).split("\n"))
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", lines)), default=0))
    return f"{fence}text\n{lines}\n{fence}"
