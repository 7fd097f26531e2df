"""mcpeak-run as a stage: what it forwards, what it writes, how it ends."""

import json
import sys
from pathlib import Path

import pytest

from mcpeak.run.choice import examples
from support.programs import run
from support.running import case, ran, stream, suite

FAULTS = Path(__file__).parent / "servers" / "faults.py"
SERVER = ("--", sys.executable, str(FAULTS))
BEGIN = b'{"type":"begin","stage":"validate","stream":1}\n'
END = b'{"type":"end","stage":"validate","counts":{"suites":0}}\n'
ISSUE = b'{"type":"issue","source":"x.json","code":"EMPTY_CASES","path":"cases","message":"m","hint":"h"}\n'


def lines(data, *arguments):
    return run("mcpeak-run", *arguments, *SERVER, stdin=data).stdout.splitlines(keepends=True)


def test_what_is_not_ours_is_forwarded_byte_for_byte():
    notice = b'{ "type":"notice", "severity":"info","code":"X","message":"m" }\n'
    unknown = b'{"type":"later","n":1.0,"x":"\\u00e9"}\n'
    tool = b'{"type":"tool","server":{"target":"t"},"tool":{"name":"n", "inputSchema":{}}}\n'
    written = lines(BEGIN + ISSUE + notice + unknown + tool + END)
    assert written[1:5] == [ISSUE, notice, unknown, tool]


def test_a_suite_record_is_forwarded_before_its_run():
    data = stream(suite(case("a", "echo")))
    written = lines(data)
    assert written[1] == data.splitlines(keepends=True)[1]
    assert json.loads(written[2])["type"] == "runStarted"


def test_only_issues_start_nothing_and_give_1():
    done = ran(BEGIN + ISSUE + END, *SERVER)
    assert done.code == 1
    assert done.all("runStarted") == []


def test_one_bad_suite_of_two_still_runs_the_good_one():
    good = stream(suite(case("a", "echo"))).splitlines(keepends=True)
    done = ran(b"".join([good[0], ISSUE, *good[1:]]), *SERVER)
    assert done.statuses() == {"a": "passed"}
    assert done.code == 1


def test_an_error_of_the_stage_before_gives_3():
    error = b'{"type":"error","stage":"validate","code":"SUITE_READ_FAILED","message":"m","hint":"h"}\n'
    assert ran(BEGIN + error + END, *SERVER).code == 3


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "STREAM_CUT"),
        (BEGIN, "STREAM_CUT"),
        (BEGIN + END, "NOTHING_TO_RUN"),
        (b"hello\n", "STREAM_LINE_INVALID"),
    ],
)
def test_input_that_is_no_whole_stream_gives_3(data, code):
    done = ran(data, *SERVER)
    assert done.code == 3
    assert done.one("error")["code"] == code
    assert done.records[-1]["type"] == "end"


def test_a_cut_stream_is_red_although_its_suite_passed():
    data = stream(suite(case("a", "echo"))).splitlines(keepends=True)
    done = ran(b"".join(data[:-1]), *SERVER)
    assert done.statuses() == {"a": "passed"}
    assert done.one("error")["code"] == "STREAM_CUT"
    assert done.code == 3


def test_without_a_server_it_is_wrong_usage_which_the_stream_says():
    done = run("mcpeak-run", stdin=stream(suite(case("a", "echo"))))
    assert done.returncode == 2
    assert b'"detail":"TARGET_MISSING"' in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("--nope",),
        ("--jobs", "0"),
        ("--shard", "3/2"),
        ("--max-timeouts", "-1"),
        ("--start-timeout", "soon"),
        ("--protocol", "1999-01-01"),
        ("--retry", "1", "--retry", "2"),
        ("--json",),
    ],
)
def test_wrong_usage_gives_2(arguments):
    done = run("mcpeak-run", *arguments, *SERVER, stdin=b"")
    assert done.returncode == 2
    assert b"runStarted" not in done.stdout


def test_a_result_is_written_before_the_next_suite_is_read():
    """Records appear as they happen: the end of the input is not waited for."""
    done = ran(stream(suite(case("a", "echo")), suite(case("b", "echo"), id="t")), *SERVER)
    kinds = [record["type"] for record in done.records]
    assert kinds.index("runFinished") < kinds.index("suite", 2)


def test_the_end_counts_what_was_written():
    done = ran(stream(suite(case("a", "echo")), suite(case("b", "echo"), id="t")), *SERVER)
    assert done.one("end")["counts"] == {"suites": 2, "runs": 2, "issues": 0, "errors": 0}


def test_positions_of_case_and_assertions_come_along():
    data = json.dumps(suite(case("a", "echo"), case("b", "echo")), indent=1).encode()
    first, second = ran(stream(data), *SERVER).all("caseFinished")
    text = data.decode().splitlines()
    for one, name in ((first, "a"), (second, "b")):
        line, column = one["position"]
        assert text[line - 1][column - 1] == "{"
        assert json.loads(text[line].strip().rstrip(",").join("{}")) == {"id": name}
        assert len(one["assertionPositions"]) == 1


def test_the_case_is_shown_as_written_but_for_secrets():
    written_case = (
        b'{"name":"n","id":"a","timeoutMs":5e3,"operation":{"type":"callTool","tool":"echo","input":'
        b'{"n":1.0,"big":12345678901234567890123}},"assertions":[{"expected":false,"type":"isError"}]}'
    )
    data = b'{"schemaVersion":1,"id":"s","name":"S","cases":[' + written_case + b"]}"
    written = b"".join(lines(stream(data)))
    assert b'"spec":{"name":"n","id":"a","timeoutMs":5e3,"operation"' in written
    assert written.count(b'"n":1.0,"big":12345678901234567890123}') == 2  # the suite, and the case's spec


def test_the_call_sends_the_real_value_and_the_record_does_not_show_it():
    secret = case(
        "a",
        "echo",
        {
            "type": "bodyMatchesSchema",
            "schema": {"type": "object", "properties": {"password": {"const": "hunter2"}}},
        },
        input={"password": "hunter2"},
    )
    done = ran(stream(suite(secret)), *SERVER)
    assert done.statuses() == {"a": "passed"}
    finished = done.one("caseFinished")
    assert finished["result"]["spec"]["operation"]["input"] == {"password": "[REDACTED]"}
    assert "hunter2" not in json.dumps(finished["answer"])


def test_lone_surrogates_and_deep_nesting_go_through():
    deep = "[" * 1500 + "]" * 1500
    data = (
        '{"schemaVersion":1,"id":"s","name":"S\\ud800","cases":[{"id":"a\\udfff","name":"n","operation":{"type":"callTool","tool":"echo","input":{"x":'
        + deep
        + '}},"assertions":[{"type":"isError","expected":true}]}]}'
    ).encode()
    done = run("mcpeak-run", *SERVER, stdin=stream(data))
    assert done.stderr == b""
    assert b'"caseFinished"' in done.stdout


def test_a_filter_runs_only_what_fits_and_keeps_the_index():
    done = ran(
        stream(suite(*(case(name, "echo") for name in ("in-1", "out", "in-2")))), "--filter", "in-*", *SERVER
    )
    assert [(one["index"], one["result"]["spec"]["id"]) for one in done.all("caseFinished")] == [
        (0, "in-1"),
        (2, "in-2"),
    ]
    assert done.one("runStarted")["total"] == 2


def test_a_filter_that_fits_nothing_is_red():
    done = ran(stream(suite(case("a", "echo"))), "--filter", "b", *SERVER)
    assert done.one("error")["code"] == "NO_CASE_CHOSEN"
    assert done.one("error")["hint"].endswith(": a.")
    assert done.code == 3


def test_cases_that_look_like_the_filter_are_named_first_and_five_at_most():
    names = [f"case-{number}" for number in range(9)]
    assert examples([*names, "login-ok"], ("logn-ok",)) == ["login-ok"]
    assert examples([*names, "login-ok"], ("login",)) == ["login-ok"]
    assert examples(names, ("zzz",)) == names[:5]


def test_shards_split_the_cases_evenly_and_miss_none():
    cases = [case(f"c{number}", "echo") for number in range(7)]
    seen = []
    for share in ("1/3", "2/3", "3/3"):
        done = ran(stream(suite(*cases)), "--shard", share, *SERVER)
        assert done.one("runStarted")["shard"] == {"index": int(share[0]), "of": 3}
        seen += [one["index"] for one in done.all("caseFinished")]
    assert sorted(seen) == list(range(7))


def test_an_empty_share_is_a_run_without_cases_and_starts_nothing(tmp_path):
    pids = tmp_path / "pids"
    done = ran(stream(suite(case("a", "echo"))), "--shard", "2/2", *SERVER, "good", str(pids))
    assert done.one("runStarted")["total"] == 0
    assert done.one("runFinished")["status"] == "passed"
    assert not pids.exists()


def test_fail_fast_stops_at_the_first_case_that_does_not_pass():
    wrong = {"type": "isError", "expected": True}
    done = ran(
        stream(suite(case("a", "echo"), case("b", "echo", wrong), case("c", "echo"))), "--fail-fast", *SERVER
    )
    assert done.statuses() == {"a": "passed", "b": "failed", "c": "notRun"}


def test_every_server_error_leaves_the_other_suites_alone():
    data = stream(suite(case("a", "crash")), suite(case("b", "echo"), id="t"))
    done = ran(data, *SERVER)
    assert done.statuses() == {"a": "failed", "b": "passed"}


def test_the_help_is_said_in_both_languages():
    english = run("mcpeak-run", "--help").stdout.decode()
    korean = run("mcpeak-run", "--help", "--lang", "ko").stdout.decode()
    assert "--max-timeouts N" in english
    assert "서버" in korean


def test_tools_of_a_draft_that_are_held_back_are_named_once(faults):
    lines = stream(suite(case("a", "echo"), case("b", "wipe"), case("c", "wipe"))).splitlines(keepends=True)
    held = json.loads(lines[1]) | {"heldBack": ["b", "c"]}
    data = b"".join((lines[0], json.dumps(held).encode() + b"\n", lines[2]))
    run = ran(data, "--repeat", "2", "--", sys.executable, str(FAULTS), "good")
    assert [record["result"]["spec"]["id"] for record in run.all("caseFinished")] == ["a", "a"]
    (notice,) = run.all("notice")
    assert (notice["code"], notice["severity"]) == ("CASES_HELD_BACK", "info")
    assert "wipe (tools: 1)" in notice["message"]
    assert "--call-destructive" in notice["hint"]
