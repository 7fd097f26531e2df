"""Reaching a server: the handshake, what can go wrong before the first case, what the server gets."""

import json
import os
import sys
from pathlib import Path

import pytest

from support.running import case, ran, stream, suite

FAULTS = Path(__file__).parent / "servers" / "faults.py"


def block(run, name="a"):
    (one,) = run.cases()[name]["answer"]["json"]["content"]
    return json.loads(one["text"])


def refused(run):
    error = run.one("error")
    assert run.code == 4
    assert run.all("runStarted") == []
    assert error["code"] == "MCP_CONNECTION_FAILED"
    return error


def test_the_run_record_tells_who_answered(faults):
    server = faults(suite(case("a", "echo"))).one("runStarted")["server"]
    assert (server["name"], server["version"]) == ("faults", "1")
    assert (server["era"], server["protocolVersion"]) == ("legacy", "2025-11-25")


def test_every_older_revision_is_spoken(faults):
    for revision in ("2025-06-18", "2025-03-26", "2024-11-05"):
        server = faults(suite(case("a", "echo")), options=("--protocol", revision)).one("runStarted")[
            "server"
        ]
        assert server["protocolVersion"] == revision


def test_a_server_that_ends_at_the_probe_is_reached_the_old_way(faults):
    assert faults(suite(case("a", "echo")), mode="picky").statuses() == {"a": "passed"}


def test_a_server_that_ends_at_the_start_is_told_with_its_last_words(faults):
    error = refused(faults(suite(case("a", "echo")), mode="exits"))
    assert error["detail"] == "PROCESS_EXITED"
    assert "exit code 3" in error["message"]
    assert "cannot open the database" in error["message"]
    assert error["process"]["exitCode"] == 3


def test_a_server_that_forks_is_used_and_told(faults, tmp_path):
    run = faults(suite(case("a", "echo"), case("b", "slow", input={"seconds": 0.6})), mode="forks")
    assert run.statuses() == {"a": "passed", "b": "passed"}
    assert run.notices() == ["SERVER_FORKED"]


def test_a_mute_server_is_a_handshake_timeout(faults):
    error = refused(faults(suite(case("a", "echo")), mode="mute", options=("--start-timeout", "0.4")))
    assert error["detail"] == "HANDSHAKE_TIMEOUT"
    assert "0.4 s" in error["message"]
    assert "--start-timeout" in error["hint"]


def test_answers_that_come_after_the_end_earn_a_hint_on_buffering(faults):
    error = refused(faults(suite(case("a", "echo")), mode="buffers", options=("--start-timeout", "1.5")))
    assert "flush" in error["hint"]


@pytest.mark.slow
def test_a_server_that_is_silent_on_the_probe_is_reached_after_five_seconds(faults):
    assert faults(suite(case("a", "echo")), mode="silent").statuses() == {"a": "passed"}


def test_an_answer_to_a_case_that_comes_after_the_end_is_told(faults):
    run = faults(suite(case("a", "hold", timeoutMs=100)))
    assert run.statuses() == {"a": "timedOut"}
    assert run.notices() == ["ANSWER_AFTER_EOF"]


def test_an_answer_that_comes_a_while_after_the_end_is_only_slow(faults):
    run = faults(suite(case("a", "slow", input={"seconds": 1.5}, timeoutMs=100)))
    assert run.statuses() == {"a": "timedOut"}
    assert run.notices() == []


def test_an_unknown_protocol_version_names_both(faults):
    error = refused(faults(suite(case("a", "echo")), mode="future"))
    assert error["detail"] == "HANDSHAKE_FAILED"
    assert "2099-01-01" in error["message"]
    assert "2025-11-25" in error["message"]


def test_a_banner_before_the_handshake_is_noise(faults):
    run = faults(suite(case("a", "echo")), mode="banner")
    assert run.statuses() == {"a": "passed"}
    assert "Demo server ready" in run.one("notice")["message"]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["mcpeak-no-such-command"], "no such command"),
        (["./no/such/file"], "no such file"),
        (["/"], "directory"),
    ],
)
def test_a_command_that_cannot_be_started_is_named_with_the_reason(command, words):
    error = refused(ran(stream(suite(case("a", "echo"))), "--", *command))
    assert error["detail"] == "PROCESS_START_FAILED"
    assert command[0] in error["message"]
    assert words in error["message"]


def test_a_command_line_given_as_one_word_is_told_to_lose_its_quotes():
    error = refused(ran(stream(suite(case("a", "echo"))), "--", "python3 server.py"))
    assert error["detail"] == "PROCESS_START_FAILED"
    assert "Remove the quotes" in error["hint"]
    assert "`-- python3 server.py`" in error["hint"]


@pytest.mark.parametrize("protocol", ["auto", "legacy", "modern"])
def test_a_command_that_only_echoes_is_called_so(protocol):
    error = refused(ran(stream(suite(case("a", "echo"))), "--protocol", protocol, "--", "cat"))
    assert error["detail"] == "HANDSHAKE_FAILED"
    assert "sends back what it gets" in error["message"]


def test_a_file_without_an_executable_format_is_not_given_to_a_shell(tmp_path):
    script = tmp_path / "server"
    script.write_text("touch $0.ran\n")
    script.chmod(0o755)
    assert (
        refused(ran(stream(suite(case("a", "echo"))), "--", str(script)))["detail"] == "PROCESS_START_FAILED"
    )
    assert list(tmp_path.iterdir()) == [script]


def test_retry_tries_the_connection_again(faults, tmp_path):
    pids = tmp_path / "pids"
    run = faults(
        suite(case("a", "echo")),
        mode="exits",
        args=(str(pids),),
        options=("--retry", "2", "--protocol", "legacy"),
    )
    assert run.notices() == ["CONNECTION_RETRIED", "CONNECTION_RETRIED"]
    assert refused(run)["detail"] == "PROCESS_EXITED"


def test_retry_runs_a_case_again_whose_connection_broke(faults):
    run = faults(suite(case("a", "crash"), case("b", "echo")), options=("--retry", "1"))
    attempts = [one.get("attempt") for one in run.all("caseFinished") if one["index"] == 0]
    assert attempts == [1, 2]
    assert run.one("runFinished")["summary"]["failed"] == 1


def test_a_case_that_passes_on_retry_is_flaky(faults, tmp_path):
    once = tmp_path / "once"
    flaky = case("a", "crash-once", input={"file": str(once)})
    run = faults(suite(flaky, case("b", "echo")), options=("--retry", "1"))
    assert run.statuses() == {"a": "passed", "b": "passed"}
    assert run.cases()["a"]["flaky"] is True
    assert run.code == 0


def test_the_server_gets_six_variables_and_those_named(faults):
    run = faults(
        suite(case("a", "place")), options=("--env", "WANTED"), WANTED="a-wanted-value", UNWANTED="x"
    )
    names = set(block(run)["env"]) - {"LC_CTYPE"}  # Python sets this one itself in the C locale
    assert names <= {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "WANTED"}
    assert "WANTED" in names


def test_the_value_of_a_named_variable_is_written_nowhere(faults):
    run = faults(
        suite(case("a", "place"), case("b", "stderr", input={"line": "it is a-wanted-value"})),
        options=("--env", "WANTED"),
        WANTED="a-wanted-value",
    )
    written = json.dumps([record for record in run.records if record["type"] != "suite"])
    assert "a-wanted-value" not in written
    assert run.cases()["b"]["stderr"] == ["it is [REDACTED]"]


def test_cwd_is_the_directory_of_the_server(faults, tmp_path):
    assert block(faults(suite(case("a", "place")), options=("--cwd", str(tmp_path))))["cwd"] == str(
        tmp_path.resolve()
    )


def test_a_missing_cwd_is_told():
    error = refused(ran(stream(suite(case("a", "echo"))), "--cwd", "/no/such/dir", "--", sys.executable))
    assert "/no/such/dir" in error["message"]


def test_each_suite_gets_a_server_of_its_own(faults, tmp_path):
    pids = tmp_path / "pids"
    faults(suite(case("a", "echo")), suite(case("b", "echo")), args=(str(pids),))
    assert len(set(pids.read_text().split())) == 2


def test_repeat_starts_a_new_server_each_time(faults, tmp_path):
    pids = tmp_path / "pids"
    run = faults(suite(case("a", "echo")), args=(str(pids),), options=("--repeat", "3"))
    assert [started["repeat"] for started in run.all("runStarted")] == [1, 2, 3]
    assert len(set(pids.read_text().split())) == 3


def test_a_config_file_names_the_server(faults, tmp_path):
    config = tmp_path / "mcp.json"
    server = {"command": sys.executable, "args": ["${FAULTS}", "${MODE:-good}"], "env": {"X": "${SECRET}"}}
    config.write_text(json.dumps({"mcpServers": {"one": server}}))
    run = ran(
        stream(suite(case("a", "place"))),
        "--config",
        str(config),
        "--server",
        "one",
        FAULTS=str(FAULTS),
        SECRET="long-secret-1",
    )
    assert block(run)["env"]["X"] == "[REDACTED]"


def test_a_config_file_without_a_named_server_runs_them_all(tmp_path):
    config = tmp_path / "mcp.json"
    server = {"command": sys.executable, "args": [str(FAULTS)]}
    config.write_text(json.dumps({"mcpServers": {"one": server, "two": server}}))
    run = ran(stream(suite(case("a", "echo"))), "--config", str(config))
    assert len(run.all("runStarted")) == 2
    assert run.code == 0


def test_the_reset_command_runs_before_every_run(faults, tmp_path):
    mark = tmp_path / "mark"
    command = f"{sys.executable} -c \"open('{mark}','a').write('x')\""
    run = faults(suite(case("a", "echo")), options=("--repeat", "2", "--reset-cmd", command))
    assert mark.read_text() == "xx"
    assert run.all("runStarted")[0]["reset"] is True


def test_a_reset_command_that_fails_stops_the_run(faults, tmp_path):
    pids = tmp_path / "pids"
    run = faults(
        suite(case("a", "echo")), args=(str(pids),), options=("--reset-cmd", f"{sys.executable} -c 1/0")
    )
    assert run.one("error")["code"] == "RESET_COMMAND_FAILED"
    assert not pids.exists()
    assert run.code == 3


def test_jobs_run_suites_side_by_side_each_whole(faults):
    slow = [suite(case("a", "slow", input={"seconds": 0.2}), id=f"s{number}") for number in range(4)]
    run = faults(*slow, options=("--jobs", "4"))
    assert sorted(one["run"] for one in run.all("runFinished")) == [0, 1, 2, 3]
    assert run.code == 0
    for number in range(4):
        kinds = [record["type"] for record in run.records if record.get("run") == number]
        assert kinds == ["runStarted", "caseStarted", "caseFinished", "runFinished"]


def test_matrix_runs_every_era_and_says_which_is_not_spoken(faults):
    run = faults(suite(case("a", "echo")), options=("--matrix",))
    assert [one["server"]["era"] for one in run.all("runStarted")] == ["legacy"]
    assert run.notices() == ["MATRIX_ERA_REFUSED"]
    assert run.code == 0


def test_an_interrupt_pipe_of_ours_is_no_business_of_the_server(faults):
    assert os.environ.get("MCPEAK_RECORDS_FD") is None
    assert "MCPEAK_RECORDS_FD" not in block(faults(suite(case("a", "place"))))["env"]


@pytest.mark.parametrize("options", [("--protocol", "2025-01-01"), ("--ca", "no/such/file")])
def test_an_option_that_cannot_be_used_is_a_record_of_a_whole_stream(faults, options):
    """So that a report says just that, and nothing of a stream that was cut."""
    ran = faults(suite(case("a", "echo")), options=options)
    assert [record["type"] for record in ran.records] == ["begin", "error", "end"]


def test_a_hint_is_ours_and_keeps_its_words():
    from mcpeak.command.redact import Redactor
    from mcpeak.link.client import ConnectFailed
    from mcpeak.run.connection import Connection

    code = "HTTP_UNAUTHORIZED"
    failed = ConnectFailed(code, room="http", words=code, url="http://a/", body="")
    connection = object.__new__(Connection)
    connection._redactor = Redactor([])
    assert "Authorization=MY_TOKEN" in connection.error(failed).hint


def test_a_handshake_whose_line_does_not_end_is_not_waited_for(faults):
    error = refused(faults(suite(case("a", "echo")), mode="unended"))
    assert error["detail"] == "HANDSHAKE_FAILED"
    assert "the end of its line is not" in error["message"]


def test_a_handshake_with_a_string_for_an_id_is_not_waited_for(faults):
    error = refused(faults(suite(case("a", "echo")), mode="text-id"))
    assert error["detail"] == "HANDSHAKE_FAILED"
    assert "a string as id" in error["message"]
