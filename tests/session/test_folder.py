"""The temporary folder of a run: gone with it, and what a killed run left is cleared by a later one."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mcpeak.session.folder import Folder
from support.programs import BIN, environment
from support.sessions import record

HEX = "0123456789abcdef"


@pytest.fixture
def dead():
    """The number of a process that is gone."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait(timeout=30)
    return process.pid


def made(place, name):
    (place / name).mkdir()
    (place / name / "run.pem").write_text("x")
    return place / name


def folder(place):
    return Folder({"TMPDIR": str(place)})


def test_nothing_stays_of_a_run_that_ended(tmp_path):
    one = folder(tmp_path)
    (Path(one.path) / "run.pem").touch()
    assert Path(one.path).stat().st_mode & 0o777 == 0o700
    one.remove()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_is_cleared(tmp_path):
    text = "print('up', flush=True); import time; time.sleep(60)"
    words = [sys.executable, str(BIN / "mcpeak-session"), "record", str(tmp_path / "x"), "--"]
    process = subprocess.Popen(
        [*words, sys.executable, "-c", text],
        env=environment(TMPDIR=str(tmp_path)),
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout.readline() == b"up\n"
    process.kill()
    process.wait(timeout=30)
    os.killpg(process.pid, signal.SIGKILL)
    process.stdout.close()
    assert len(list(tmp_path.iterdir())) == 1
    assert record(tmp_path / "x", "true", TMPDIR=str(tmp_path)).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_run_that_goes_on_keeps_its_folder(tmp_path, dead):
    one = folder(tmp_path)
    alive = made(tmp_path, f"mcpeak-session-{os.getppid()}-{HEX}")
    elsewhere = tmp_path / f"mcpeak-session-{dead}-{HEX}"  # a process of another container: its lock is held
    Path(one.path).rename(elsewhere)
    folder(tmp_path).remove()
    assert alive.exists()
    assert elsewhere.exists()


def test_other_names_and_links_are_left_alone(tmp_path, dead):
    aim = made(tmp_path, "precious")
    names = ["mcpeak-session-x", f"mcpeak-session-{dead}", f"mcpeak-session-{dead}-{HEX}0"]
    others = [made(tmp_path, name) for name in names]
    link = tmp_path / f"mcpeak-session-{dead}-{HEX}"
    link.symlink_to(aim)
    inner = made(tmp_path, f"mcpeak-session-{dead}-{HEX[::-1]}")
    (inner / "link").symlink_to(aim)
    folder(tmp_path).remove()
    assert all((path / "run.pem").exists() for path in [*others, aim])
    assert link.is_symlink()
    assert (inner / "link").is_symlink()


def test_numbers_that_no_process_has_are_no_trouble(tmp_path):
    huge = made(tmp_path, f"mcpeak-session-9999999999-{HEX}")
    folder(tmp_path).remove()
    assert huge.exists()
