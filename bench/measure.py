"""What a command costs, and pairs of commands as ratios; for bench.py.

Floor and product alternate, pair by pair, under the same interpreter, so that a busy machine disturbs both;
the ratio is the median of the pairs' ratios. Nothing else should run meanwhile.
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

_BETWEEN = """
import os, resource, sys
null = os.open(os.devnull, os.O_WRONLY)
words = sys.argv[1:]
process = os.posix_spawn(words[0], words, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
_, status = os.waitpid(process, 0)
assert status == 0, status
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
MIB = 1024  # ru_maxrss counts KiB


class Cost(NamedTuple):
    """What one run took: seconds on the clock, seconds of CPU."""

    wall: float
    cpu: float


class Row(NamedTuple):
    """One line of the table; `target` is the number that `value` should not exceed."""

    what: str
    floor: str
    ours: str
    value: float
    unit: str
    target: float


def cost(command: Sequence[str]) -> Cost:
    """Run a command, its output thrown away, and give what it cost; it must succeed."""
    start = time.perf_counter()
    running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(running.pid, 0)
    wall = time.perf_counter() - start
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        sys.exit(f"bench: exit {running.returncode} from {' '.join(command)}")
    return Cost(wall, used.ru_utime + used.ru_stime)


def pairs_of(floor: Sequence[str], ours: Sequence[str], pairs: int, by: str) -> list[tuple[float, float]]:
    """Measure pairs, alternating, after one unmeasured pair that warms the caches."""
    cost(floor), cost(ours)
    return [(getattr(cost(floor), by), getattr(cost(ours), by)) for _ in range(pairs)]


def against(
    what: str, floor: Sequence[str], ours: Sequence[str], pairs: int, target: float, by: str = "wall"
) -> Row:
    """Give the product's time as a multiple of the floor's."""
    taken = pairs_of(floor, ours, pairs, by)
    ratio = median(product / base for base, product in taken)
    return Row(what, *_medians(taken), ratio, "x", target)


def above(what: str, floor: Sequence[str], ours: Sequence[str], pairs: int, target: float) -> Row:
    """Give the milliseconds of CPU that the product, all its processes together, takes above the floor."""
    taken = pairs_of(floor, ours, pairs, "cpu")
    return Row(what, *_medians(taken), median(product - base for base, product in taken) * 1000, "ms", target)


def peak(what: str, ours: Sequence[str], target: float) -> Row:
    """Measure the largest of our processes once; the server in it must be smaller than we are.

    A small process in between starts it: a process begins with the peak of the one that it was forked from.
    """
    words = [sys.executable, "-I", "-S", "-c", _BETWEEN, *ours]
    told = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    return Row(what, "", "", int(told.stdout) / MIB, "MiB", target)


def line(row: Row) -> str:
    """Lay one row out as Markdown."""
    met = "yes" if row.value <= row.target else "**no**"
    return f"| {row.what} | {row.floor} | {row.ours} | {row.value:.2f} {row.unit} | {row.target:g} | {met} |"


def _medians(taken: list[tuple[float, float]]) -> list[str]:
    return [f"{median(each) * 1000:.0f} ms" for each in zip(*taken, strict=True)]
