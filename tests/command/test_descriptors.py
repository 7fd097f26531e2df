"""Programs that are started without stdin, stdout or stderr."""

import subprocess
import sys

import pytest
from tests.support.programs import DATA, ROOT

SUITE = str(DATA / "cases" / "stdout-banner" / "suite.json")
SERVER = [sys.executable, str(DATA / "cases" / "stdout-banner" / "server.py")]


def without(closed: str, *words: str) -> int:
    """Run a program of ours with closed descriptors (`<&-` and so on); give its exit code."""
    script = f'exec "$@" {closed}'
    program = [sys.executable, str(ROOT / "bin" / words[0]), *words[1:]]
    return subprocess.run(
        ["bash", "-c", script, "-", *program], capture_output=True, timeout=30, check=False
    ).returncode


@pytest.mark.parametrize("closed", ["<&-", "<&- 2>&-"])
def test_a_run_with_closed_stdin_reads_no_pipe_of_its_own(closed: str) -> None:
    """It hung: the first pipe that it opened had become its stdin."""
    assert without(closed, "mcpeak-run", "--", *SERVER) == 3


@pytest.mark.parametrize("closed", [">&-", "<&- >&-", "<&- >&- 2>&-"])
def test_a_report_that_nobody_can_read_is_no_success(closed: str) -> None:
    assert without(closed, "mcpeak", "test", SUITE, "--", *SERVER) == 1


def test_closed_stdin_and_stderr_change_no_verdict() -> None:
    assert without("<&- 2>&-", "mcpeak", "test", SUITE, "--", *SERVER) == 0
