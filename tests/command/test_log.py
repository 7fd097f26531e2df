"""Diagnostics on request: off by default, JSON lines when asked for, never a secret."""

import json
import sys
from pathlib import Path

from support.programs import ROOT, run

SUITE = str(ROOT / "examples" / "weather" / "weather.suite.json")
WEATHER = ["--", sys.executable, str(ROOT / "examples" / "weather" / "server.py")]


def logged(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_nothing_is_logged_unasked():
    assert run("mcpeak", "test", SUITE, *WEATHER).stderr == b""


def test_every_line_says_when_and_which_process(tmp_path: Path):
    run("mcpeak", "test", SUITE, *WEATHER, MCPEAK_LOG=str(tmp_path / "log"))
    assert all({"timestamp", "pid", "event"} <= line.keys() for line in logged(tmp_path / "log"))


def test_the_messages_to_and_from_the_server_are_there(tmp_path: Path):
    run("mcpeak", "test", SUITE, *WEATHER, MCPEAK_LOG=str(tmp_path / "log"))
    events = [line["event"] for line in logged(tmp_path / "log")]
    assert {"begin", "started", "sent", "received", "ended", "end"} <= set(events)


def test_it_can_go_to_stderr_and_leaves_stdout_alone():
    quiet = run("mcpeak", "test", SUITE, *WEATHER)
    loud = run("mcpeak", "test", SUITE, *WEATHER, MCPEAK_LOG="stderr")
    assert loud.stdout == quiet.stdout
    assert json.loads(loud.stderr.splitlines()[0])["event"] == "begin"


def test_no_secret_is_logged(tmp_path: Path):
    secret = "hunter2-hunter2"
    call = [
        "mcpeak-call",
        "get_weather",
        json.dumps({"city": secret, "apiKey": "k-123456789"}),
        "--env",
        "MY_KEY",
    ]
    run(*call, *WEATHER, MCPEAK_LOG=str(tmp_path / "log"), MY_KEY=secret)
    text = (tmp_path / "log").read_text("utf-8")
    assert secret not in text
    assert "k-123456789" not in text


def test_the_log_is_for_its_owner_only(tmp_path: Path):
    run("mcpeak-validate", SUITE, MCPEAK_LOG=str(tmp_path / "log"))
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600


def test_a_log_that_cannot_be_written_changes_nothing(tmp_path: Path):
    assert run("mcpeak-validate", SUITE, MCPEAK_LOG=str(tmp_path / "no" / "log")).returncode == 0
