"""`--` before the server's command, the same for every program and command that takes a server."""

import json
import sys

import pytest

from support.programs import ROOT, run

SUITE = str(ROOT / "examples" / "weather" / "weather.suite.json")
OURS = ["--lang", "ko", "--help", "-h", "--", "--url", "", "x y"]
PROGRAMS = {
    "tools": (["mcpeak-tools"], 2),
    "call": (["mcpeak-call", "add"], 2),
    "run": (["mcpeak-run"], 2),
    "mock": (["mcpeak-mock", "--from-server"], 2),
    "session": (["mcpeak-session", "record", "s.json"], 2),
    "front call": (["mcpeak", "call", "add"], 2),
    "front test": (["mcpeak", "test", SUITE], 1),
    "front generate": (["mcpeak", "generate", "--baseline-only"], 1),
    "front init": (["mcpeak", "init"], 1),
}


@pytest.fixture
def server(tmp_path):
    """Write a server that writes its arguments down and ends."""
    (tmp_path / "server.py").write_text(
        "import json, sys\nwith open('seen.json', 'w') as file:\n    json.dump(sys.argv[1:], file)\n"
    )
    return [sys.executable, "server.py"]


@pytest.fixture
def suites():
    return run("mcpeak-validate", SUITE).stdout


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_follows_the_dashes_is_the_server_s_alone(name, server, suites, tmp_path):
    run(*PROGRAMS[name][0], "--", *server, *OURS, stdin=suites, cwd=tmp_path)
    assert json.loads((tmp_path / "seen.json").read_text()) == OURS


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_command_that_is_missing_is_wrong_usage_and_told_so(name, suites, tmp_path):
    words, code = PROGRAMS[name]
    done = run(*words, "--", stdin=suites, cwd=tmp_path)
    assert done.returncode == code
    assert b"CLI_USAGE" in done.stdout + done.stderr
    assert b"-- node server.mjs" in done.stdout + done.stderr


@pytest.mark.parametrize("name", sorted(set(PROGRAMS) - {"session", "front call"}))
def test_an_empty_command_is_no_command(name, suites, tmp_path):
    words, code = PROGRAMS[name]
    done = run(*words, "--", "", stdin=suites, cwd=tmp_path)
    assert (done.returncode, b"-- node server.mjs" in done.stdout + done.stderr) == (code, True)


@pytest.mark.parametrize("name", sorted(set(PROGRAMS) - {"mock", "front call"}))
def test_an_empty_word_before_the_dashes_starts_nothing(name, server, suites, tmp_path):
    words, code = PROGRAMS[name]
    extra = ["{}", ""] if name == "call" else [""]
    done = run(*words, *extra, "--", *server, stdin=suites, cwd=tmp_path)
    assert (done.returncode, (tmp_path / "seen.json").exists()) == (code, False)
