"""Markdown that a pull request shows as it was meant."""

import pytest

from mcpeak.report.markdown import document, escaped, fenced
from mcpeak.wire.records import Issue, Notice
from support.streams import case, finished, fold, is_error, started


def markdown(*records: object, timings: bool = False) -> str:
    return b"".join(document(fold(*records), timings=timings)).decode()


RED = [
    started(2),
    *case(0, "a"),
    *case(1, "b", "failed", assertions=[is_error(False, True, "boom")]),
    finished("passed", "failed"),
]


def test_failures_come_first_and_all_cases_are_folded() -> None:
    text = markdown(*RED)
    assert text.index("### ✗ b: case b") < text.index("<details><summary>All cases (2)</summary>")
    assert "1 passed, 1 failed (2 total)" in text


def test_the_table_has_one_row_a_case() -> None:
    assert "| ✓ | a | case a |\n| ✗ | b | case b |\n" in markdown(*RED)


def test_times_get_a_column_when_asked_for() -> None:
    assert "| ✓ | a | case a | 12 ms |" in markdown(*RED, timings=True)


@pytest.mark.parametrize(
    "text",
    ["a|b", "<img src=x>", "*bold*", "[x](y)", "`code`", "# head", "@someone", "https://x.test", "&lt;"],
)
def test_no_text_has_a_meaning_in_markdown(text: str) -> None:
    md = pytest.importorskip("markdown_it", reason="markdown-it-py is not installed")
    html = md.MarkdownIt("commonmark").enable("table").render(f"| a |\n|---|\n| {escaped(text)} |\n")
    shown = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert f"<td>{shown}</td>" in html


def test_a_line_break_cannot_leave_its_cell() -> None:
    assert "\n" not in escaped("a\nb\r\n| c |")


@pytest.mark.parametrize("text", ["```\n# out", "`````", "plain"])
def test_a_block_of_text_cannot_end_its_fence(text: str) -> None:
    md = pytest.importorskip("markdown_it", reason="markdown-it-py is not installed")
    tokens = md.MarkdownIt("commonmark").parse(fenced(text))
    assert [token.type for token in tokens] == ["fence"]
    assert tokens[0].content == f"{text}\n"


def test_it_fits_githubs_limit_however_much_fails() -> None:
    words = ["word " * 150] * 20
    many = [
        r for i in range(400) for r in case(i, f"c{i}", "failed", assertions=[is_error(False, True, *words)])
    ]
    text = markdown(started(400), *many, finished(*["failed"] * 400))
    assert len(text.encode()) < 1024 * 1024
    assert "more failures" in text


def test_notices_and_what_was_not_tested_are_there() -> None:
    notice = Notice(severity="warning", run=0, code="STDOUT_NOISE", message="noise", hint="Write to stderr.")
    issue = Issue(source="bad.json", code="EMPTY_CASES", path="cases", message="none", hint="Add one.")
    text = markdown(started(1), *case(0, "a"), notice, finished("passed"), issue)
    assert "- warning: noise (STDOUT\\_NOISE) Write to stderr." in text
    assert "## ✗ bad.json" in text
