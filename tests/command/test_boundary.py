"""One place turns exceptions into words and exit codes."""

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
