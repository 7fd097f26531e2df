"""How a run says by which words its server is reached again."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from support.programs import ROOT, run
from support.running import case, ran, stream, suite

FAULTS = Path(__file__).parent / "servers" / "faults.py"
COMMAND = ("--", sys.executable, str(FAULTS))
WORDS = f"-- {shlex.join(COMMAND[1:])}"
SECRET = "a-value-nobody-may-see"
FAILING = suite(case("a", "echo", {"type": "isError", "expected": True}))


def reached(*arguments, **env):
    done = ran(stream(FAILING), *arguments, **env)
    return done.one("runStarted").get("reachedBy")


def test_a_command_alone_is_said_by_the_target():
    assert reached(*COMMAND) is None


@pytest.mark.parametrize(
    "options",
    [
        ("--env", "KEY"),
        ("--cwd", "/"),
        ("--protocol", "2025-06-18"),
        ("--roots", "/tmp"),
        ("--start-timeout", "20"),
        ("--protocol", "legacy", "--cwd", "/", "--env", "KEY", "--reset-cmd", "true now"),
    ],
)
def test_options_that_reach_the_server_are_kept(options):
    told = reached(*options, *COMMAND, KEY=SECRET)
    assert told == f"{shlex.join(options)} {WORDS}"


def test_a_server_of_a_configuration_is_named(tmp_path):
    file = tmp_path / "servers.json"
    entry = {"command": sys.executable, "args": [str(FAULTS)], "env": {"API_TOKEN": SECRET}}
    file.write_text(json.dumps({"mcpServers": {"my server": entry}}))
    assert reached("--config", str(file)) == f"--config {file} --server 'my server'"


def test_each_era_of_a_matrix_names_its_own():
    run = ran(stream(FAILING), "--matrix", "--protocol", "legacy", *COMMAND).one("runStarted")
    assert run["reachedBy"] == f"--protocol legacy {WORDS}"


def test_no_secret_is_among_the_words():
    reset = f"env A={SECRET} true --token 123456789"
    told = reached(
        "--env", "KEY", "--reset-cmd", reset, "--proxy", "http://me:pass@h:1", *COMMAND, KEY=SECRET
    )
    assert "--env KEY" in told
    assert not any(word in told for word in (SECRET, "123456789", "pass@"))


def test_the_line_of_a_failure_repeats_it_when_pasted(tmp_path):
    """A server that finds its data only in its directory, and its key only in its environment."""
    server = ROOT / "examples" / "weather" / "server.py"
    script = (
        "import os, runpy, sys; os.environ['KEY']; open('here').close(); "
        "runpy.run_path(sys.argv[1], run_name='__main__')"
    )
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "here").touch()
    call = case("a", "add", {"type": "isError", "expected": True}, input={"a": 1, "b": 2})
    (tmp_path / "s.suite.json").write_text(json.dumps(suite(case("b", "add"), call)))
    words = ("--env", "KEY", "--cwd", "data", "--", sys.executable, "-c", script, str(server))
    first = run("mcpeak", "test", "s.suite.json", *words, cwd=tmp_path, KEY=SECRET).stdout.decode()
    assert SECRET not in first
    line = next(line.split("repeat")[1] for line in first.splitlines() if " --filter a " in line)
    program, *again = shlex.split(line)
    second = run(program, *again, cwd=tmp_path, KEY=SECRET).stdout.decode()
    assert "0 passed, 1 failed (1 total)" in second
    assert "IS_ERROR_MISMATCH" in second
