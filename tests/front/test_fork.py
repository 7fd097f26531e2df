import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PIPE = str(Path(__file__).with_name("pipe.py"))


def pipe(*stages):
    done = subprocess.run([sys.executable, PIPE, *stages], capture_output=True, timeout=30, check=False)
    told = json.loads(done.stderr.splitlines()[-1])
    return done.stdout, told["codes"], told["signal"]


def test_stages_are_joined_in_order():
    assert pipe("count", "double") == (b"0\n0\n1\n1\n2\n2\n", [0, 0], None)


def test_one_stage_alone_writes_to_our_stdout():
    assert pipe("count") == (b"0\n1\n2\n", [0], None)


def test_a_stage_has_no_descriptor_of_another():
    out, codes, _ = pipe("count", "double", "descriptors")
    assert (out, codes) == (b"0 1 2", [0, 0, 0])


@pytest.mark.parametrize("stage", ["crash", "exit", "three"])
def test_a_stage_keeps_its_own_exit_code(stage):
    assert pipe("count", stage, "good")[1][1] == {"crash": 70, "exit": 4, "three": 3}[stage]


def test_a_killed_stage_is_told_by_its_signal():
    assert pipe("count", "die", "good")[1][1:] == [-signal.SIGKILL, 0]


def test_a_stage_whose_reader_left_ends_with_141():
    assert pipe("endless", "first")[1] == [141, 0]


@pytest.mark.parametrize(
    ("number", "code", "words"), [("SIGINT", 130, b"interrupted\n"), ("SIGTERM", -15, b"")]
)
def test_a_signal_to_us_ends_the_producers_and_lets_the_last_stage_finish(number, code, words):
    running = subprocess.Popen(
        [sys.executable, PIPE, "hang", "double"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert running.stderr.readline() == b"ready\n"
    running.send_signal(getattr(signal, number))
    out, told = running.communicate(timeout=60)
    assert out == words * 2
    assert json.loads(told.splitlines()[-1]) == {"codes": [code, 0], "signal": getattr(signal, number)}


def test_a_signal_that_we_were_started_to_ignore_stays_ignored():
    nohup = ["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"]
    running = subprocess.Popen([*nohup, sys.executable, PIPE, "hang", "good"], stderr=subprocess.PIPE)
    assert running.stderr.readline() == b"ready\n"
    running.send_signal(signal.SIGHUP)
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=60)
    assert json.loads(told.splitlines()[-1])["signal"] == signal.SIGINT
