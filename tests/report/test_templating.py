"""A user's own template: what it sees, and what it cannot reach (docs/reports.md)."""

import re
from pathlib import Path

import pytest

from mcpeak.command.failure import InputError
from mcpeak.report.templating import theirs
from mcpeak.report.view import view
from support.programs import ROOT, run
from support.streams import case, finished, fold, is_error, lines, started

RECORDS = [
    started(2),
    *case(0, "a"),
    *case(1, "b", "failed", assertions=[is_error(False, True, "<boom>")]),
    finished("passed", "failed"),
]


def fill(tmp_path: Path, template: str, name: str = "t.txt.j2") -> str:
    (tmp_path / name).write_text(template)
    return theirs(str(tmp_path / name), view(fold(*RECORDS, keep_all=True), timings=False)).decode()


def test_it_lays_the_tally_out(tmp_path: Path) -> None:
    text = "{{ suites[0].name }}:{% for c in suites[0].cases %} {{ c.id }}={{ c.status }}{% endfor %}"
    assert fill(tmp_path, text) == "Weather server: a=passed b=failed"


def test_it_sees_reasons_and_counts(tmp_path: Path) -> None:
    text = (
        "{{ counts.failed }}/{{ total }} {% for c in suites[0].failed %}{{ c.reasons[0].place }}{% endfor %}"
    )
    assert fill(tmp_path, text) == "1/2 weather.suite.json:14:5"


def test_its_version_is_told(tmp_path: Path) -> None:
    assert fill(tmp_path, "{{ version }}") == "1"


def test_a_template_for_html_escapes_by_itself(tmp_path: Path) -> None:
    text = "{{ suites[0].failed|map(attribute='reasons')|list }}"
    assert "&lt;boom&gt;" in fill(tmp_path, text, "t.html.j2")
    assert "<boom>" in fill(tmp_path, text, "t.txt.j2")


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ say.__globals__ }}",
        "{% include '/etc/passwd' %}",
        "{{ nothing.there }}",
        "{{ suites[0].nope }}",
        "{% for %}",
        "{{ 1 / 0 }}",
        "{{ suites.clear() }}",
    ],
)
def test_what_it_may_not_do_is_the_templates_own_fault(tmp_path: Path, template: str) -> None:
    with pytest.raises(InputError) as caught:
        fill(tmp_path, template)
    assert caught.value.code == "TEMPLATE_INVALID"


def test_a_template_that_fails_is_told_and_red(tmp_path: Path) -> None:
    (tmp_path / "t.j2").write_text("{{ nothing.there }}")
    done = run("mcpeak-report", "--template", "t.j2", stdin=lines(*RECORDS), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"TEMPLATE_INVALID" in done.stderr


def test_a_template_that_is_not_there_is_told_before_anything_is_read(tmp_path: Path) -> None:
    done = run("mcpeak-report", "--template", "no.j2", stdin=lines(*RECORDS), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"TEMPLATE_READ_FAILED" in done.stderr


@pytest.mark.parametrize("page", ["docs/reports.md", "docs/ko/reports.md"])
def test_every_name_that_a_template_sees_is_documented(page: str) -> None:
    documented = set(re.findall(r"`([a-z_]+)", (ROOT / page).read_text("utf-8")))
    seen = view(fold(*RECORDS, keep_all=True), timings=True)
    suite = seen["suites"][0]
    failed = next(iter(suite["failed"]))
    reason = failed["reasons"][0]
    for mapping in (seen, suite, suite["server"], suite["approval"], failed):
        assert set(mapping) <= documented
    assert set(reason) - {"number", "position"} <= documented
