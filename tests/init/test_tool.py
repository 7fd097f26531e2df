"""mcpeak-init behind mcpeak-tools, as `mcpeak init` wires them."""

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
