"""mcpeak-call as a user starts it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.programs import BIN, ROOT, environment, run

WEATHER = ["--", sys.executable, str(ROOT / "examples" / "weather" / "server.py")]


def test_an_answer_is_shown():
    done = run("mcpeak-call", "get_weather", '{"city":"Seoul"}', *WEATHER)
    assert done.returncode == 0, done.stderr
    assert b"Seoul" in done.stdout


def test_arguments_come_from_stdin_too():
    done = run("mcpeak-call", "add", "-", "--json", *WEATHER, stdin='{"a": 2,\n "b": 3}')
    assert json.loads(done.stdout)["content"][0]["type"] == "text"


def test_an_error_answer_is_a_no():
    assert run("mcpeak-call", "get_weather", '{"city":"Atlantis"}', *WEATHER).returncode == 1


def test_a_saved_call_is_a_suite_that_passes(tmp_path: Path):
    suite = str(tmp_path / "kept.suite.json")
    for city in ("Seoul", "Atlantis"):
        run("mcpeak-call", "get_weather", json.dumps({"city": city}), "--save", suite, *WEATHER)
    assert [case["id"] for case in json.loads(Path(suite).read_text())["cases"]] == [
        "get-weather",
        "get-weather-2",
    ]
    assert run("mcpeak", "test", suite, *WEATHER).returncode == 0


def test_a_file_that_is_no_suite_is_left_alone(tmp_path: Path):
    file = tmp_path / "other.json"
    file.write_text("{}")
    done = run("mcpeak-call", "add", '{"a":1,"b":2}', "--save", str(file), *WEATHER)
    assert (done.returncode, file.read_text()) == (3, "{}")


@pytest.mark.parametrize(
    ("arguments", "code", "name"),
    [
        (["add", "{", *WEATHER], 3, b"INPUT_NO_JSON"),
        (["add", "[]", *WEATHER], 3, b"INPUT_NO_OBJECT"),
        (["add", "{}"], 2, b"CLI_USAGE"),
        (["add", "{}", "--", "/no/such/server"], 4, b"MCP_CONNECTION_FAILED/PROCESS_START_FAILED"),
    ],
)
def test_trouble_is_told_with_its_code(arguments: list[str], code: int, name: bytes):
    done = run("mcpeak-call", *arguments)
    assert done.returncode == code
    assert name in done.stderr


def test_a_tool_that_is_not_there_names_the_nearest(tmp_path: Path):
    suite = tmp_path / "kept.suite.json"
    done = run("mcpeak-call", "get_wether", "{}", "--save", str(suite), *WEATHER)
    assert (done.returncode, suite.exists()) == (1, False)
    assert b"did you mean get_weather?" in done.stderr


def test_saving_into_an_approved_suite_says_that_the_approval_is_stale(tmp_path: Path):
    suite = tmp_path / "kept.suite.json"
    words = ["mcpeak-call", "add", '{"a":1,"b":2}', "--save", str(suite), *WEATHER]
    assert b"The approval of" not in run(*words).stderr
    run("mcpeak-fingerprint", "--approve", str(suite))
    assert b"The approval of" in run(*words).stderr


def test_the_help_shows_the_empty_object_as_it_is_typed():
    assert b"(default: {})" in run("mcpeak-call", "--help").stdout


@pytest.mark.parametrize(
    ("which", "code", "told"),
    [
        ("legacy", 0, b""),
        ("2025-06-18", 0, b""),
        ("modern", 4, b"server/discover"),
        ("newest", 2, b"2025-06-18"),
    ],
)
def test_the_protocol_can_be_chosen(which: str, code: int, told: bytes):
    done = run("mcpeak-call", "add", '{"a":1,"b":2}', "--protocol", which, *WEATHER)
    assert (done.returncode, told in done.stderr) == (code, True)


@pytest.mark.parametrize("option", ["--timeout", "--start-timeout"])
@pytest.mark.parametrize("limit", ["nan", "-1", "0", "inf", "soon"])
def test_a_limit_that_nobody_can_wait_is_wrong_usage(option: str, limit: str):
    done = run("mcpeak-call", "add", f"{option}={limit}", *WEATHER)
    assert (done.returncode, b"CLI_USAGE/VALUE_REFUSED" in done.stderr) == (2, True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_ends_the_call_and_its_server_with_the_code_of_that_signal(tmp_path: Path, number: int):
    started = tmp_path / "started"
    os.mkfifo(started)
    silent = f"import os, time\nopen({str(started)!r}, 'w').write(str(os.getpid()))\ntime.sleep(60)"
    command = [sys.executable, str(BIN / "mcpeak-call"), "t", "--", sys.executable, "-c", silent]
    calling = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    server = int(started.read_text())
    calling.send_signal(number)
    assert (calling.communicate(timeout=30), calling.returncode) == ((b"", b""), 128 + number)
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)
