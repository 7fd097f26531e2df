"""mcpeak-init behind mcpeak-tools, as `mcpeak init` wires them."""

import json
import shlex
import sys
from pathlib import Path

from support.programs import ROOT, run

WEATHER = ["--", sys.executable, str(ROOT / "examples" / "weather" / "server.py")]


def test_the_suite_it_writes_passes(tmp_path: Path):
    done = run("mcpeak", "init", "--out", "first.suite.json", *WEATHER, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert run("mcpeak", "test", "first.suite.json", *WEATHER, cwd=tmp_path).returncode == 0


def test_a_file_that_is_there_is_left_alone(tmp_path: Path):
    file = tmp_path / "weather.suite.json"
    file.write_text("mine")
    tools = run("mcpeak-tools", *WEATHER).stdout
    done = run("mcpeak-init", stdin=tools, cwd=tmp_path)
    assert (done.returncode, file.read_text()) == (1, "mine")
    assert b"FILE_EXISTS" in done.stderr


def test_a_server_without_tools_has_nothing_to_test():
    done = run("mcpeak-init", stdin='{"type":"end","stage":"tools","counts":{}}\n')
    assert done.returncode == 1
    assert b"NO_TOOLS" in done.stderr


def test_a_cut_stream_writes_nothing(tmp_path: Path):
    tools = run("mcpeak-tools", *WEATHER).stdout
    done = run("mcpeak-init", stdin=tools[: tools.rindex(b'{"type":"end"')], cwd=tmp_path)
    assert (done.returncode, list(tmp_path.iterdir())) == (3, [])


def test_what_it_tells_to_run_can_be_run(tmp_path: Path):
    done = run("mcpeak", "init", *WEATHER, cwd=tmp_path)
    lines = done.stdout.decode().splitlines()[1:]
    commands = [line[line.index("mcpeak ") :] for line in lines]
    assert [shlex.split(command)[1] for command in commands] == ["test", "call", "generate"]
    for command in commands[:2]:
        again = run(*shlex.split(command), cwd=tmp_path)
        assert again.returncode in (0, 1), again.stderr
        assert b"CLI_USAGE" not in again.stderr


def test_the_case_is_named_in_the_language_of_the_user(tmp_path: Path):
    run("mcpeak", "init", "--lang", "ko", "--out", "a.suite.json", *WEATHER, cwd=tmp_path)
    assert "모든 툴이 목록에 있다" in (tmp_path / "a.suite.json").read_text("utf-8")


def test_the_server_is_named_as_the_user_named_it(tmp_path: Path):
    words = ["--env", "PATH", "--cwd", str(tmp_path)]
    done = run("mcpeak", "init", *words, *WEATHER, cwd=tmp_path)
    assert f"--cwd {tmp_path} --env PATH -- {sys.executable}" in done.stdout.decode()
    servers = {"mcpServers": {"w": {"command": WEATHER[1], "args": WEATHER[2:]}}}
    (tmp_path / "mcp.json").write_text(json.dumps(servers))
    done = run("mcpeak", "init", "--force", "--config", "mcp.json", "--server", "w", cwd=tmp_path)
    assert done.stdout.decode().count("--config mcp.json --server w\n") == 3
