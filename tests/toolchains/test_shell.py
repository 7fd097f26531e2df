"""Completion scripts in the real shells."""

import shutil
import subprocess
from pathlib import Path

import pytest

from support.programs import environment, run


@pytest.fixture(scope="module", params=["bash", "zsh", "fish"])
def shell(request: pytest.FixtureRequest) -> str:
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return request.param


def test_the_script_is_one_that_the_shell_reads(shell: str, tmp_path: Path):
    script = tmp_path / "script"
    made = run("mcpeak", "completion", shell)
    assert made.returncode == 0, made.stderr
    script.write_bytes(made.stdout)
    done = subprocess.run([shell, "-n", str(script)], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_an_option_of_test(tmp_path: Path):
    script = tmp_path / "script"
    script.write_bytes(run("mcpeak", "completion", "bash").stdout)
    ask = (
        f"source {script}; COMP_WORDS=(mcpeak test --jun); COMP_CWORD=2; "
        '$(complete -p mcpeak | sed "s/.*-F \\([^ ]*\\).*/\\1/") mcpeak --jun test; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", ask], env=environment(), capture_output=True, text=True, timeout=60, check=False
    )
    assert "--junit" in done.stdout, done.stderr


def test_an_unknown_shell_is_a_usage_error():
    done = run("mcpeak", "completion", "cobol")
    assert done.returncode == 1
    assert b"CLI_USAGE" in done.stderr
