"""Annotations on the suite's own lines, and no text that becomes a command."""

import pytest

from mcpeak.report.github import annotations, defused
from mcpeak.wire.records import Issue, Notice
from support.programs import run
from support.streams import case, ended, finished, fold, is_error, lines, started

FAILED = [
    started(1),
    *case(
        0,
        "a",
        "failed",
        assertions=[is_error(False, True, "50%\n::set-output x")],
        assertion_positions=[(19, 9)],
    ),
    finished("failed"),
]


def told(*records: object, root: str | None = None) -> list[str]:
    return list(annotations(fold(*records), root))


def test_a_failure_marks_the_line_of_its_assertion() -> None:
    (line,) = told(*FAILED)
    assert line.startswith(
        "::error file=weather.suite.json,line=19,col=9,title=a%3A IS_ERROR_MISMATCH::case a%0A"
    )


def test_a_command_is_one_line_and_its_data_escaped() -> None:
    (line,) = told(*FAILED)
    assert "\n" not in line
    assert "50%25" in line


def test_file_names_count_from_the_workspace(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    (line,) = told(*FAILED, root=str(tmp_path.parent))
    assert f"file={tmp_path.name}/weather.suite.json," in line


def test_a_property_cannot_end_early() -> None:
    (line,) = told(started(1), *case(0, "a,file=/etc/passwd::x", "failed"), finished("failed"))
    assert "title=a%2Cfile=/etc/passwd%3A%3Ax%3A " in line


def test_issues_mark_their_own_places() -> None:
    (line,) = told(
        Issue(source="bad.json", code="EMPTY_CASES", path="cases", message="m", hint="h", line=2, column=1)
    )
    assert line == "::error file=bad.json,line=2,col=1,title=EMPTY_CASES::cases: m%0Ah"


def test_warnings_are_warnings() -> None:
    notice = Notice(severity="warning", run=0, code="STDOUT_NOISE", message="noise", hint="h")
    assert "::warning title=mcpeak%3A STDOUT_NOISE::noise%0Ah" in told(
        started(1), notice, *case(0, "a"), finished("passed")
    )


def test_more_than_github_shows_are_counted() -> None:
    many = [record for i in range(30) for record in case(i, f"c{i}", "failed")]
    found = told(started(30), *many, finished(*["failed"] * 30))
    assert len(found) == 10
    assert "21 more failures" in found[-1]


@pytest.mark.parametrize("line", ["::error::x", "   ::stop-commands::y", "a ##[add-path]/tmp", "##[group]x"])
def test_a_line_of_the_report_cannot_be_a_command(line: str) -> None:
    safe = defused(line)
    assert not safe.lstrip().startswith("::")
    assert "##[" not in safe


def test_annotations_follow_the_human_report_and_leave_machine_output_alone() -> None:
    stream = lines(*FAILED)
    human = run("mcpeak-report", "--github", stdin=stream)
    assert b"\n::error file=" in human.stdout
    machine = run("mcpeak-report", "--github", "--json", stdin=stream)
    assert b"::error" not in machine.stdout
    assert b"::error file=" in machine.stderr


def test_under_the_runner_no_text_of_server_or_suite_is_a_command() -> None:
    nasty = "::error file=x::y"
    stream = lines(
        started(1, name=nasty),
        *case(
            0, nasty, "failed", name="##[error]x", assertions=[is_error(False, True, nasty, "##[warning]z")]
        ),
        finished("failed", process=ended(1, stderr=[nasty, "##[error]e"])),
    )
    done = run("mcpeak-report", stdin=stream, GITHUB_ACTIONS="true")
    for line in (done.stdout + done.stderr).decode().splitlines():
        assert not line.lstrip().startswith("::")
        assert "##[" not in line
