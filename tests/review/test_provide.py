"""Providers that behave, fail, dawdle, chatter or mean harm: real programs, started as the real ones are."""

import os
import stat
import sys
import time
from pathlib import Path

import pytest

from mcpeak.review import provide as room
from mcpeak.review.effects import Failed
from mcpeak.review.provide import provide
from mcpeak.review.providers import ANSWER_LIMIT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "temp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temp"))
    monkeypatch.setattr(room.tempfile, "tempdir", None)
    return tmp_path


def asked(
    folder: Path, text: str, request: bytes = b"request", seconds: float = 20.0, **env: str
) -> bytes | Failed:
    """Make `codex` of a Python text and ask it."""
    command = folder / "codex"
    command.write_text(f"#!{sys.executable}\nimport os, sys, time\n{text}\n")
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    return provide("codex", "m", request, {"PATH": str(folder)} | env, seconds)


def test_the_request_goes_to_stdin_and_the_answer_comes_from_stdout(folder: Path) -> None:
    assert asked(folder, "sys.stdout.write(sys.stdin.read().upper())") == b"REQUEST"


def test_a_large_request_and_answer_do_not_block_each_other(folder: Path) -> None:
    text = (
        "sys.stdin.buffer.read(70_000)\n"
        "sys.stdout.buffer.write(b'x' * 200_000)\n"
        "sys.stdout.flush()\n"
        "sys.stdin.read()"
    )
    assert asked(folder, text, b"r" * 500_000) == b"x" * 200_000


def test_nothing_of_ours_is_on_the_command_line(folder: Path) -> None:
    answer = asked(folder, "print(sys.argv[1:])", b"secret words")
    assert isinstance(answer, bytes)
    assert b"secret words" not in answer
    assert b"'--model', 'm'" in answer


def test_it_sees_few_variables(folder: Path) -> None:
    answer = asked(
        folder, "print(sorted(os.environ))", HOME="/h", OPENAI_API_KEY="k", AWS_SECRET="x", MCPEAK_LANG="ko"
    )
    assert isinstance(answer, bytes)
    seen = set(eval(answer)) - {"LC_CTYPE"}
    assert seen == {"HOME", "NO_COLOR", "OPENAI_API_KEY", "PATH", "TERM"}


def test_it_works_in_an_empty_folder_that_is_gone_afterwards(folder: Path) -> None:
    answer = asked(folder, "print(os.getcwd(), os.listdir()); open('left', 'w').write('x')")
    assert isinstance(answer, bytes)
    place, _, listed = answer.decode().partition(" ")
    assert (listed, Path(place).exists()) == ("[]\n", False)
    assert list((folder / "temp").iterdir()) == []


def test_a_failing_one_gives_no_answer(folder: Path) -> None:
    assert asked(folder, "print('{}'); sys.exit(3)") == Failed("provider_failed", {"why": "3"})


def test_a_slow_one_is_ended(folder: Path) -> None:
    assert asked(folder, "time.sleep(60)", seconds=1.0) == Failed("provider_late", {"seconds": "1"})


def test_one_that_closes_its_output_and_lingers_is_ended(folder: Path) -> None:
    answer = asked(folder, "os.close(1); time.sleep(60)", seconds=1.0)
    assert isinstance(answer, Failed)
    assert answer.code == "provider_late"


def test_a_chatty_one_is_ended(folder: Path) -> None:
    answer = asked(folder, "while True: sys.stdout.write('x' * 65536)")
    assert answer == Failed("provider_chatty", {"limit": str(ANSWER_LIMIT)})


def test_one_that_chatters_on_stderr_is_not_heard(folder: Path) -> None:
    assert asked(folder, "sys.stderr.write('x' * 10_000_000); print('a', end='')") == b"a"


def test_one_that_reads_nothing_may_answer_all_the_same(folder: Path) -> None:
    assert asked(folder, "os.close(0); print('a', end='')", b"r" * 500_000) == b"a"


def test_children_that_it_leaves_are_ended(folder: Path) -> None:
    text = "pid = os.fork()\nif pid == 0:\n    os.close(1)\n    time.sleep(60)\nprint(pid, end='')"
    answer = asked(folder, text)
    assert isinstance(answer, bytes)
    child = int(answer)
    for _ in range(200):
        if not Path(f"/proc/{child}").exists() or " Z " in Path(f"/proc/{child}/stat").read_text():
            return
        time.sleep(0.02)
    os.kill(child, 9)
    pytest.fail("a child of the provider was left behind")


def test_one_that_holds_its_output_open_in_a_child_is_ended(folder: Path) -> None:
    answer = asked(folder, "print('a', flush=True)\nif os.fork() == 0: time.sleep(60)", seconds=1.0)
    assert answer == Failed("provider_late", {"seconds": "1"})


def test_one_that_is_not_installed_is_told(tmp_path: Path) -> None:
    assert provide("claude", "m", b"", {"PATH": str(tmp_path)}) == Failed(
        "provider_missing", {"command": "claude"}
    )


def test_a_model_that_looks_like_an_option_is_refused(folder: Path) -> None:
    asked(folder, "print('a')")
    answer = provide("codex", "--dangerous", b"", {"PATH": str(folder)})
    assert isinstance(answer, Failed)


def test_a_command_that_cannot_be_started_is_told(folder: Path) -> None:
    command = folder / "codex"
    command.write_text("no program")
    command.chmod(0o755)
    answer = provide("codex", "m", b"", {"PATH": str(folder)})
    assert isinstance(answer, Failed)
    assert answer.code == "provider_failed"
