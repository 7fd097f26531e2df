"""A program for test_fork.py: run_pipe over small stages, each named by a word of the command line."""

import json
import os
import signal
import sys
import time
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))

from mcpeak.front.fork import run_pipe


def count() -> int:
    """Write three lines."""
    for number in range(3):
        os.write(1, f"{number}\n".encode())
    return 0


def double() -> int:
    """Write every line twice."""
    for line in sys.stdin.buffer:
        os.write(1, line * 2)
    return 0


def descriptors() -> int:
    """Write which descriptors are open."""
    sys.stdin.buffer.read()
    os.write(1, " ".join(str(n) for n in range(64) if _open(n)).encode())
    return 0


def _open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def endless() -> int:
    """Write until nobody reads any more."""
    while True:
        os.write(1, b"more\n")


def hang() -> int:
    """Wait for a signal, having said that we are there; then write a last word."""
    try:
        os.write(2, b"ready\n")
        time.sleep(60)
    except KeyboardInterrupt:
        os.write(1, b"interrupted\n")
        return 130
    return 0


def die() -> int:
    """Be killed."""
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def first() -> int:
    """Read one line and leave."""
    sys.stdin.readline()
    return 0


def leave(code: int) -> int:
    """Read everything, end with a code."""
    sys.stdin.buffer.read()
    return code


def crash() -> int:
    """Fail as only a bug does."""
    raise RuntimeError


STAGES = {each.__name__: each for each in (count, double, descriptors, endless, hang, die, first, crash)} | {
    "exit": partial(sys.exit, 4),
    "three": partial(leave, 3),
    "good": partial(leave, 0),
}

ended = run_pipe([STAGES[word] for word in sys.argv[1:]])
sys.stderr.write(json.dumps({"codes": ended.codes, "signal": ended.signal}) + "\n")
