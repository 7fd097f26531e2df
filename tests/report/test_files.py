"""Files are checked first, written whole, and an older one survives what goes wrong."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcpeak.command.failure import Failure
from mcpeak.report import files


def test_a_file_appears_whole(tmp_path: Path) -> None:
    files.write(str(tmp_path / "a"), "JUNIT_WRITE_FAILED", [b"x", b"y"])
    assert (tmp_path / "a").read_bytes() == b"xy"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_an_older_file_survives_a_failure_while_building(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")

    def broken() -> Iterator[bytes]:
        yield b"new"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        files.write(str(tmp_path / "a"), "JUNIT_WRITE_FAILED", broken())
    assert (tmp_path / "a").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_permissions_of_an_older_file_stay(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "a").chmod(0o640)
    files.write(str(tmp_path / "a"), "JUNIT_WRITE_FAILED", [b"x"])
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    files.write(str(tmp_path / "link"), "JUNIT_WRITE_FAILED", [b"x"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "x"


def test_a_device_is_written_as_it_is() -> None:
    files.check("/dev/null", "JUNIT_WRITE_FAILED")
    files.write("/dev/null", "JUNIT_WRITE_FAILED", [b"x"])
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_pipe_that_has_no_name_of_its_own_is_written() -> None:
    """`--junit /dev/stdout` in a pipe leads to `pipe:[…]`, which is no place."""
    reading, writing = os.pipe()
    files.write(f"/dev/fd/{writing}", "JUNIT_WRITE_FAILED", [b"x"])
    os.close(writing)
    assert os.read(reading, 9) == b"x"
    os.close(reading)


@pytest.mark.parametrize("name", ["missing/a", "."])
def test_what_cannot_be_written_is_known_before(tmp_path: Path, name: str) -> None:
    with pytest.raises(Failure) as caught:
        files.check(str(tmp_path / name), "HTML_WRITE_FAILED")
    assert (caught.value.code, caught.value.exit) == ("HTML_WRITE_FAILED", 1)


def test_the_check_touches_nothing(tmp_path: Path) -> None:
    files.check(str(tmp_path / "a"), "JUNIT_WRITE_FAILED")
    assert [path.name for path in tmp_path.iterdir()] == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_told_with_its_code() -> None:
    with pytest.raises(Failure) as caught:
        files.write("/dev/full", "JUNIT_WRITE_FAILED", [b"x" * 100_000])
    assert caught.value.code == "JUNIT_WRITE_FAILED"


def test_a_named_pipe_gets_the_report_and_stays_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p")
    reading = os.open(tmp_path / "p", os.O_RDONLY | os.O_NONBLOCK)
    files.write(str(tmp_path / "p"), "JUNIT_WRITE_FAILED", [b"x", b"y"])
    assert os.read(reading, 9) == b"xy"
    os.close(reading)
    assert stat.S_ISFIFO((tmp_path / "p").stat().st_mode)


def test_a_named_pipe_without_a_reader_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.0)
    os.mkfifo(tmp_path / "p")
    with pytest.raises(Failure) as caught:
        files.write(str(tmp_path / "p"), "JUNIT_WRITE_FAILED", [b"x"])
    assert "nobody reads this named pipe" in caught.value.words.message


def test_the_summary_of_a_github_step_is_added_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(place))
    files.write(str(place), "MARKDOWN_WRITE_FAILED", [b"## one\n"])
    files.write(str(place), "MARKDOWN_WRITE_FAILED", [b"## two\n"])
    assert place.read_text() == "## one\n\n## two\n"
