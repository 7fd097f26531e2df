"""mcpeak-report as a program: streams, files, exit codes."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mcpeak.wire.records import Error, Issue, Notice
from support.programs import BIN, environment, run
from support.streams import case, ended, finished, lines, started

GREEN = lines(started(1), *case(0, "a"), finished("passed"))
RED = lines(started(2), *case(0, "a"), *case(1, "b", "failed"), finished("passed", "failed"))
INVALID = lines(
    *(
        Issue(source="bad.json", code="EMPTY_CASES", path=p, message="m", hint="h", line=2, column=1)
        for p in "ab"
    )
)
UNREACHED = lines(
    Error(
        stage="run",
        source="w.json",
        code="MCP_CONNECTION_FAILED",
        detail="PROCESS_START_FAILED",
        message="cannot start x",
        hint="Check x.",
    )
)


@pytest.mark.parametrize(
    ("stdin", "code"),
    [
        (GREEN, 0),
        (RED, 1),
        (INVALID, 1),
        (UNREACHED, 1),
        (b"", 3),
        (GREEN[:-20], 3),
        (b"hello\n", 3),
        (lines(), 1),
    ],
)
def test_the_verdict_is_the_exit_code(stdin: bytes, code: int) -> None:
    assert run("mcpeak-report", stdin=stdin).returncode == code


@pytest.mark.parametrize(
    "wrong",
    [
        ("--json", "--tap"),
        ("-q", "-v"),
        ("--stderr-lines", "-1"),
        ("--stderr-lines", "1.5"),
        ("--junit=",),
        ("--nope",),
        ("--json=1",),
    ],
)
def test_wrong_usage_is_told_and_nothing_is_read(wrong: tuple[str, ...]) -> None:
    done = run("mcpeak-report", *wrong, stdin=GREEN)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"CLI_USAGE" in done.stderr


def test_an_option_given_twice_is_wrong_usage() -> None:
    assert run("mcpeak-report", "--junit", "a", "--junit", "b", stdin=GREEN).returncode == 2


@pytest.mark.parametrize("stdin", [INVALID, UNREACHED])
def test_stdout_is_empty_when_no_suite_ran(stdin: bytes) -> None:
    assert run("mcpeak-report", stdin=stdin).stdout == b""
    assert run("mcpeak-report", "--json", stdin=stdin).stdout == b""


def test_an_invalid_suite_is_told_once_and_then_its_problems() -> None:
    text = run("mcpeak-report", stdin=INVALID).stderr.decode()
    assert text.startswith("mcpeak-validate: error [SUITE_VALIDATION_FAILED]: bad.json")
    assert text.count("SUITE_VALIDATION_FAILED") == 1
    assert "bad.json:2:1: error [EMPTY_CASES]: a: m\n  h\n" in text


def test_a_file_that_is_no_suite_is_told_under_its_own_code() -> None:
    stream = lines(Issue(source="s.txt", code="SUITE_FORMAT_UNSUPPORTED", path="$", message="m", hint="h"))
    assert run("mcpeak-report", stdin=stream).stderr.startswith(
        b"mcpeak-validate: error [SUITE_FORMAT_UNSUPPORTED]: s.txt: m"
    )


def test_a_file_that_is_no_suite_is_told_with_its_place() -> None:
    facts = {"code": "SUITE_JSON_INVALID", "path": "$", "message": "m", "hint": "h", "line": 5, "column": 3}
    done = run("mcpeak-report", stdin=lines(Issue(source="s.json", **facts)))
    assert done.stderr.startswith(b"mcpeak-validate: error [SUITE_JSON_INVALID]: s.json:5:3: m")


def test_the_problems_of_a_file_are_told_from_its_top_to_its_end() -> None:
    facts = {"code": "EMPTY_CASES", "path": "p", "message": "m", "hint": "h", "column": 1}
    places = [("a.json", 9), ("a.json", 2), ("b.json", 1)]
    done = run("mcpeak-report", stdin=lines(*(Issue(source=s, line=n, **facts) for s, n in places)))
    told = re.findall(r"^(\w\.json:\d+):1: ", done.stderr.decode(), re.MULTILINE)
    assert told == ["a.json:2", "a.json:9", "b.json:1"]


def test_a_server_that_was_not_reached_is_told_with_code_and_detail() -> None:
    text = run("mcpeak-report", stdin=UNREACHED).stderr.decode()
    assert text.startswith(
        "mcpeak-run: error [MCP_CONNECTION_FAILED/PROCESS_START_FAILED]: w.json: cannot start x\n  Check x.\n"
    )


def test_nothing_but_the_report_is_on_stdout_and_nothing_on_stderr_when_all_passed() -> None:
    done = run("mcpeak-report", stdin=GREEN)
    assert done.stdout.decode() == "Weather server (1 case)\n✓ a  case a\n\n1 passed, 0 failed (1 total)\n"
    assert done.stderr == b""


def test_several_formats_in_one_call_come_from_one_tally(tmp_path: Path) -> None:
    names = ["--junit", "j.xml", "--html", "h.html", "--markdown", "m.md", "--repair-bundle", "b.json"]
    done = run("mcpeak-report", "--json", *names, stdin=RED, cwd=tmp_path)
    assert done.returncode == 1
    assert names_in(tmp_path) == ["b.json", "h.html", "j.xml", "m.md"]


def test_a_file_that_cannot_be_written_is_told_before_anything_is_read(tmp_path: Path) -> None:
    done = run("mcpeak-report", "--junit", str(tmp_path / "no" / "j.xml"), stdin=GREEN)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"JUNIT_WRITE_FAILED" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_file_that_cannot_be_written_in_the_end_is_red_and_stops_no_other(tmp_path: Path) -> None:
    done = run("mcpeak-report", "--junit", "/dev/full", "--markdown", str(tmp_path / "m.md"), stdin=GREEN)
    assert done.returncode == 1
    assert b"JUNIT_WRITE_FAILED" in done.stderr
    assert (tmp_path / "m.md").exists()
    assert b"1 passed" in done.stdout


def test_what_did_not_pass_is_remembered_when_asked(tmp_path: Path) -> None:
    run("mcpeak-report", "--remember", "r.json", stdin=RED + GREEN, cwd=tmp_path)
    assert (tmp_path / "r.json").read_text() == '{"version":1,"failed":{"weather.suite.json":["b"]}}\n'


def test_what_cannot_be_remembered_touches_no_verdict(tmp_path: Path) -> None:
    done = run("mcpeak-report", "--remember", str(tmp_path / "no" / "r.json"), stdin=GREEN)
    assert (done.returncode, b"1 passed" in done.stdout) == (0, True)
    assert done.stderr.startswith(b"warning [REMEMBER_WRITE_FAILED]")


@pytest.mark.parametrize("stdin", [INVALID, UNREACHED, b"", GREEN[:-20], b"hello\n", lines()])
def test_every_outcome_writes_every_report(stdin: bytes, tmp_path: Path) -> None:
    names = ["--junit", "j.xml", "--html", "h.html", "--markdown", "m.md", "--repair-bundle", "b.json"]
    run("mcpeak-report", *names, stdin=stdin, cwd=tmp_path)
    assert names_in(tmp_path) == ["b.json", "h.html", "j.xml", "m.md"]
    assert b"<error" in (tmp_path / "j.xml").read_bytes()


def test_the_block_of_the_servers_stderr_follows_a_failure() -> None:
    stream = lines(
        started(1),
        *case(0, "a", "failed"),
        finished("failed", process=ended(5, stderr=["one", "two"], dropped=7)),
    )
    text = run("mcpeak-report", "--stderr-lines", "1", stdin=stream).stderr.decode()
    assert text == (
        "\nmcpeak: the server process of weather.suite.json: exit code 5, signal none, "
        "last line of its stderr, 8 earlier lines left out\n  | two\n"
    )


@pytest.mark.parametrize(
    ("status", "process", "shown"),
    [
        ("passed", ended(0, stderr=["x"]), False),
        ("passed", ended(7, abnormal=True), True),
        ("failed", ended(0), False),
        ("failed", ended(0, stderr=["x"]), True),
        ("failed", ended(None, "SIGSEGV", abnormal=True), True),
    ],
)
def test_the_block_comes_only_when_there_is_something_to_show(
    status: str, process: object, shown: bool
) -> None:
    stream = lines(started(1), *case(0, "a", status), finished(status, process=process))
    assert bool(run("mcpeak-report", stdin=stream).stderr) is shown
    assert run("mcpeak-report", "--stderr-lines", "0", stdin=stream).stderr == b""


def test_notices_are_told_on_stderr_where_stdout_is_for_machines() -> None:
    notice = Notice(severity="warning", run=0, code="STDOUT_NOISE", message="noise")
    stream = lines(started(1), *case(0, "a"), notice, finished("passed"))
    assert b"STDOUT_NOISE" in run("mcpeak-report", "--json", stdin=stream).stderr
    assert run("mcpeak-report", stdin=stream).stderr == b""


def test_a_reader_that_goes_away_is_141_and_the_files_stay(tmp_path: Path) -> None:
    many = [record for index in range(2000) for record in case(index, f"c{index}", name="n" * 180)]
    stream = lines(started(2000), *many, finished(*["passed"] * 2000))
    whole = (
        f"{sys.executable} {BIN}/mcpeak-report --junit j.xml | head -c 1 >/dev/null; exit ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(
        ["bash", "-c", whole],
        check=False,
        input=stream,
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (141, b"")
    assert (tmp_path / "j.xml").read_bytes().endswith(b"</testsuites>\n")


def test_an_interrupt_does_not_cost_the_report() -> None:
    reporting = subprocess.Popen(
        [sys.executable, str(BIN / "mcpeak-report")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert reporting.stdin is not None
    with reporting:
        reporting.stdin.write(b"".join(UNREACHED.splitlines(keepends=True)[:2]))
        reporting.stdin.flush()
        assert reporting.stderr is not None
        reporting.stderr.readline()  # it reads: SIGINT is ignored from now on
        reporting.send_signal(signal.SIGINT)
        reporting.stdin.close()
        assert reporting.wait(30) == 3  # a cut stream, and no interrupt


def test_the_language_of_the_words_can_be_chosen() -> None:
    assert "통과 1, 실패 1 (전체 2)" in run("mcpeak-report", "--lang", "ko", stdin=RED).stdout.decode()


def test_reading_and_plain_formats_need_no_template_engine() -> None:
    program = """
import sys
from mcpeak.report.tool import main
main(sys.argv[1:])
sys.exit("jinja2" in sys.modules)
"""
    command = [sys.executable, "-c", program, "--json", "--junit", "/dev/null"]
    how = {
        "env": environment(PYTHONPATH=str(BIN.parent / "lib")),
        "capture_output": True,
        "timeout": 60,
    }
    assert subprocess.run(command, input=GREEN, check=False, **how).returncode == 0


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_that_is_stdout_takes_the_place_of_the_human_report(tmp_path: Path) -> None:
    """As `--junit /dev/stdout > out`: the file keeps what it held, and nobody else writes into it."""
    command = [sys.executable, str(BIN / "mcpeak-report"), "--junit", "/dev/stdout"]
    with (tmp_path / "out").open("ab") as out:
        out.write(b"before\n")
        out.flush()
        done = subprocess.run(command, input=RED, stdout=out, env=environment(), timeout=60, check=False)
    before, written = (tmp_path / "out").read_bytes().split(b"\n", 1)
    assert (done.returncode, before) == (1, b"before")
    assert written.startswith(b"<?xml")
    assert written.endswith(b"</testsuites>\n")


def test_a_file_that_is_stdout_by_another_name_is_not_replaced(tmp_path: Path) -> None:
    command = [sys.executable, str(BIN / "mcpeak-report"), "--markdown", "out"]
    with (tmp_path / "out").open("wb") as out:
        subprocess.run(
            command, input=RED, stdout=out, env=environment(), timeout=60, check=False, cwd=tmp_path
        )
    assert (tmp_path / "out").read_bytes().startswith(b"##")


def test_one_report_alone_may_have_stdout() -> None:
    done = run("mcpeak-report", "--json", "--junit", "/dev/stdout", stdin=RED)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--json and --junit both want stdout" in done.stderr


def test_a_file_that_is_stderr_stands_beside_the_report() -> None:
    done = run("mcpeak-report", "--junit", "/dev/stderr", stdin=GREEN)
    assert done.stderr.startswith(b"<?xml")
    assert done.stdout.startswith("Weather server (1 case)\n✓".encode())
