"""What goes wrong with a server while cases run: the right diagnosis, and every other case judged."""

import json
import os
from pathlib import Path

import pytest

from support.running import case, left, suite


def operation(ran, name):
    return ran.cases()[name]["result"]["operation"]


def diagnostic(ran, name):
    return operation(ran, name)["diagnostic"]


def test_a_crash_fails_its_case_at_once_and_leaves_the_later_ones(faults):
    ran = faults(suite(case("a", "echo"), case("b", "crash"), case("c", "echo"), case("d")))
    assert ran.statuses() == {"a": "passed", "b": "failed", "c": "notRun", "d": "notRun"}
    assert ran.one("runFinished")["stopReason"] == {"type": "serverExited", "caseId": "b"}
    assert diagnostic(ran, "b")["code"] == "SERVER_EXITED"
    assert diagnostic(ran, "b")["actual"] == {"exitCode": 3, "signal": None}
    assert diagnostic(ran, "b")["notes"] == ["last words"]
    assert ran.code == 1


def test_last_words_need_no_line_end(faults):
    assert diagnostic(faults(suite(case("a", "gasp"))), "a")["notes"] == ["no line end"]


def test_a_death_by_signal_names_it(faults):
    ran = faults(suite(case("a", "segv")))
    assert diagnostic(ran, "a")["actual"] == {"exitCode": None, "signal": "SIGSEGV"}
    assert ran.one("runFinished")["process"]["abnormal"] is True


def test_a_death_in_the_last_case_stops_nothing(faults):
    ran = faults(suite(case("a", "crash")))
    assert "stopReason" not in ran.one("runFinished")


def test_restart_goes_on_with_a_new_process(faults):
    ran = faults(
        suite(case("a", "crash"), case("b", "echo"), case("c", "crash"), case("d", "echo")),
        options=("--restart",),
    )
    assert ran.statuses() == {"a": "failed", "b": "passed", "c": "failed", "d": "passed"}
    assert ran.notices() == ["SERVER_RESTARTED", "SERVER_RESTARTED"]


def test_a_death_between_handshake_and_first_case_is_in_the_report(faults):
    ran = faults(suite(case("a", "echo"), case("b", "echo")), mode="dies-early")
    assert ran.statuses() == {"a": "failed", "b": "notRun"}
    assert diagnostic(ran, "a")["actual"] == {"exitCode": 9, "signal": None}
    assert diagnostic(ran, "a")["notes"] == ["no license"]


def test_a_timeout_fails_its_case_and_the_run_goes_on(faults):
    ran = faults(suite(case("a", "hang", timeoutMs=150), case("b", "echo")))
    assert ran.statuses() == {"a": "timedOut", "b": "passed"}
    assert operation(ran, "a")["timeoutMs"] == 150
    assert [part["status"] for part in ran.cases()["a"]["result"]["assertions"]] == ["skipped"]


def test_a_timeout_is_told_to_the_server(faults):
    ran = faults(suite(case("a", "hang", timeoutMs=150), case("b", "echo")))
    assert ran.one("runFinished")["process"]["stderr"] == ["cancelled 3"]


def test_a_late_answer_never_satisfies_a_later_case(faults):
    late = case("a", "slow", input={"seconds": 0.4}, timeoutMs=150)
    schema = {
        "type": "bodyMatchesSchema",
        "schema": {"type": "object", "properties": {"b": {"const": 1}}, "required": ["b"]},
    }
    ran = faults(suite(late, case("b", "echo", schema, input={"b": 1})))
    assert ran.statuses() == {"a": "timedOut", "b": "passed"}
    assert ran.notices() == []


def test_two_timeouts_in_a_row_mean_a_hung_server(faults):
    hang = [case(name, "hang", timeoutMs=100) for name in "abc"]
    ran = faults(suite(*hang))
    assert ran.statuses() == {"a": "timedOut", "b": "timedOut", "c": "notRun"}
    assert ran.one("runFinished")["stopReason"] == {"type": "timeout", "caseId": "b"}


def test_an_answer_between_two_timeouts_counts(faults):
    ran = faults(
        suite(
            case("a", "hang", timeoutMs=100),
            case("b", "echo"),
            case("c", "hang", timeoutMs=100),
            case("d", "echo"),
        )
    )
    assert ran.statuses() == {"a": "timedOut", "b": "passed", "c": "timedOut", "d": "passed"}


def test_max_timeouts_0_goes_on_whatever_happens(faults):
    ran = faults(
        suite(*(case(name, "hang", timeoutMs=80) for name in "abc")), options=("--max-timeouts", "0")
    )
    assert set(ran.statuses().values()) == {"timedOut"}


def test_restart_is_for_hung_servers_too(faults):
    cases = [case("a", "hang", timeoutMs=80), case("b", "hang", timeoutMs=80), case("c", "echo")]
    ran = faults(suite(*cases), options=("--restart",))
    assert ran.statuses() == {"a": "timedOut", "b": "timedOut", "c": "passed"}


def test_the_time_limit_of_the_suite_holds_where_the_case_has_none(faults):
    ran = faults(suite(case("a", "hang"), defaultTimeoutMs=120))
    assert operation(ran, "a")["timeoutMs"] == 120


@pytest.mark.slow
def test_a_gib_on_stderr_blocks_nothing(faults):
    ran = faults(suite(case("a", "flood", input={"mib": 1024}, timeoutMs=60000), case("b", "echo")))
    assert ran.statuses() == {"a": "passed", "b": "passed"}
    assert ran.one("runFinished")["process"]["droppedLines"] > 1_000_000
    assert len(ran.cases()["a"]["stderr"]) == 50


def test_an_answer_of_many_mib_is_read_and_cut_in_the_record(faults):
    ran = faults(suite(case("a", "big", input={"bytes": 20_000_000}), case("b", "echo")))
    assert ran.statuses() == {"a": "passed", "b": "passed"}
    answer = ran.cases()["a"]["answer"]
    assert answer["size"] > 20_000_000
    assert len(answer["text"]) == 64 * 1024


@pytest.mark.slow
def test_a_line_beyond_the_limit_that_holds_the_id_fails_its_case(faults):
    ran = faults(suite(case("a", "big", input={"bytes": 70_000_000}, timeoutMs=60000), case("b", "echo")))
    assert ran.statuses() == {"a": "failed", "b": "passed"}
    assert diagnostic(ran, "a")["code"] == "OPERATION_FAILED"
    assert "64 MiB" in diagnostic(ran, "a")["message"]


@pytest.mark.slow
def test_a_line_beyond_the_limit_that_answers_nothing_is_noise(faults):
    ran = faults(suite(case("a", "huge-noise", input={"bytes": 70_000_000}, timeoutMs=60000)))
    assert ran.statuses() == {"a": "passed"}
    assert ran.notices() == ["STDOUT_NOISE"]


def test_a_closed_stdout_is_told_apart_from_an_exit(faults):
    ran = faults(suite(case("a", "close-stdout"), case("b", "echo")))
    assert ran.statuses() == {"a": "failed", "b": "notRun"}
    assert "stdout" in diagnostic(ran, "a")["message"]


def test_a_closed_stdin_is_told_apart_from_an_exit(faults):
    ran = faults(suite(case("a", "close-stdin"), case("b", "echo")))
    assert ran.statuses() == {"a": "passed", "b": "failed"}
    assert "stdin" in diagnostic(ran, "b")["message"]


def test_a_second_answer_is_a_finding(faults):
    ran = faults(suite(case("a", "twice"), case("b", "echo")))
    assert ran.statuses() == {"a": "passed", "b": "passed"}
    assert ran.notices() == ["ANSWER_REPEATED"]


def test_answers_out_of_order_reach_nobody_else(faults):
    ran = faults(suite(case("a", "hold", timeoutMs=150), case("b", "release"), case("c", "echo")))
    assert ran.statuses() == {"a": "timedOut", "b": "passed", "c": "passed"}
    assert ran.notices() == []


def test_an_answer_with_another_id_is_a_finding_and_satisfies_nothing(faults):
    ran = faults(suite(case("a", "wrong-id", timeoutMs=150), case("b", "echo")))
    assert ran.statuses() == {"a": "timedOut", "b": "passed"}
    assert ran.notices() == ["ANSWER_UNKNOWN_ID"]


@pytest.mark.parametrize("tool", ["text-id", "text-id-error"])
def test_an_id_that_became_a_string_fails_its_case_at_once_and_satisfies_nothing(faults, tool):
    refused = {"type": "isError", "expected": True}
    ran = faults(suite(case("a", tool, refused, timeoutMs=100_000), case("b", "echo")))
    assert ran.statuses() == {"a": "failed", "b": "passed"}
    assert diagnostic(ran, "a")["code"] == "OPERATION_FAILED"
    assert 'the id "3", a string' in diagnostic(ran, "a")["message"]
    assert '"id": "3"' in diagnostic(ran, "a")["notes"][0]
    assert ran.notices() == []


def test_an_answer_without_its_line_end_does_not_wait_for_the_time_limit(faults):
    ran = faults(suite(case("a", "unended", timeoutMs=100_000), case("b", "echo")))
    assert ran.statuses() == {"a": "failed", "b": "passed"}
    assert "the end of its line is not" in diagnostic(ran, "a")["message"]


def test_an_answer_without_its_line_end_at_the_time_limit_is_told_as_such(faults):
    ran = faults(suite(case("a", "unended", timeoutMs=200), case("b", "echo")))
    assert "the end of its line is not" in diagnostic(ran, "a")["message"]


@pytest.mark.parametrize("then", ["exit", "end"])
def test_an_answer_whose_line_ends_later_or_with_the_server_counts(faults, then):
    assert faults(suite(case("a", "unended", input={"then": then}))).statuses() == {"a": "passed"}


def test_an_error_without_an_id_is_a_finding_with_the_servers_words(faults):
    """It answers nobody: naive servers answer notifications so, while a request of ours waits."""
    ran = faults(suite(case("a", "unread", timeoutMs=150), case("b", "echo")))
    assert ran.statuses() == {"a": "timedOut", "b": "passed"}
    assert ran.notices() == ["ANSWER_UNKNOWN_ID"]
    assert "-32700: cannot read" in ran.one("notice")["message"]


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [("latin1", {}, "UTF-8"), ("cut", {}, "breaks off"), ("structured", {"raw": "NaN"}, "NaN")],
)
def test_an_unreadable_line_that_holds_the_id_fails_its_case_at_once(faults, tool, given, words):
    ran = faults(suite(case("a", tool, input=given), case("b", "echo")))
    assert ran.statuses() == {"a": "failed", "b": "passed"}
    assert diagnostic(ran, "a")["code"] == "OPERATION_FAILED"
    assert words in diagnostic(ran, "a")["message"]


def test_bytes_that_are_no_utf8_are_quoted(faults):
    ran = faults(suite(case("a", "latin1")))
    assert "caf\\xe9" in diagnostic(ran, "a")["notes"][0]


def test_a_number_beyond_a_double_fails_the_assertion_that_needs_it(faults):
    expected = {"type": "structuredContentMatchesSchema", "schema": {"type": "object"}}
    ran = faults(suite(case("a", "structured", expected, input={"raw": '{"v":1e999}'}), case("b", "echo")))
    assert ran.statuses() == {"a": "failed", "b": "passed"}


def test_noise_on_stdout_is_a_notice_of_its_case_and_kills_nothing(faults):
    ran = faults(suite(case("a", "echo"), case("b", "noise")))
    assert ran.statuses() == {"a": "passed", "b": "passed"}
    notice = ran.one("notice")
    assert (notice["code"], notice["severity"], notice["case"]) == ("STDOUT_NOISE", "warning", "b")
    assert "listening \\u001b[31mon stdio" in notice["message"]
    assert ran.code == 0


def test_strict_stdio_makes_noise_a_failure(faults):
    ran = faults(suite(case("a", "noise")), options=("--strict-stdio",))
    assert ran.one("notice")["severity"] == "failure"
    assert ran.code == 1


def test_much_noise_is_counted_rather_than_told(faults):
    ran = faults(suite(case("a", "noise", input={"lines": [f"noise {turn}" for turn in range(20)]})))
    notices = ran.all("notice")
    assert len(notices) == 6
    assert "15 more" in notices[-1]["message"]


def test_strict_makes_findings_failures(faults):
    ran = faults(suite(case("a", "twice")), options=("--strict",))
    assert ran.one("notice")["severity"] == "failure"
    assert ran.code == 1


@pytest.mark.parametrize(
    ("method", "reply"), [("ping", {"result": {}}), ("roots/list", {"error": {"code": -32601}})]
)
def test_the_server_may_ask_while_our_request_waits(faults, method, reply):
    ran = faults(suite(case("a", "ask", input={"method": method})))
    (block,) = ran.cases()["a"]["answer"]["json"]["content"]
    said = json.loads(block["text"])
    (kind,) = reply
    assert said["id"] == "a"
    assert reply[kind].items() <= said[kind].items()


def test_a_process_left_behind_is_named_and_stopped(faults, tmp_path):
    pids = tmp_path / "pids"
    ran = faults(suite(case("a", "child", input={"pids": str(pids)})))
    assert ran.notices() == ["PROCESS_LEFT_BEHIND"]
    assert left(pids) == []


def test_a_process_that_left_the_group_is_stopped_too(faults, tmp_path):
    pids = tmp_path / "pids"
    ran = faults(suite(case("a", "child", input={"pids": str(pids), "away": True, "hold": False})))
    assert ran.notices() == ["PROCESS_LEFT_BEHIND"]
    assert left(pids) == []


def test_children_of_a_server_that_crashed_do_not_outlive_the_run(faults, tmp_path):
    pids = tmp_path / "pids"
    ran = faults(suite(case("a", "child", input={"pids": str(pids), "crash": True}), case("b", "echo")))
    assert ran.statuses() == {"a": "failed", "b": "notRun"}
    assert left(pids) == []


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="orphans are adopted on Linux only")
def test_a_daemon_of_a_server_that_crashed_does_not_outlive_the_run(faults, tmp_path):
    pids = tmp_path / "pids"
    daemon = case("a", "child", input={"pids": str(pids), "crash": True, "away": True, "hold": False})
    ran = faults(suite(daemon, case("b", "echo")))
    assert ran.statuses() == {"a": "failed", "b": "notRun"}
    assert left(pids) == []


def test_a_server_that_ignores_everything_is_killed(faults, tmp_path):
    ran = faults(suite(case("a", "echo")), mode="stubborn")
    assert ran.notices() == ["SERVER_KILLED"]
    process = ran.one("runFinished")["process"]
    assert process["signal"] == process["endedBy"] == "SIGKILL"
    assert "abnormal" not in process
    assert ran.code == 0


def test_a_server_that_needs_sigterm_ends_normally(faults):
    ran = faults(suite(case("a", "echo")), mode="lazy")
    process = ran.one("runFinished")["process"]
    assert (process["signal"], process["endedBy"]) == ("SIGTERM", "SIGTERM")
    assert "abnormal" not in process


def test_a_bad_exit_code_at_the_end_is_abnormal(faults):
    process = faults(suite(case("a", "echo")), mode="rude-exit").one("runFinished")["process"]
    assert (process["exitCode"], process["abnormal"]) == (11, True)


def test_pages_are_followed_to_the_end_and_an_empty_cursor_is_one(faults):
    exists = [{"type": "toolExists", "tool": name} for name in ("echo", "slow", "crash")]
    ran = faults(suite(case("a", None, *exists)), mode="pages")
    assert ran.statuses() == {"a": "passed"}


def test_a_repeated_cursor_fails_its_case(faults):
    ran = faults(suite(case("a"), case("b", "echo")), mode="repeating")
    assert ran.statuses() == {"a": "failed", "b": "passed"}
    assert diagnostic(ran, "a")["code"] == "PAGINATION_CURSOR_REPEATED"


def test_a_list_of_the_wrong_shape_fails_its_case(faults):
    ran = faults(suite(case("a"), case("b", "echo")), mode="bad-list")
    assert ran.statuses() == {"a": "failed", "b": "passed"}
    assert diagnostic(ran, "a")["code"] == "OPERATION_FAILED"


@pytest.mark.parametrize(
    "result", [[1], "text", 3, {"content": "x"}, {"content": [], "isError": "yes"}, None]
)
def test_a_result_of_the_wrong_shape_fails_its_case_and_the_run_goes_on(faults, result):
    ran = faults(suite(case("a", "result", input={"result": result}), case("b", "echo")))
    assert ran.statuses() == {"a": "failed", "b": "passed"}
    assert diagnostic(ran, "a")["code"] == "OPERATION_FAILED"


def test_a_result_without_content_is_an_empty_success(faults):
    assert faults(suite(case("a", "result", input={"result": {"x": 1}}))).statuses() == {"a": "passed"}


def test_a_list_that_changes_during_the_run_is_a_finding(faults):
    ran = faults(suite(case("a", "echo"), case("b", "changed"), case("c", "echo")))
    assert ran.notices() == ["TOOL_LIST_CHANGED"]


def test_a_request_larger_than_the_pipe_reaches_a_server_that_reads_late(faults):
    big = {"x": "y" * 3_000_000}
    ran = faults(suite(case("a", "echo", input=big)), mode="slow-reader")
    assert ran.statuses() == {"a": "passed"}


def test_the_last_case_of_many_gets_its_own_stderr(faults):
    ran = faults(
        suite(
            case("a", "stderr", input={"line": "one"}),
            case("b", "echo"),
            case("c", "stderr", input={"line": "three"}),
        )
    )
    assert [ran.cases()[name].get("stderr") for name in "abc"] == [["one"], None, ["three"]]


def test_nothing_of_ours_reaches_the_server_but_three_pipes(faults):
    read, write = os.pipe()
    os.set_inheritable(read, True)
    try:
        ran = faults(suite(case("a", "descriptors")))
    finally:
        os.close(read)
        os.close(write)
    (block,) = ran.cases()["a"]["answer"]["json"]["content"]
    assert len([number for number in json.loads(block["text"]) if number > 2]) <= 1  # the listing itself


def test_an_error_of_many_mib_is_cut_with_its_size_told(faults):
    error = {"code": -32000, "message": "m" * 300_000, "data": ["d" * 300_000]}
    ran = faults(suite(case("a", "error", input=error)))
    actual = diagnostic(ran, "a")["actual"]
    assert len(actual["message"]) < 70_000
    assert actual["message"].endswith("(300002 bytes)")
    assert actual["data"].endswith("(300004 bytes)")
