import errno
import os
from pathlib import Path

import pytest

from mcpeak.approve import save as room
from mcpeak.command.failure import Failure


def no_check(*_: object) -> None:
    """The content is another test's business."""


@pytest.fixture(autouse=True)
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "check_again", no_check)


def test_a_file_that_appears_meanwhile_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "s.json"
    monkeypatch.setattr(room, "check_again", lambda *_: out.write_text("theirs"))
    with pytest.raises(Failure) as refused:
        room.save(str(out), b"ours", "", force=False)
    assert (refused.value.code, out.read_text(), [path.name for path in tmp_path.iterdir()]) == (
        "OUTPUT_EXISTS",
        "theirs",
        ["s.json"],
    )


def test_a_file_system_without_hard_links_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    room.save(str(tmp_path / "s.json"), b"ours", "", force=False)
    assert (tmp_path / "s.json").read_bytes() == b"ours"


def test_a_failing_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    out = tmp_path / "s.json"
    out.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Failure) as refused:
        room.save(str(out), b"new", "", force=True)
    assert (refused.value.code, out.read_text(), [path.name for path in tmp_path.iterdir()]) == (
        "GENERATE_FAILED",
        "old",
        ["s.json"],
    )
