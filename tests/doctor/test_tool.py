"""mcpeak-doctor as a user starts it."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from mcpeak import __version__
from mcpeak.doctor.tool import PACKAGES
from support.programs import BIN, ROOT, environment, run


def test_a_checkout_is_healthy_and_says_its_version():
    done = run("mcpeak-doctor")
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"mcpeak: {__version__}" in done.stdout.decode()


def test_every_dependency_of_the_package_is_checked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert sorted(re.split(r"[<>=!~\[ ]", each)[0] for each in project["dependencies"]) == sorted(PACKAGES)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_it_speaks_both_languages(language: str):
    done = run("mcpeak-doctor", "--lang", language, PATH="/nowhere")
    assert ("없음" in done.stdout.decode()) == (language == "ko")


def bare(program: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Run a program of ours under this Python without any package installed."""
    start = [sys.executable, "-S", str(BIN / program), *words]
    return subprocess.run(start, capture_output=True, env=environment(), timeout=60, check=False)


def test_without_its_packages_the_doctor_still_answers_and_gives_the_remedy_once():
    done = bare("mcpeak-doctor")
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.count(b"--force-reinstall") == 1
    assert [name for name in PACKAGES if f"✗ {name}: ".encode() not in done.stdout] == []


@pytest.mark.parametrize(
    ("words", "code"), [(["mcpeak", "test", "x"], 1), (["mcpeak", "doctor"], 1), (["mcpeak-validate"], 70)]
)
def test_without_its_packages_any_other_program_points_to_the_doctor(words: list[str], code: int):
    done = bare(*words)
    assert (done.returncode, b"mcpeak-doctor" in done.stderr) == (code, True)
    assert b"Traceback" not in done.stderr


def test_it_needs_no_path_no_home_and_no_folder_to_write_to():
    done = run("mcpeak-doctor", PATH="", HOME="/dev/null", XDG_STATE_HOME="/proc/1", cwd=Path("/"))
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "words", [["mcpeak-doctor"], ["mcpeak-call", "--help"], ["mcpeak-run", "--version"], ["mcpeak", "help"]]
)
def test_a_full_disk_is_told_and_no_bug_of_ours(words: list[str]):
    start = [sys.executable, str(BIN / words[0]), *words[1:]]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            start, stdout=full, stderr=subprocess.PIPE, env=environment(), timeout=60, check=False
        )
    assert b"[STDOUT_FAILED]" in done.stderr
