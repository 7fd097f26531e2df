"""Events become a tally; what is missing never looks green."""

from collections.abc import Iterable

import pytest
from msgspec import Raw

from mcpeak.report.tally import Tally
from mcpeak.wire.records import (
    ApprovedCase,
    Error,
    Finding,
    Issue,
    Notice,
    RunFinished,
    ServerFacts,
    Shard,
    StopReason,
    SuiteRecord,
    ToolRecord,
    Unknown,
)
from support.streams import FINGERPRINT, case, ended, finished, fold, raw, started


def codes(tally: Tally) -> list[str]:
    return [trouble.code for trouble in tally.troubles]


def test_a_run_whose_cases_passed_is_green() -> None:
    assert fold(started(1), *case(0, "a"), finished("passed")).green


def test_a_failed_case_is_red() -> None:
    tally = fold(started(2), *case(0, "a"), *case(1, "b", "failed"), finished("passed", "failed"))
    assert not tally.green
    assert tally.suites[0].status == "failed"


def test_nothing_at_all_is_red() -> None:
    assert codes(fold()) == ["NOTHING_RAN"]


def test_a_run_without_a_case_is_red() -> None:
    tally = fold(started(0), finished())
    assert not tally.green
    assert codes(tally) == ["NOTHING_RAN"]


def test_a_run_that_never_finished_is_red() -> None:
    tally = fold(started(1), *case(0, "a"))
    assert not tally.green
    assert codes(tally) == ["REPORT_INCOMPLETE"]


def test_a_run_that_begins_anew_before_its_end_is_red() -> None:
    tally = fold(started(1), *case(0, "a"), started(1), *case(0, "a"), finished("passed"))
    assert [suite.lost for suite in tally.suites] == ["lost_end", None]


def test_a_lost_case_is_red() -> None:
    tally = fold(started(2), *case(0, "a"), finished("passed", "passed"))
    assert tally.suites[0].lost == "lost_cases"
    assert not tally.green


def test_a_lost_failure_is_red_even_if_the_number_of_cases_is_right() -> None:
    assert not fold(started(1), *case(0, "a"), finished("failed")).green


@pytest.mark.parametrize("record", [*case(0, "a")[1:], finished("passed")])
def test_a_record_of_no_run_is_red(record: object) -> None:
    tally = fold(record)
    assert not tally.green
    assert codes(tally)[0] == "RUN_UNKNOWN"


@pytest.mark.parametrize(
    "record",
    [
        Issue(source="bad.json", code="EMPTY_CASES", path="cases", message="m", hint="h"),
        Error(stage="run", code="MCP_CONNECTION_FAILED", message="m", hint="h"),
        Notice(severity="failure", run=0, code="STDOUT_NOISE", message="m"),
        Notice(severity="failure", code="SESSION_MISS", message="m"),
    ],
)
def test_a_trouble_beside_a_green_run_is_red(record: object) -> None:
    assert not fold(started(1), *case(0, "a"), record, finished("passed")).green


@pytest.mark.parametrize("severity", ["info", "warning"])
def test_a_notice_that_is_no_failure_stays_green(severity: str) -> None:
    notice = Notice(severity=severity, run=0, code="STDOUT_NOISE", message="m")
    assert fold(started(1), *case(0, "a"), notice, finished("passed")).green


def test_a_run_that_says_it_failed_is_red_though_its_cases_passed() -> None:
    assert not fold(started(1), *case(0, "a"), finished("passed", status="failed")).green


def test_an_aborted_run_is_aborted() -> None:
    stop = StopReason(type="cancelled")
    tally = fold(started(1), *case(0, "a", "notRun"), finished("notRun", status="aborted", stop=stop))
    assert tally.suites[0].status == "aborted"


def test_shares_of_one_suite_become_one_suite_in_its_own_order() -> None:
    tally = fold(*share(2, "b", 1), *share(1, "a", 0))
    assert [[each.id for each in suite.cases] for suite in tally.suites] == [["a", "b"]]
    assert tally.green


def test_a_missing_share_is_red_and_named() -> None:
    tally = fold(*share(2, "b", 1, of=3))
    assert tally.suites[0].lost == "lost_share"
    assert tally.suites[0].missing_shares == "1/3, 3/3"


def test_a_share_that_comes_twice_does_not_stand_for_another() -> None:
    tally = fold(*share(1, "a", 0), *share(1, "a", 0))
    assert len(tally.suites) == 2
    assert not tally.green


def test_runs_of_two_machines_stay_two_suites() -> None:
    one = [started(1), *case(0, "a"), finished("passed")]
    assert len(fold(*one, *one).suites) == 2


def test_a_later_attempt_takes_the_place_of_the_one_before() -> None:
    tally = fold(
        started(1),
        *case(0, "a", "failed", attempt=1),
        *case(0, "a", attempt=2, flaky=True),
        finished("passed"),
    )
    assert [(each.status, each.flaky) for each in tally.suites[0].cases] == [("passed", True)]
    assert tally.green


def test_passing_cases_keep_their_record_only_when_asked() -> None:
    records = [started(1), *case(0, "a"), finished("passed")]
    assert fold(*records).suites[0].cases[0].finished is None
    assert fold(*records, keep_all=True).suites[0].cases[0].finished is not None


def test_a_case_has_its_names_from_its_spec_where_no_start_told_them() -> None:
    tally = fold(started(1), case(0, "a", name="Seoul")[1], finished("passed"))
    assert [(each.id, each.name) for each in tally.suites[0].cases] == [("a", "Seoul")]


def test_cases_that_run_side_by_side_keep_their_names() -> None:
    (start_a, end_a), (start_b, end_b) = case(0, "a"), case(1, "b")
    tally = fold(started(2), start_a, start_b, end_a, end_b, finished("passed", "passed"))
    assert [each.id for each in tally.suites[0].cases] == ["a", "b"]


def test_a_notice_belongs_to_its_run_or_to_the_suite_of_its_source() -> None:
    of_run = Notice(severity="info", run=0, code="A", message="m")
    of_source = Notice(severity="info", source="weather.suite.json", code="B", message="m")
    of_none = Notice(severity="info", source="other.json", code="C", message="m")
    tally = fold(started(1), of_run, *case(0, "a"), finished("passed"), of_source, of_none)
    assert [each.code for each in tally.suites[0].notices] == ["A", "B"]
    assert [each.code for each in tally.notices] == ["C"]


def test_a_notice_that_comes_before_its_run_belongs_to_it() -> None:
    early = Notice(severity="info", run=0, source="weather.suite.json", code="A", message="m")
    one = [early, started(1), *case(0, "a"), finished("passed")]
    assert [[each.code for each in suite.notices] for suite in fold(*one, *one).suites] == [["A"], ["A"]]


def test_tools_stay_with_the_run_that_is_open() -> None:
    tool = ToolRecord(server=ServerFacts(target="x"), tool=raw({"name": "get_weather"}))
    tally = fold(tool, started(1), *case(0, "a"), tool, finished("passed"))
    assert list(tally.suites[0].tools) == ["get_weather"]


def test_a_tool_that_holds_a_number_beyond_a_double_has_no_name_and_ends_nothing() -> None:
    tool = ToolRecord(
        server=ServerFacts(target="x"), tool=Raw(b'{"name":"t","inputSchema":{"maximum":1e400}}')
    )
    tally = fold(started(1), *case(0, "a"), tool, finished("passed"))
    assert list(tally.suites[0].tools) == [""]


def test_findings_and_defects_are_known_by_case() -> None:
    found = Finding(code="TOOL_NOT_DECLARED", severity="blocking", case_id="a", path="operation.tool")
    approved = [ApprovedCase(id="a", status="serverDefect"), ApprovedCase(id="b", status="passed")]
    tally = fold(
        started(1, approved_cases=approved), *case(0, "a", "failed"), finished("failed", findings=[found])
    )
    assert tally.suites[0].findings == {"a": [found]}
    assert tally.suites[0].defects == {"a"}


def test_unknown_records_say_nothing_here() -> None:
    assert fold(started(1), Unknown("soon"), *case(0, "a"), finished("passed")).green


def test_each_process_of_a_restarted_server_is_kept() -> None:
    tally = fold(*share(1, "a", 0, process=ended(1)), *share(2, "b", 1, process=ended(0)))
    assert [end.exit_code for end in tally.suites[0].processes] == [1, 0]


def share(index: int, key: str, place: int, *, of: int = 2, **fields: object) -> Iterable[object]:
    end: RunFinished = finished("passed", **fields)
    return [started(1, shard=Shard(index=index, of=of)), *case(place, key), end]


def test_suites_stand_in_the_order_of_their_files_whoever_started_first() -> None:
    suites = [
        SuiteRecord(source=name, suite=raw({"cases": []}), fingerprint=FINGERPRINT, approval="absent")
        for name in ("a.json", "b.json")
    ]
    tally = fold(*suites, started(1, source="b.json", run=1), started(1, source="a.json", run=0))
    assert [suite.source for suite in tally.suites] == ["a.json", "b.json"]
