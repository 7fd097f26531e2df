"""The report for people: what each line says, and when."""

import re

import pytest

from mcpeak.report.human import Human, Style, render
from mcpeak.report.paint import Paint
from mcpeak.report.width import columns
from mcpeak.wire.records import (
    Determinism,
    Finding,
    Issue,
    Notice,
    OperationResult,
    ServerFacts,
    StopReason,
)
from support.streams import body, case, diagnostic, finished, fold, is_error, skipped, started, violation


def shown(*records: object, **style: object) -> str:
    verbose = bool(style.get("verbose"))
    human = Human(Style(paint=Paint(on=bool(style.pop("color", False))), **style))
    return "\n".join(render(fold(*records, keep_all=verbose), human))


def failing(**fields: object) -> list[object]:
    return [started(2), *case(0, "list"), *case(1, "seoul", "failed", **fields), finished("passed", "failed")]


def test_the_first_line_has_the_suite_and_the_number_of_its_cases() -> None:
    assert shown(*failing()).splitlines()[0] == "Weather server (2 cases)"
    assert shown(started(1), *case(0, "a"), finished("passed")).splitlines()[0] == "Weather server (1 case)"


def test_a_case_is_one_line_with_mark_id_and_name() -> None:
    lines = shown(*failing()).splitlines()
    assert lines[1] == "✓ list   case list"
    assert lines[2] == "✗ seoul  case seoul"


@pytest.mark.parametrize(
    ("status", "mark"),
    [("passed", "✓"), ("failed", "✗"), ("timedOut", "⧖"), ("cancelled", "⊘"), ("notRun", "·")],
)
def test_each_status_has_its_mark(status: str, mark: str) -> None:
    operation = OperationResult(status="completed")
    assert f"\n{mark} a  case a" in shown(
        started(1), *case(0, "a", status, operation=operation), finished(status)
    )


def test_the_summary_counts_in_words() -> None:
    assert shown(*failing()).split("\n\n")[-2] == "1 passed, 1 failed (2 total)"


def test_a_rarer_verdict_is_counted_only_where_it_occurs() -> None:
    text = shown(
        started(2), *case(0, "a", "timedOut"), *case(1, "b", "notRun"), finished("timedOut", "notRun")
    )
    assert "0 passed, 0 failed, 1 timed out, 1 not run (2 total)" in text


def test_a_failure_says_what_differs_where_the_servers_words_and_the_remedy() -> None:
    text = shown(
        *failing(assertions=[is_error(False, True, "boom: disk full")], assertion_positions=[(19, 9)])
    )
    assert text.splitlines()[3:9] == [
        "    ✗ isError: the tool answered with an error, but the case expects success [IS_ERROR_MISMATCH]",
        "        expected  isError: false",
        "        actual    isError: true",
        "        server    │ boom: disk full",
        "        at        weather.suite.json:19:9",
        "        fix       Mend the tool for this input, or expect isError true.",
    ]


def test_every_assertion_of_a_failing_case_is_there() -> None:
    text = shown(*failing(assertions=[is_error(False, False), body(violation("MINIMUM", "$.t", 1, 0))]))
    assert "    ✓ isError false\n    ✗ bodyMatchesSchema: " in text
    assert "        $.t  expected 1 or more, got 0\n" in text


def test_an_error_of_the_server_is_told_once() -> None:
    told = diagnostic("OPERATION_FAILED", actual={"code": -1, "message": "no"}, notes=["no"])
    operation = OperationResult(status="failed", diagnostic=told)
    assert "actual" not in shown(*failing(operation=operation, assertions=[skipped()]))
    told.actual = {"code": -1, "message": "no", "data": {"why": "x"}}
    assert '"data":{"why":"x"}' in shown(*failing(operation=operation, assertions=[skipped()]))


def test_violations_beyond_those_that_came_are_counted() -> None:
    text = shown(*failing(assertions=[body(violation("MINIMUM", "$.t", 1, 0), total=17)]))
    assert "        … and 16 more\n" in text


def test_what_failed_only_because_the_call_failed_is_not_told_again() -> None:
    operation = OperationResult(
        status="failed", diagnostic=diagnostic("OPERATION_FAILED", actual={"code": -1})
    )
    text = shown(*failing(operation=operation, assertions=[skipped()]))
    assert "OPERATION_FAILED" in text
    assert "OPERATION_RESULT_UNAVAILABLE" not in text


def test_the_case_can_be_repeated_from_what_is_written() -> None:
    text = shown(started(1, source="my suite.json"), *case(0, "a*", "failed"), finished("failed"))
    assert "repeat    mcpeak test 'my suite.json' --filter 'a[*]' -- node server.mjs\n" in text


def test_a_server_behind_a_url_is_repeated_with_its_url() -> None:
    server = ServerFacts(target="https://example.test/mcp")
    text = shown(started(1, server=server), *case(0, "a", "failed"), finished("failed"))
    assert "--filter a --url https://example.test/mcp\n" in text


def test_a_finding_is_told_at_its_case() -> None:
    detail = {"tool": "get_wether", "nearest": "get_weather"}
    found = Finding(
        code="TOOL_NOT_DECLARED", severity="blocking", case_id="a", path="operation.tool", detail=detail
    )
    text = shown(
        started(1),
        *case(0, "a", "failed", assertions=[is_error(False, True)]),
        finished("failed", findings=[found]),
    )
    assert "cause     The server declares no tool named get_wether. Did you mean get_weather?" in text


def test_a_tool_that_worked_on_the_call_is_no_cause_though_it_is_not_declared() -> None:
    found = Finding(
        code="TOOL_NOT_DECLARED",
        severity="blocking",
        case_id="a",
        path="operation.tool",
        detail={"tool": "x"},
    )
    wrong = [body(violation("MINIMUM", "$.t", 1, 0))]
    text = shown(started(1), *case(0, "a", "failed", assertions=wrong), finished("failed", findings=[found]))
    assert "declares no tool" not in text


def test_a_known_defect_is_no_news() -> None:
    from mcpeak.wire.records import ApprovedCase

    approved = [ApprovedCase(id="a", status="serverDefect")]
    text = shown(started(1, approved_cases=approved), *case(0, "a", "failed"), finished("failed"))
    assert "recorded as failing when the suite was approved" in text


def test_ids_line_up_by_display_width() -> None:
    text = shown(
        started(3),
        *case(0, "서울"),
        *case(1, "ok🙂"),
        *case(2, "busan"),
        finished("passed", "passed", "passed"),
    )
    starts = {columns(line[: line.index("case")]) for line in text.splitlines()[1:4]}
    assert len(starts) == 1


def test_a_very_long_id_pushes_only_its_own_name_aside() -> None:
    lines = shown(started(2), *case(0, "x" * 60), *case(1, "b"), finished("passed", "passed")).splitlines()
    assert lines[1] == f"✓ {'x' * 60}  case {'x' * 60}"
    assert lines[2] == f"✓ b{' ' * 33}case b"


def test_a_case_that_passed_in_a_later_attempt_says_so() -> None:
    assert "case a (passed only when tried again)" in shown(
        started(1), *case(0, "a", flaky=True), finished("passed")
    )


def test_notices_stand_in_a_block_after_the_cases_even_if_all_passed() -> None:
    notice = Notice(
        severity="warning", run=0, case="a", code="STDOUT_NOISE", message="noise", hint="Write to stderr."
    )
    text = shown(started(1), *case(0, "a"), notice, finished("passed"))
    assert "\n\nNotices:\n! a: noise [STDOUT_NOISE]\n    Write to stderr.\n\n1 passed" in text


def test_a_run_that_only_a_notice_makes_red_says_so() -> None:
    notice = Notice(severity="failure", run=0, code="STDOUT_NOISE", message="noise")
    text = shown(started(1), *case(0, "a"), notice, finished("passed", status="failed"))
    assert "All cases passed, but the run counts as failed" in text


def test_many_notices_do_not_bury_the_summary() -> None:
    notices = [Notice(severity="warning", run=0, code="N", message=f"n{i}") for i in range(100)]
    text = shown(started(1), *case(0, "a"), *notices, finished("passed"))
    assert "… and 80 more" in text


def test_why_it_stopped_is_said_before_the_summary() -> None:
    stop = StopReason(type="timeout", case_id="a")
    text = shown(
        started(2),
        *case(0, "a", "timedOut"),
        *case(1, "b", "notRun"),
        finished("timedOut", "notRun", stop=stop),
    )
    assert re.search(r"Stopped after case a timed out[^\n]*\n\n0 passed", text)


def test_repeated_runs_that_differ_are_shown_with_both_values() -> None:
    place = {
        "caseId": "a",
        "run": 2,
        "what": "answer",
        "path": "$.at",
        "kind": "time",
        "first": "10:00",
        "second": "10:01",
    }
    told = Determinism(compared=1, skipped=0, differences=[place], conclusion="nondeterministic")
    text = shown(started(1), *case(0, "a"), finished("passed", determinism=told))
    assert 'Determinism: the runs differ (1 cases compared):\n    a  $.at: "10:00" → "10:01"\n' in text


def test_failures_come_again_when_they_are_off_the_screen() -> None:
    many = [record for i in range(60) for record in case(i, f"c{i}", "failed" if i == 3 else "passed")]
    statuses = ["failed" if i == 3 else "passed" for i in range(60)]
    text = shown(started(60), *many, finished(*statuses))
    assert "\nFailed:\n✗ c3  case c3\n    weather.suite.json:30:5: isError: the tool answered" in text
    assert "Failed:" not in shown(*failing())


def test_quiet_shows_failures_and_the_summary_only() -> None:
    text = shown(*failing(), quiet=True)
    assert "case list" not in text
    assert "case seoul" in text
    assert "1 passed, 1 failed (2 total)" in text


def test_verbose_shows_inputs_timings_and_the_server() -> None:
    text = shown(*failing(), verbose=True, timings=True)
    assert "✓ list   case list (12 ms)" in text
    assert 'input     {"city":"서울"}' in text
    assert "node server.mjs · srv · 1 · 2025-11-25" in text


def test_no_time_is_shown_unless_asked() -> None:
    assert " ms" not in shown(*failing())


def test_several_suites_have_a_sum() -> None:
    one = [started(1), *case(0, "a"), finished("passed")]
    text = shown(*one, *failing())
    sums = "Suites: 1 passed, 1 failed (2 total)\nCases: 2 passed, 1 failed (3 total)\n"
    assert f"\n\n{sums}\nApproval: " in text


def test_suites_without_an_approval_are_told_of_once() -> None:
    text = shown(*failing(), *failing())
    assert text.count("Approval:") == 1
    assert "2 suites that did not pass have no approval" in text


def test_a_known_failure_of_an_approved_suite_accuses_nobody() -> None:
    from mcpeak.wire.records import ApprovedCase

    known = [ApprovedCase(id="a", status="serverDefect")]
    facts = {"approval": "matched", "approved_cases": known}
    every = shown(started(1, **facts), *case(0, "a", "failed"), finished("failed"))
    some = shown(
        started(2, **facts), *case(0, "a", "failed"), *case(1, "b", "failed"), finished("failed", "failed")
    )
    assert "look at the server" not in every
    assert "Some of what failed" in some


def test_a_long_case_line_is_broken_between_words() -> None:
    text = shown(started(1, name="s"), *case(0, "a-rather-long-id"), finished("passed"), columns=24)
    assert "✓ a-rather-long-id  case\n            a-rather-long-id\n" in text


def test_the_command_that_repeats_a_case_is_never_broken() -> None:
    text = shown(started(1), *case(0, "a", "failed"), finished("failed"), columns=30)
    assert "mcpeak test weather.suite.json --filter a -- node server.mjs\n" in text


@pytest.mark.parametrize("action", ["record", "replay"])
def test_a_recorded_case_is_repeated_from_its_recording(action: str) -> None:
    target = (
        f"/usr/bin/python3 /x/bin/mcpeak-session {action} --pass a.test 'my net.session' -- python3 net.py"
    )
    server = ServerFacts(target=target)
    text = shown(started(1, server=server), *case(0, "a", "failed"), finished("failed"))
    assert "--filter a --session 'my net.session' --pass a.test -- python3 net.py\n" in text


def test_arrays_of_different_length_say_so_first_and_a_diff_names_its_sides() -> None:
    wrong = [body(violation("CONST_MISMATCH", "$.v", ["a" * 80], ["a" * 80, "b"]))]
    text = shown(*failing(assertions=wrong))
    assert "$.v  2 elements, expected 1: expected [" in text
    assert "          (- expected, + actual)\n            [\n" in text


def test_what_could_not_be_tested_is_named_beside_what_was() -> None:
    issue = Issue(source="bad.json", code="EMPTY_CASES", path="cases", message="m", hint="h")
    assert "Not tested: bad.json" in shown(issue, started(1), *case(0, "a"), finished("passed"))


def test_no_two_blank_lines_follow_each_other() -> None:
    text = shown(*failing(), quiet=True)
    assert "\n\n\n" not in text


def test_nothing_is_wrapped_where_there_is_no_terminal() -> None:
    told = diagnostic("X", message="word " * 60)
    operation = OperationResult(status="failed", diagnostic=told)
    assert max(map(len, shown(*failing(operation=operation)).splitlines())) > 250


def test_words_are_wrapped_to_the_terminal() -> None:
    told = diagnostic("X", message="word " * 60)
    operation = OperationResult(status="failed", diagnostic=told)
    text = shown(*failing(operation=operation), columns=60, color=True)
    lines = [line for line in text.splitlines() if "mcpeak test" not in line]  # that one is to be copied
    assert max(map(columns, lines)) <= 60


def test_colour_comes_only_when_asked_for() -> None:
    assert "\x1b[" not in shown(*failing())
    assert "\x1b[31m✗\x1b[0m" in shown(*failing(), color=True)
