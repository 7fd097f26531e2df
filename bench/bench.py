"""Measure mcpeak against a bare loop that does the same exchange, as ratios in one run, and print a table.

usage: bench.py [--pairs N] [--only WORD]   exit 0, also where a target is missed: the table says so

Floor and product alternate, pair by pair, under the same interpreter, so that a busy machine disturbs both;
the ratio is the median of the pairs' ratios. Nothing else should run meanwhile.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
FLOOR = [PYTHON, str(ROOT / "bench" / "floor.py")]
MCPEAK = [PYTHON, str(ROOT / "bin" / "mcpeak"), "test"]
WEATHER = str(ROOT / "examples" / "weather")
NODE = ["node", f"{WEATHER}/server.mjs"]
FAST = [PYTHON, str(ROOT / "bench" / "fast_server.py")]
EVERYTHING = ROOT / "build" / "real" / "everything" / "node_modules" / ".bin" / "mcp-server-everything"
MIB = 1024  # ru_maxrss counts KiB


class Cost(NamedTuple):
    """What one run took: seconds on the clock, seconds of CPU, peak KiB of its largest process."""

    wall: float
    cpu: float
    peak: int


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
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss)


def against(
    what: str, floor: Sequence[str], ours: Sequence[str], pairs: int, target: float, by: str = "wall"
) -> Row:
    """Measure pairs, alternating, after one unmeasured pair that warms the caches."""
    cost(floor), cost(ours)
    taken = [(getattr(cost(floor), by), getattr(cost(ours), by)) for _ in range(pairs)]
    ratio = median(product / base for base, product in taken)
    base, product = (f"{median(each) * 1000:.0f} ms" for each in zip(*taken, strict=True))
    return Row(what, base, product, ratio, "x", target)


def peak(what: str, ours: Sequence[str], target: float) -> Row:
    """Measure the largest of our processes once; the server in it must be smaller than we are."""
    return Row(what, "", "", cost(ours).peak / MIB, "MiB", target)


def suite(folder: Path, cases: int) -> str:
    """Write a suite of `add` calls."""
    path = folder / f"{cases}.json"
    with path.open("wb") as file:
        subprocess.run([PYTHON, ROOT / "bench" / "make_suite.py", str(cases)], stdout=file, check=True)
    return str(path)


def everything(folder: Path) -> str:
    """Write a suite for server-everything: the list, and two calls."""
    calls = [("echo", {"message": "hello"}), ("get-sum", {"a": 1, "b": 2})]
    cases = [
        {
            "id": tool,
            "name": tool,
            "operation": {"type": "callTool", "tool": tool, "input": arguments},
            "assertions": [{"type": "isError", "expected": False}],
        }
        for tool, arguments in calls
    ]
    listed = {"type": "toolExists", "tool": "echo"}
    first = {"id": "list", "name": "list", "operation": {"type": "listTools"}, "assertions": [listed]}
    path = folder / "everything.json"
    path.write_text(
        json.dumps({"schemaVersion": 1, "id": "e", "name": "e", "cases": [first, *cases]}), "utf-8"
    )
    return str(path)


def rows(folder: Path, pairs: int) -> list[tuple[str, Callable[[], Row]]]:
    """Name every measurement: a word for --only, and what measures it."""
    three, thousand, ten_thousand = (suite(folder, cases) for cases in (3, 1000, 10000))
    asked, server = everything(folder), [str(EVERYTHING), "stdio"]
    bare = [PYTHON, "-c", "pass"]
    validate = [PYTHON, str(ROOT / "bin" / "mcpeak-validate"), "--version"]

    def versus_floor(what: str, cases: str, command: list[str], target: float) -> Callable[[], Row]:
        return partial(
            against, what, [*FLOOR, cases, *command], [*MCPEAK, cases, "--", *command], pairs, target
        )

    def start(what: str, command: list[str], target: float) -> Callable[[], Row]:
        return partial(against, what, bare, command, pairs * 2, target, by="cpu")

    found = [
        ("fast", versus_floor("10,000 cases, fast server", ten_thousand, FAST, 1.3)),
        ("memory", partial(peak, "peak memory, 3 cases", [*MCPEAK, three, "--", *FAST], 40)),
        ("memory", partial(peak, "peak memory, 10,000 cases", [*MCPEAK, ten_thousand, "--", *FAST], 64)),
        (
            "huge",
            lambda: peak("peak memory, 100,000 cases", [*MCPEAK, suite(folder, 100000), "--", *FAST], inf),
        ),
        ("start", start("CPU of `mcpeak-validate --version`", validate, 4.0)),
        ("start", start("CPU of `mcpeak --help`", [PYTHON, MCPEAK[1], "--help"], 4.0)),
    ]
    if EVERYTHING.exists():
        found.insert(0, ("everything", versus_floor("3 cases, server-everything", asked, server, 1.1)))
    if shutil.which("node"):
        found.insert(0, ("thousand", versus_floor("1,000 cases, bare Node server", thousand, NODE, 1.4)))
        found.insert(0, ("node", versus_floor("3 cases, bare Node server", three, NODE, 1.6)))
    return found


def line(row: Row) -> str:
    """Lay one row out as Markdown."""
    met = "yes" if row.value <= row.target else "**no**"
    return f"| {row.what} | {row.floor} | {row.ours} | {row.value:.2f} {row.unit} | {row.target:g} | {met} |"


def main() -> int:
    """Print the table as it grows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=int(os.environ.get("PAIRS", "9")))
    parser.add_argument("--only", help="only the rows of this word, such as fast")
    asked = parser.parse_args()
    write(f"{asked.pairs} pairs, {PYTHON}, Python {sys.version.split()[0]}, {os.cpu_count()} CPUs\n")
    write("| what | floor | mcpeak | ratio | target | met |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for word, measure in rows(Path(folder), asked.pairs):
            if asked.only in (None, word):
                write(line(measure()))
    if not EVERYTHING.exists():
        write("\nserver-everything is not installed: `make test-real` installs it")
    return 0


def write(text: str) -> None:
    """Say something now."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
