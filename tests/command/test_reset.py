import os
import sys
import time
from pathlib import Path

import pytest

from mcpeak.command.failure import InputError
from mcpeak.command.reset import run_reset, words_of

PYTHON = sys.executable


def refused(*words: str, limit: float = 20.0) -> str:
    with pytest.raises(InputError) as failure:
        run_reset(words, limit=limit)
    assert failure.value.code == "RESET_COMMAND_FAILED"
    return failure.value.words.message


def test_runs_in_the_folder_that_is_named(tmp_path: Path) -> None:
    run_reset([PYTHON, "-c", "open('done', 'w')"], cwd=str(tmp_path))
    assert (tmp_path / "done").exists()


def test_knows_no_shell() -> None:
    assert words_of("a '$HOME' && b") == ["a", "$HOME", "&&", "b"]


@pytest.mark.parametrize("command", ["", "  ", "'open"])
def test_refuses_what_is_no_list_of_words(command: str) -> None:
    with pytest.raises(InputError):
        words_of(command)


def test_tells_the_code_and_the_last_words() -> None:
    assert "code 3; its last words: sorry" in refused(PYTHON, "-c", "print('sorry'); raise SystemExit(3)")


def test_tells_that_it_cannot_be_started() -> None:
    assert "No such file" in refused("/nonexistent/reset")


def test_a_late_one_is_ended_with_its_children(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    code = f"import os, time; p = os.fork(); p and open({str(note)!r}, 'w').write(str(p)); time.sleep(60)"
    assert "within 1 s" in refused(PYTHON, "-c", code, limit=1.0)
    child = int(note.read_text())
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or " Z " in Path(f"/proc/{child}/stat").read_text():
            return
        time.sleep(0.02)
    os.kill(child, 9)
    pytest.fail("a child was left behind")
