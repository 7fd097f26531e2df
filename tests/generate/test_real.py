"""From real servers to suites that pass: generated, saved, validated, run."""

import json
import shutil
from pathlib import Path

import pytest

from real.installing import SERVERS, installed
from support.programs import run

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(
        shutil.which("npm") is None, reason="the servers are npm packages, and npm is missing"
    ),
]
FIXTURES = Path(__file__).with_name("fixtures")


def command(name: str) -> list[str]:
    return [word.format(bin=installed(name)) for word in SERVERS[name]["command"]]


@pytest.mark.parametrize("name", ["memory", "calc", "time"])
def test_a_generated_suite_passes_against_its_server(name: str, tmp_path: Path) -> None:
    env = SERVERS[name].get("env", {})
    named = [word for variable in env for word in ("--env", variable)]
    fixtures = FIXTURES / f"{name}.json"
    given = ["--fixtures", str(fixtures)] if fixtures.exists() else []
    server = [*named, "--", *command(name)]
    made = run(
        "mcpeak", "generate", "--baseline-only", "--out", "s.json", *given, *server, cwd=tmp_path, **env
    )
    assert (made.returncode, made.stderr) == (0, b"")
    assert run("mcpeak-validate", "s.json", cwd=tmp_path).returncode == 0
    tested = run("mcpeak", "test", "s.json", "--json", *server, cwd=tmp_path, **env)
    report = json.loads(tested.stdout)
    assert (tested.returncode, report["status"], report["spec"]["approval"]) == (0, "passed", "matched")
    assert report["summary"]["rejectionUnverified"] == 0


def test_a_dry_run_of_a_real_server_is_approved_unasked(tmp_path: Path) -> None:
    made = run("mcpeak", "generate", "--yes", "--out", "s.json", "--", *command("time"), cwd=tmp_path)
    assert made.returncode == 0
    statuses = {
        each["id"]: each["status"]
        for each in json.loads((tmp_path / "s.json").read_text())["approval"]["cases"]
    }
    assert statuses["get-current-time-success"] == "serverDefect"
    assert statuses["get-current-time-missing-timezone"] == "passed"
