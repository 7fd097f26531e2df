"""Ending a server: the steps in order, nothing left, no descriptor lost."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from mcpeak.command.target import Command
from mcpeak.link import shutdown
from mcpeak.link.child import Ended
from mcpeak.link.process import start
from support.running import alive


@pytest.fixture(autouse=True)
def little_grace(monkeypatch):
    """Nobody needs two seconds here."""
    monkeypatch.setattr(shutdown, "GRACE", 0.5)


def running(text):
    """Start a Python program that says `ready`, and wait for that."""
    command = Command((sys.executable, "-c", text), dict(os.environ))
    pipes = start(command)
    assert pipes.receive(time.monotonic() + 30) == [b"ready"]
    return pipes


READY = "import os,signal,sys,time; print('ready', flush=True); "


def test_a_server_that_ends_with_its_input_costs_no_signal():
    pipes = running(READY + "sys.stdin.read()")
    assert shutdown.end(pipes) == (None, [], [], 0)
    assert pipes.child.ended == Ended(0, None)


def test_a_server_that_ignores_the_end_of_its_input_gets_sigterm():
    pipes = running(READY + "time.sleep(60)")
    farewell = shutdown.end(pipes)
    assert farewell.ended_by == "SIGTERM"
    assert pipes.child.ended == Ended(None, "SIGTERM")


def test_a_server_that_ignores_sigterm_is_killed():
    pipes = running(
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + READY + "time.sleep(60)"
    )
    farewell = shutdown.end(pipes)
    assert farewell.ended_by == "SIGKILL"
    assert pipes.child.ended == Ended(None, "SIGKILL")


def test_there_is_no_grace_when_somebody_is_in_a_hurry():
    read, write = os.pipe()
    os.write(write, b"!")
    pipes = running(
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + READY + "time.sleep(60)"
    )
    assert shutdown.end(pipes, hard=read).ended_by == "SIGKILL"
    os.close(read)
    os.close(write)


def test_what_it_says_at_last_is_kept():
    pipes = running(READY + "sys.stdin.read(); print('bye', flush=True); sys.stderr.write('done')")
    assert shutdown.end(pipes).late == [b"bye"]
    assert pipes.tail.lines() == ["done"]


def test_a_child_that_stays_is_named_and_ended():
    pipes = running(READY + "os.fork() or time.sleep(60); sys.stdin.read()")
    (behind,) = shutdown.end(pipes).left_behind
    assert not alive(behind.split()[0])


def test_no_descriptor_is_lost():
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(3):
        shutdown.end(running(READY + "sys.stdin.read()"))
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_server_that_is_dead_already_is_buried():
    pipes = running(READY + "os.kill(os.getpid(), signal.SIGKILL)")
    assert shutdown.end(pipes).ended_by is None
    assert pipes.child.ended == Ended(None, signal.SIGKILL.name)
