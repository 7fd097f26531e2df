import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcpeak import __version__
from support.programs import BIN, environment, run


@pytest.fixture
def path_with(tmp_path):
    """A folder on PATH with one program of somebody else."""
    program = tmp_path / "mcpeak-greet"
    program.write_text('#!/bin/sh\necho "hello $*"\nexit 7\n')
    program.chmod(0o755)
    return f"{tmp_path}{os.pathsep}{os.environ['PATH']}"


def test_the_version_is_the_package_s():
    assert run("mcpeak", "--version").stdout.decode() == f"mcpeak {__version__}\n"


@pytest.mark.parametrize("words", [[], ["-h"], ["--help"], ["help"], ["--help", "--lang", "en"]])
def test_help_is_the_same_however_asked_for(words):
    done = run("mcpeak", *words)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == run("mcpeak", "help").stdout


def test_help_speaks_korean_when_asked():
    assert "사용법" in run("mcpeak", "--help", "--lang", "ko").stdout.decode()
    assert "사용법" in run("mcpeak", "help", MCPEAK_LANG="ko").stdout.decode()


def test_an_unknown_word_runs_the_program_of_that_name_and_keeps_its_code(path_with):
    done = run("mcpeak", "greet", "a b", "--help", PATH=path_with)
    assert (done.returncode, done.stdout) == (7, b"hello a b --help\n")


def test_help_of_an_unknown_word_asks_that_program(path_with):
    assert run("mcpeak", "help", "greet", PATH=path_with).stdout == b"hello --help\n"


@pytest.mark.parametrize("word", ["../mcpeak", "a/b", "", "front", "wire"])
def test_a_word_is_no_path_and_no_room(word):
    done = run("mcpeak", word)
    assert (done.returncode, b"CLI_USAGE" in done.stderr) == (1, True)


def test_a_program_that_the_system_cannot_start_is_told(tmp_path):
    (tmp_path / "mcpeak-broken").write_text("no executable format")
    (tmp_path / "mcpeak-broken").chmod(0o755)
    done = run("mcpeak", "broken", PATH=str(tmp_path))
    assert (done.returncode, b"PROGRAM_NOT_EXECUTABLE" in done.stderr) == (1, True)


def test_a_misspelt_word_gets_the_nearest():
    assert b"`validate`" in run("mcpeak", "validat").stderr


def test_a_closed_stdout_ends_quietly_with_141():
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, str(BIN / "mcpeak"), "help"],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(),
        timeout=30,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_the_rules_for_make_are_where_it_says():
    assert Path(run("mcpeak", "--make").stdout.decode().strip()).is_file()


def test_a_full_disk_is_told_and_is_no_bug():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, str(BIN / "mcpeak"), "help"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            timeout=30,
            check=False,
        )
    assert (done.returncode, b"[STDOUT_FAILED]" in done.stderr, b"Traceback" in done.stderr) == (
        1,
        True,
        False,
    )


@pytest.mark.parametrize("chosen", [["--lang", "ko"], ["--lang=ko"]])
@pytest.mark.parametrize(
    "words", [["test"], ["call"], ["validate", "--nope"], ["help", "call"], ["help", "test"]]
)
def test_a_language_chosen_first_holds_for_whatever_is_run(chosen, words):
    done = run("mcpeak", *chosen, *words)
    assert any(korean in (done.stdout + done.stderr).decode() for korean in ("오류", "옵션"))


def test_a_program_of_somebody_else_gets_its_own_words_only(path_with):
    assert run("mcpeak", "--lang", "ko", "greet", "a", PATH=path_with).stdout == b"hello a\n"
