"""`mcpeak test` as a whole: stages side by side, the verdict, signals, and that nothing is left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from support.programs import BIN, DATA, ROOT, environment, run

SCRIPTED = str(DATA / "servers" / "scripted.py")
WEATHER = ROOT / "examples" / "weather"
EXAMPLE = [sys.executable, str(WEATHER / "server.py")]
DEADLINE = 20


def suite(folder, tool="ok", **more):
    case = {
        "id": "c",
        "name": "c",
        "operation": {"type": "callTool", "tool": tool, "input": {}},
        "assertions": [{"type": "isError", "expected": False}],
    }
    path = folder / "a suite.json"
    path.write_text(json.dumps({"schemaVersion": 1, "id": "s", "name": "s", "cases": [case | more]}))
    return str(path)


@pytest.fixture
def hanging(tmp_path):
    """A run whose server hangs in its call: the front's process, the server's pid, the folder."""
    pids = tmp_path / "pid"
    words = ["test", suite(tmp_path), "--junit", "j.xml", "--", sys.executable, SCRIPTED, "stays", str(pids)]
    front = subprocess.Popen(
        [sys.executable, str(BIN / "mcpeak"), *words],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    wait_until(lambda: pids.exists() and pids.read_text().endswith("\n"))
    yield front, int(pids.read_text()), tmp_path
    front.kill()
    front.communicate()


def wait_until(holds):
    end = time.monotonic() + DEADLINE
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def gone(pid):
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def stages(front):
    return sorted(psutil.Process(front.pid).children(), key=lambda child: child.create_time())


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_to_the_front_ends_the_server_and_still_reports(hanging, number, code):
    front, server, folder = hanging
    children = [child.pid for child in psutil.Process(front.pid).children(recursive=True)]
    front.send_signal(number)
    out, _ = front.communicate(timeout=DEADLINE)
    assert front.returncode == code
    assert out
    assert (folder / "j.xml").exists()
    assert [pid for pid in [server, *children] if not gone(pid)] == []


def test_ctrl_c_at_a_terminal_reaches_everyone_at_once_and_does_no_more(hanging):
    front, server, folder = hanging
    os.killpg(front.pid, signal.SIGINT)
    out, err = front.communicate(timeout=DEADLINE)
    assert (front.returncode, b"Traceback" in err, bool(out)) == (130, False, True)
    assert (folder / "j.xml").exists()
    assert gone(server)


@pytest.mark.parametrize("place", ["run", "report"])
def test_a_stage_that_is_killed_turns_the_verdict_red_and_is_named(hanging, place):
    front, server, _ = hanging
    running = stages(front)
    running[-1 if place == "report" else -2].kill()
    psutil.Process(server).kill()  # it sleeps in its call; one that reads would end with its stdin
    _, err = front.communicate(timeout=DEADLINE)
    assert front.returncode == 1
    assert f"mcpeak-{place}: error [STAGE_KILLED]" in err.decode()


def test_a_closed_stdout_ends_the_run_with_141_and_no_word(tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    words = [sys.executable, str(BIN / "mcpeak"), "test", suite(tmp_path), "--", sys.executable, SCRIPTED]
    done = subprocess.run(
        words, stdout=writing, stderr=subprocess.PIPE, env=environment(), timeout=DEADLINE, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_the_explained_pipe_does_the_same_in_a_shell(tmp_path):
    words = ["test", suite(tmp_path), "--json", "--", *EXAMPLE]
    explained = run("mcpeak", words[0], "--explain", *words[1:], cwd=tmp_path)
    assert (explained.returncode, explained.stderr) == (0, b"")
    shell = subprocess.run(
        ["sh", "-c", explained.stdout.decode()],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        timeout=DEADLINE,
        check=False,
    )
    assert (shell.returncode, shell.stdout) == (1, run("mcpeak", *words, cwd=tmp_path).stdout)


def test_the_explained_pipe_works_where_the_programs_are_not_on_path(tmp_path):
    python = Path(sys.executable).parent
    bare = f"{python}:/usr/bin:/bin"
    explained = run("mcpeak", "test", suite(tmp_path), "--explain", "--", *EXAMPLE, PATH=bare, cwd=tmp_path)
    assert str(BIN / "mcpeak-run") in explained.stdout.decode()
    assert run("mcpeak", "test", suite(tmp_path), "--explain", "--", "x", PATH=bare).stdout


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_the_language_reaches_every_stage(tmp_path, lang):
    done = run("mcpeak", "test", suite(tmp_path, "nope"), "--lang", lang, "--", *EXAMPLE)
    assert done.returncode == 1
    assert any("가" <= letter <= "힣" for letter in done.stdout.decode()) == (lang == "ko")


def test_a_report_that_cannot_be_written_starts_nothing(tmp_path):
    pids = tmp_path / "pid"
    server = [sys.executable, SCRIPTED, "good", str(pids)]
    done = run("mcpeak", "test", suite(tmp_path), "--junit", "no/j.xml", "--", *server, cwd=tmp_path)
    assert (done.returncode, done.stdout, b"[JUNIT_WRITE_FAILED" in done.stderr) == (1, b"", True)
    assert not pids.exists()


def test_several_suites_are_judged_and_one_bad_one_turns_all_red(tmp_path):
    good, bad = str(WEATHER / "weather.suite.json"), tmp_path / "bad.json"
    bad.write_text("{}")
    done = run("mcpeak", "test", good, str(bad), "--", *EXAMPLE)
    assert (done.returncode, b"7 passed" in done.stdout, b"MISSING_REQUIRED_FIELD" in done.stderr) == (
        1,
        True,
        True,
    )


def test_a_suite_comes_from_stdin():
    data = (WEATHER / "weather.suite.json").read_bytes()
    assert run("mcpeak", "test", "-", "--", *EXAMPLE, stdin=data).returncode == 0


def test_one_program_keeps_its_own_exit_code(tmp_path):
    assert run("mcpeak", "run", "--nope").returncode == 2
    assert run("mcpeak", "report", stdin=b"garbage\n").returncode == 3


def test_a_stdout_that_cannot_be_written_is_told_and_leaves_no_process(tmp_path):
    words = [sys.executable, str(BIN / "mcpeak"), "test", suite(tmp_path), "--", sys.executable, SCRIPTED]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            words, stdout=full, stderr=subprocess.PIPE, env=environment(), timeout=DEADLINE, check=False
        )
    assert (done.returncode, b"[STDOUT_FAILED]" in done.stderr, b"Traceback" in done.stderr) == (
        1,
        True,
        False,
    )


def test_one_share_alone_is_red_and_says_how_the_shares_come_together():
    done = run("mcpeak", "test", str(WEATHER / "weather.suite.json"), "--shard", "1/2", "--", *EXAMPLE)
    assert done.returncode == 1
    told = done.stderr.decode()
    assert "[SHARE_MISSING]" in told
    assert "mcpeak-validate FILE | mcpeak-run --shard 1/2 -- COMMAND > one.ndjson" in told
    assert "mcpeak-report one.ndjson two.ndjson" in told
