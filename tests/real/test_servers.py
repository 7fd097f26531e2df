"""Real servers, as users install them: each with its own suite, green twice in a row, nothing left behind."""

import subprocess
import sys

import psutil
import pytest

from real.installing import HERE, SERVERS, command, eras
from support.programs import BIN, environment

pytestmark = pytest.mark.real
SUITES = HERE.parents[1] / "tests" / "real" / "suites"
GIT = ["git", "-c", "user.name=mcpeak", "-c", "user.email=mcpeak@example.org"]


@pytest.fixture
def folder(tmp_path):
    """What the servers' suites expect in their working directory."""
    (tmp_path / "hello.txt").write_text("hello\nworld\n")
    subprocess.run(["git", "init", "-q", "-b", "main", "repository"], cwd=tmp_path, check=True, timeout=30)
    repository = tmp_path / "repository"
    subprocess.run(
        [*GIT, "commit", "-q", "--allow-empty", "-m", "first"], cwd=repository, check=True, timeout=30
    )
    return tmp_path


def left():
    """The processes of installed servers that still run."""
    found = []
    for process in psutil.process_iter(["pid", "cmdline", "status"]):
        words = " ".join(process.info["cmdline"] or [])
        if str(HERE) in words and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(words)
    return found


@pytest.mark.timeout(900)
@pytest.mark.parametrize("time", ["once", "twice"])
@pytest.mark.parametrize(("name", "era"), [(name, era) for name in SERVERS for era in eras(name)])
def test_a_real_server_passes_its_suite(name, era, time, folder):
    variables = SERVERS[name].get("env", {})
    options = ["--protocol", era, *(word for each in variables for word in ("--env", each))]
    words = [sys.executable, str(BIN / "mcpeak"), "test", str(SUITES / f"{name}.suite.json"), *options]
    done = subprocess.run(
        [*words, "--junit", "report.xml", "--", *command(name)],
        cwd=folder,
        capture_output=True,
        env=environment(**variables),
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    assert (folder / "report.xml").exists()
    assert left() == []
