"""Signals and a closed stdout: everything ends, and the stream says what was cancelled."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.programs import BIN, environment
from support.running import case, left, stream, suite

FAULTS = Path(__file__).parent / "servers" / "faults.py"
IGNORING = ("sh", "-c", 'trap "" "$0"; exec "$@"')  # then: a signal, a command


class Running:
    """mcpeak-run at work, its stdout read line by line."""

    def __init__(self, *cases, mode="good", pids, options=(), before=(), suites=1):
        server = [sys.executable, str(FAULTS), mode, str(pids)]
        self.pids = pids
        self.process = subprocess.Popen(
            [*before, sys.executable, str(BIN / "mcpeak-run"), *options, "--", *server],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        self.process.stdin.write(stream(*(suite(*cases, id=f"s{number}") for number in range(suites))))
        self.process.stdin.close()
        self.records = []

    def until(self, kind):
        """Read records up to the first of a type."""
        for line in self.process.stdout:
            self.records.append(json.loads(line))
            if self.records[-1]["type"] == kind:
                return
        raise AssertionError(kind)

    def end(self):
        """Read to the end; give the exit code."""
        self.records += [json.loads(line) for line in self.process.stdout]
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.wait(30)

    def statuses(self):
        finished = [record for record in self.records if record["type"] == "caseFinished"]
        return {one["result"]["spec"]["id"]: one["result"]["status"] for one in finished}

    def left(self):
        return left(self.pids)


@pytest.fixture
def pids(tmp_path):
    return tmp_path / "pids"


CASES = (case("a", "echo"), case("b", "hang", timeoutMs=60_000), case("c", "echo"))


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131)],
)
def test_a_signal_cancels_what_is_left_and_ends_the_server(pids, number, code):
    running = Running(*CASES, pids=pids)
    while [record.get("id") for record in running.records][-1:] != ["b"]:
        running.until("caseStarted")
    running.process.send_signal(number)
    assert running.end() == code
    assert running.statuses() == {"a": "passed", "b": "cancelled", "c": "cancelled"}
    finished = running.records[-2]
    assert (finished["type"], finished["status"]) == ("runFinished", "aborted")
    assert finished["stopReason"] == {"type": "cancelled", "caseId": "b"}
    assert running.left() == []


def test_the_same_signal_twice_at_once_is_one(pids):
    running = Running(*CASES, mode="lazy", pids=pids)
    running.until("caseStarted")
    running.process.send_signal(signal.SIGINT)
    running.process.send_signal(signal.SIGINT)
    assert running.end() == 130
    (process,) = [record["process"] for record in running.records if record["type"] == "runFinished"]
    assert process["endedBy"] == "SIGTERM"
    assert running.left() == []


def test_a_second_signal_kills_at_once(pids):
    running = Running(*CASES, mode="stubborn", pids=pids)
    running.until("caseStarted")
    running.process.send_signal(signal.SIGINT)
    time.sleep(1.2)  # a signal within a second of the first is the same one
    running.process.send_signal(signal.SIGINT)
    began = time.monotonic()
    assert running.end() == 130
    assert time.monotonic() - began < 2.5  # not the rest of the four seconds
    assert running.left() == []


def test_a_signal_during_the_handshake_cancels_all_cases(pids):
    running = Running(*CASES, mode="mute", pids=pids)
    while not pids.exists() or not pids.read_text():
        time.sleep(0.01)
    running.process.send_signal(signal.SIGTERM)
    assert running.end() == 143
    assert set(running.statuses().values()) == {"cancelled"}
    assert running.left() == []


@pytest.mark.parametrize("options", [(), ("--jobs", "2")])
def test_suites_after_a_signal_are_cancelled_and_start_nothing(pids, options):
    running = Running(case("b", "hang", timeoutMs=60_000), pids=pids, options=options, suites=3)
    running.until("caseStarted")
    running.process.send_signal(signal.SIGINT)
    assert running.end() == 130
    finished = [record for record in running.records if record["type"] == "runFinished"]
    assert [one["status"] for one in finished] == ["aborted"] * 3
    assert len(pids.read_text().split()) <= 1 + len(options)
    assert running.left() == []


def test_a_signal_while_nothing_comes_in_ends_the_program():
    process = subprocess.Popen(
        [sys.executable, str(BIN / "mcpeak-run"), "--", "true"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 130
    process.stdin.close()
    process.stdout.close()


def test_a_closed_stdout_ends_the_server_and_gives_141(pids):
    many = [case(f"c{number}", "echo", input={"x": "y" * 2000}) for number in range(500)]
    running = Running(*many, pids=pids)
    running.until("caseStarted")
    running.process.stdout.close()
    assert running.process.stderr.read() == b""
    assert running.process.wait(30) == 141
    running.process.stderr.close()
    assert running.left() == []


def test_a_parent_that_ignores_signals_does_not_hide_how_a_server_ended(pids):
    process = subprocess.Popen(
        [*IGNORING, "CHLD", sys.executable, str(BIN / "mcpeak-run"), "--", sys.executable, str(FAULTS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    said, _ = process.communicate(stream(suite(case("a", "crash"))), timeout=30)
    (one,) = [json.loads(line) for line in said.splitlines() if b"caseFinished" in line]
    assert one["result"]["operation"]["diagnostic"]["actual"] == {"exitCode": 3, "signal": None}


def test_the_server_gets_the_usual_dispositions():
    tool = case("a", "signals")
    process = subprocess.Popen(
        [*IGNORING, "INT", sys.executable, str(BIN / "mcpeak-run"), "--", sys.executable, str(FAULTS)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    said, _ = process.communicate(stream(suite(tool)), timeout=30)
    (one,) = [json.loads(line) for line in said.splitlines() if b"caseFinished" in line]
    (block,) = one["answer"]["json"]["content"]
    assert json.loads(block["text"]) == {"ignored": []}


def test_a_signal_that_our_parent_ignores_is_ignored(pids):
    """As `nohup` and a shell's background jobs want it."""
    running = Running(case("a", "slow", input={"seconds": 1}), pids=pids, before=(*IGNORING, "HUP"))
    running.until("caseStarted")
    running.process.send_signal(signal.SIGHUP)
    assert running.end() == 0


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv is not installed")
def test_the_kernel_ends_a_hung_server_after_sigkill_when_its_command_asks_for_it(tmp_path):
    """The way that docs/suites.md names: the thread that started it dies with us, also with --jobs."""
    pids = tmp_path / "pids"
    command = ["setpriv", "--pdeathsig", "KILL", sys.executable, str(FAULTS), "lazy", str(pids)]
    process = subprocess.Popen(
        [sys.executable, str(BIN / "mcpeak-run"), "--jobs", "2", "--", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    with process:
        process.stdin.write(stream(suite(case("a", "hang", timeoutMs=60_000))))
        process.stdin.flush()
        for line in process.stdout:
            if b'"caseStarted"' in line:
                break
        process.kill()
    assert left(pids) == []
