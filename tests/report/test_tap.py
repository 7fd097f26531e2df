"""TAP version 14: one flat list, nothing that could be taken for a directive."""

from mcpeak.report.tap import document
from mcpeak.wire.records import Issue
from support.streams import case, finished, fold, is_error, started


def tap(*records: object, timings: bool = False) -> list[str]:
    return list(document(fold(*records), timings=timings))


def test_the_version_and_the_plan_come_first() -> None:
    assert tap(started(2), *case(0, "a"), *case(1, "b"), finished("passed", "passed"))[:2] == [
        "TAP version 14",
        "1..2",
    ]


def test_numbers_run_through_all_suites() -> None:
    one = [started(1), *case(0, "a"), finished("passed")]
    numbers = [line.split()[1] for line in tap(*one, *one) if line.startswith("ok")]
    assert numbers == ["1", "2"]


def test_a_failure_has_its_reasons_in_a_yaml_block() -> None:
    lines = tap(
        started(1), *case(0, "a", "failed", assertions=[is_error(False, True, "boom")]), finished("failed")
    )
    at = lines.index("not ok 1 - a: case a")
    assert lines[at + 1] == "  ---"
    assert '  code: "IS_ERROR_MISMATCH"' in lines
    assert '    - "    | boom"' in lines
    assert lines[-1] == "  ..."


def test_a_case_that_did_not_run_is_skipped() -> None:
    assert "ok 1 - a: case a # SKIP not run" in tap(started(1), *case(0, "a", "notRun"), finished("notRun"))


def test_a_name_cannot_become_a_directive() -> None:
    lines = tap(started(1), *case(0, "a", "failed", name="x # SKIP \\ # TODO\nok 2"), finished("failed"))
    assert "not ok 1 - a: x \\# SKIP \\\\ \\# TODO\\\\u000aok 2" in lines


def test_what_could_not_be_tested_is_not_ok() -> None:
    lines = tap(
        Issue(source="bad.json", code="EMPTY_CASES", path="cases", message="m", hint="h", line=2, column=1)
    )
    assert lines[1:3] == ["1..1", "not ok 1 - bad.json:2:1"]


def test_nothing_at_all_is_not_ok() -> None:
    assert any(line.startswith("not ok") for line in tap())


def test_times_come_only_when_asked_for() -> None:
    records = [started(1), *case(0, "a"), finished("passed")]
    assert not any("duration" in line for line in tap(*records))
    assert "  duration_ms: 12.345" in tap(*records, timings=True)
