"""One page, no network, no script, and nothing of a server or suite is markup."""

import re
from html.parser import HTMLParser

import pytest

from mcpeak.report.html import document
from mcpeak.wire.records import Issue, Notice, Payload, ServerFacts
from support.streams import body, case, ended, finished, fold, is_error, raw, started, violation

VOID = {"meta", "link", "br", "input", "circle", "path"}


class Page(HTMLParser):
    """A strict reader: every element closes where it must, every id is there once."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def page(*records: object, timings: bool = False) -> str:
    return b"".join(document(fold(*records, keep_all=True), timings=timings)).decode()


RED = [
    started(2),
    *case(0, "a"),
    *case(
        1,
        "b",
        "failed",
        assertions=[
            is_error(False, True, "boom: disk full"),
            body(violation("MINIMUM", "$.t", 1, 0), total=9),
        ],
        answer=Payload(size=11, json=raw({"ok": [1, 2]})),
        stderr=["oh no"],
    ),
    finished("passed", "failed", process=ended(1, stderr=["last words"])),
]


def test_every_element_is_closed() -> None:
    Page(page(*RED))


def test_it_asks_for_nothing_and_runs_nothing() -> None:
    text = page(*RED)
    tags = Page(text).tags
    assert not [tag for tag, _ in tags if tag in ("script", "iframe", "object", "embed", "img")]
    assert all((attrs["href"] or "").startswith(("#", "data:,")) for _, attrs in tags if "href" in attrs)
    assert not re.search(r"\bon\w+=|url\(|@import", text)
    assert "default-src 'none'" in text


def test_failures_are_open_and_what_passed_is_folded() -> None:
    cases = [
        attrs
        for tag, attrs in Page(page(*RED)).tags
        if tag == "details" and "case" in (attrs.get("class") or "")
    ]
    assert ["open" in attrs for attrs in cases] == [False, True]


def test_a_long_list_begins_with_links_to_its_failures() -> None:
    many = [record for i in range(30) for record in case(i, f"c{i}", "failed" if i == 20 else "passed")]
    tags = Page(
        page(started(30), *many, finished(*["failed" if i == 20 else "passed" for i in range(30)]))
    ).tags
    assert ("a", {"href": "#c1-20"}) in tags
    assert "c1-20" in [attrs.get("id") for _, attrs in tags]


def test_what_differs_stands_side_by_side_with_the_servers_words() -> None:
    text = Page(page(*RED)).text
    for wanted in (
        "isError: false",
        "isError: true",
        "boom: disk full",
        "$.t",
        "expected 1 or more, got 0",
        "… and 8 more",
    ):
        assert wanted in text


def test_answer_stderr_input_and_server_facts_are_there() -> None:
    text = Page(page(*RED)).text
    for wanted in ('"ok": [', "oh no", "last words", '"city": "서울"', "node server.mjs", "2025-11-25"):
        assert wanted in text


def test_no_text_is_markup() -> None:
    nasty = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
    text = page(
        started(1, name=nasty),
        *case(0, nasty, "failed", name=nasty, assertions=[is_error(False, True, nasty)]),
        finished("failed"),
    )
    assert "<img src=x" not in text
    assert "<script" not in text
    assert "&lt;img src=x" in text


def test_no_character_hides_or_reorders_text() -> None:
    text = page(started(1), *case(0, "a", name="x\u202eevil\x00\x1b[31m\u2028"), finished("passed"))
    assert not re.search("[\x00-\x08\x0e-\x1f\u202e\u2028]", text)


def test_a_timeline_comes_with_times_only() -> None:
    assert 'class="timeline"' not in page(*RED)
    assert 'class="timeline"' in page(*RED, timings=True)


def test_no_time_is_in_it_unless_asked() -> None:
    assert not re.search(r"\d ms", page(*RED))


@pytest.mark.parametrize(
    "records", [[], [Issue(source="bad.json", code="EMPTY_CASES", path="cases", message="m", hint="h")]]
)
def test_every_outcome_has_a_page(records: list[object]) -> None:
    assert 'class="pill red"' in page(*records)
    Page(page(*records))


def test_a_server_that_told_nothing_has_a_page() -> None:
    Page(page(started(1, server=ServerFacts(target="")), *case(0, "a"), finished("passed")))


def test_several_suites_have_a_heading_each() -> None:
    one = [started(1), *case(0, "a"), finished("passed")]
    other = [started(1, name="Other"), *case(0, "a"), finished("passed")]
    assert Page(page(*one, *other)).text.count("1 passed, 0 failed (1 total)") == 2


def test_notices_are_there() -> None:
    notice = Notice(
        severity="warning", run=0, code="STDOUT_NOISE", message="noise", hint="Write `log` to stderr."
    )
    assert "Write <code>log</code> to stderr." in page(started(1), notice, *case(0, "a"), finished("passed"))


def test_the_language_of_the_page_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from mcpeak import messages

    monkeypatch.setattr(messages, "_chosen", ["ko"])
    text = page(*RED)
    assert '<html lang="ko">' in text
    assert "통과 1, 실패 1 (전체 2)" in text
