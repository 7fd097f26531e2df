"""`pytest x.suite.json --mcp-server …` makes each case a test of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.programs import ROOT, environment

SERVER = f"{sys.executable} {ROOT / 'examples' / 'weather' / 'server.py'}"
EXAMPLES = ROOT / "examples" / "weather"


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder with this checkout's plugin, whether or not mcpeak is installed."""
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:mcpeak",
        "-p",
        "mcpeak.pytest_plugin",
        "-p",
        "no:cacheprovider",
    ]
    env = environment(PYTHONPATH=os.fspath(ROOT / "lib"))
    return subprocess.run(
        [*words, *arguments], cwd=folder, env=env, capture_output=True, text=True, timeout=100, check=False
    )


def test_each_case_is_a_test(tmp_path: Path):
    done = run_pytest(tmp_path, str(EXAMPLES / "weather.suite.json"), "--mcp-server", SERVER, "-v")
    assert done.returncode == 0, done.stdout
    assert "7 passed" in done.stdout
    assert "weather.suite.json::seoul PASSED" in done.stdout


def test_a_failing_case_shows_its_diagnostic_and_no_traceback(tmp_path: Path):
    done = run_pytest(tmp_path, str(EXAMPLES / "failing.suite.json"), "--mcp-server", SERVER)
    assert done.returncode == 1
    assert "[BODY_SCHEMA_MISMATCH]" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_case_that_was_not_run_is_skipped_behind_a_failure(tmp_path: Path):
    done = run_pytest(tmp_path, str(EXAMPLES / "failing.suite.json"), "--mcp-server", SERVER, "-rs")
    assert "1 skipped" in done.stdout


def test_one_case_can_be_chosen(tmp_path: Path):
    done = run_pytest(tmp_path, str(EXAMPLES / "weather.suite.json"), "--mcp-server", SERVER, "-k", "jeju")
    assert "1 passed, 6 deselected" in done.stdout


def test_an_invalid_suite_is_a_collection_error_with_its_issues(tmp_path: Path):
    (tmp_path / "bad.suite.json").write_text("{}")
    done = run_pytest(tmp_path, "--mcp-server", SERVER)
    assert done.returncode == 2
    assert "MISSING_REQUIRED_FIELD" in done.stdout


def test_a_server_that_cannot_start_fails_the_cases_with_the_reason(tmp_path: Path):
    done = run_pytest(tmp_path, str(EXAMPLES / "weather.suite.json"), "--mcp-server", "/no/such/server")
    assert done.returncode == 1
    assert "MCP_CONNECTION_FAILED" in done.stdout


def test_suites_are_left_alone_where_no_server_is_named(tmp_path: Path):
    (tmp_path / "bad.suite.json").write_text("{}")
    (tmp_path / "test_other.py").write_text("def test_it(): pass")
    assert "1 passed" in run_pytest(tmp_path).stdout


def test_the_server_can_stand_in_the_configuration(tmp_path: Path):
    (tmp_path / "pytest.ini").write_text(f"[pytest]\nmcp_server = {SERVER}\n")
    (tmp_path / "a.suite.json").write_bytes((EXAMPLES / "weather.suite.json").read_bytes())
    assert "7 passed" in run_pytest(tmp_path).stdout


@pytest.mark.parametrize("name", ["weather.suite.json", "failing.suite.json"])
def test_no_server_is_left_behind(tmp_path: Path, name: str):
    log = tmp_path / "pids"
    wrapper = tmp_path / "server.py"
    wrapper.write_text(
        f"import os\nopen({str(log)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        f"exec(compile(open({str(EXAMPLES / 'server.py')!r}).read(), 'server.py', 'exec'))\n"
    )
    run_pytest(tmp_path, str(EXAMPLES / name), "--mcp-server", f"{sys.executable} {wrapper}", "-x")
    alive = [pid for pid in log.read_text().split() if Path(f"/proc/{pid}").exists()]
    assert alive == []


def test_the_case_ids_are_those_of_the_suite(tmp_path: Path):
    listed = run_pytest(
        tmp_path, str(EXAMPLES / "weather.suite.json"), "--mcp-server", SERVER, "--collect-only", "-q"
    )
    ids = [case["id"] for case in json.loads((EXAMPLES / "weather.suite.json").read_text())["cases"]]
    assert [line.split("::")[1] for line in listed.stdout.splitlines() if "::" in line] == ids


def test_a_failure_says_where_it_stands_and_how_to_repeat_it(tmp_path: Path):
    (tmp_path / "a.suite.json").write_bytes((EXAMPLES / "failing.suite.json").read_bytes())
    done = run_pytest(tmp_path, "a.suite.json", "--mcp-server", SERVER, "-k", "not-refused")
    assert "at: a.suite.json:17:22" in done.stdout
    assert f"repeat: mcpeak test a.suite.json --filter not-refused -- {SERVER}" in done.stdout


def test_a_suite_asked_for_without_a_server_names_the_option(tmp_path: Path):
    (tmp_path / "a.suite.json").write_bytes((EXAMPLES / "weather.suite.json").read_bytes())
    done = run_pytest(tmp_path, "a.suite.json::seoul")
    assert done.returncode == 4
    assert "MCP_SERVER_MISSING" in done.stderr
    assert "--mcp-server" in done.stderr
