"""One place turns exceptions into words and exit codes."""

from pathlib import Path

import pytest

from mcpeak.command import boundary, exits
from mcpeak.command.boundary import bounded
from mcpeak.command.failure import InputError, ServerError, UsageError


def ending(wrong: BaseException) -> int:
    def work() -> int:
        raise wrong

    return bounded("mcpeak-x", work)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (UsageError("CLI_USAGE", what="w", program="p"), exits.USAGE),
        (InputError("CLI_USAGE", what="w", program="p"), exits.UNREADABLE),
        (ServerError("CLI_USAGE", what="w", program="p"), exits.UNREACHABLE),
        (InputError("CLI_USAGE", exit_code=1, what="w", program="p"), exits.NO),
        (KeyboardInterrupt(), exits.INTERRUPTED),
        (RuntimeError("ours"), exits.BUG),
        (FileNotFoundError("ours, too"), exits.BUG),
        (ModuleNotFoundError("ours", name="mcpeak.x"), exits.BUG),
        (BrokenPipeError(), exits.STDOUT_CLOSED),
    ],
)
def test_each_kind_of_wrong_has_its_exit_code(
    wrong: BaseException, code: int, capfd: pytest.CaptureFixture[str]
):
    assert ending(wrong) == code


def test_a_failure_is_told_with_its_code_and_remedy(capfd: pytest.CaptureFixture[str]):
    ending(UsageError("CLI_USAGE", what="no file", program="mcpeak-x"))
    assert capfd.readouterr().err.splitlines() == [
        "mcpeak-x: error [CLI_USAGE]: no file",
        "  `mcpeak-x --help` shows how it is used.",
    ]


def test_a_bug_shows_its_traceback_and_what_to_report(capfd: pytest.CaptureFixture[str]):
    ending(RuntimeError("ours"))
    told = capfd.readouterr().err
    assert "Traceback" in told
    assert "mcpeak-x: error [CLI_INTERNAL_ERROR]" in told


def test_hostile_text_reaches_stderr_harmless(capfd: pytest.CaptureFixture[str]):
    boundary.tell("mcpeak-x", "CODE", "a\x1b[2Jb\nc", "hint\x07")
    assert capfd.readouterr().err == "mcpeak-x: error [CODE]: a\\u001b[2Jb\\u000ac\n  hint\\u0007\n"


def test_a_package_that_is_not_installed_is_named_without_a_traceback(capfd: pytest.CaptureFixture[str]):
    assert ending(ModuleNotFoundError("no", name="msgspec._core")) == exits.BUG
    told = capfd.readouterr().err
    assert "[PACKAGE_ABSENT]: the package msgspec is not installed" in told
    assert "Traceback" not in told


def test_a_working_folder_that_is_gone_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert ending(FileNotFoundError()) == exits.UNREADABLE
    assert "[FOLDER_GONE]" in capfd.readouterr().err
