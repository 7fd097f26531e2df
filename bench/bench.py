"""Measure mcpeak against a bare loop that does the same exchange, as ratios in one run, and print a table.

usage: bench.py [--pairs N] [--only WORD]   exit 0, also where a target is missed: the table says so

Nothing else should run meanwhile; how it is measured: measure.py.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from pathlib import Path

import outside
from measure import Row, above, against, cost, line, peak

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
FLOOR = [PYTHON, str(ROOT / "bench" / "floor.py")]
MCPEAK = [PYTHON, str(ROOT / "bin" / "mcpeak"), "test"]
WEATHER = str(ROOT / "examples" / "weather")
NODE = ["node", f"{WEATHER}/server.mjs"]
FAST = [PYTHON, str(ROOT / "bench" / "fast_server.py")]
EVERYTHING = ROOT / "build" / "real" / "everything" / "node_modules" / ".bin" / "mcp-server-everything"
Rows = Iterator[tuple[str, Callable[[], Row]]]
"""Measurements: a word for --only, and what measures it."""


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


def many(folder: Path) -> list[str]:
    """Write 200 suites of 5 cases."""
    text = Path(suite(folder, 5)).read_text("utf-8")
    paths = [folder / f"many-{number}.json" for number in range(200)]
    for number, path in enumerate(paths):
        path.write_text(json.dumps({**json.loads(text), "id": f"many-{number}"}), "utf-8")
    return [str(path) for path in paths]


def floors(folder: Path, pairs: int) -> Rows:
    """Yield what is measured against the bare loop."""
    three, thousand, ten_thousand = (suite(folder, cases) for cases in (3, 1000, 10000))

    def versus(what: str, cases: str, command: list[str], target: float) -> Callable[[], Row]:
        floor, ours = [*FLOOR, cases, *command], [*MCPEAK, cases, "--", *command]
        return partial(against, what, floor, ours, pairs, target)

    if shutil.which("node"):
        yield "node", versus("3 cases, bare Node server", three, NODE, 1.35)
        yield "thousand", versus("1,000 cases, bare Node server", thousand, NODE, 1.25)
    if EVERYTHING.exists():
        server = [str(EVERYTHING), "stdio"]
        yield "everything", versus("3 cases, server-everything", everything(folder), server, 1.06)
    yield "fast", versus("10,000 cases, fast server", ten_thousand, FAST, 1.12)
    floor, ours = [*FLOOR, three, *FAST], [*MCPEAK, three, "--", *FAST]
    yield "cpu", partial(above, "CPU of the whole pipeline above the floor, 3 cases", floor, ours, pairs, 160)


def sizes(folder: Path, pairs: int) -> Rows:
    """Yield peaks of memory, and what is gained by running servers side by side."""
    for cases, target in ((3, 36), (10_000, 36), (100_000, inf)):
        ours = [*MCPEAK, suite(folder, cases), "--", *FAST]
        yield "memory", partial(peak, f"peak memory, {cases:,} cases", ours, target)
    suites = many(folder)
    turn, both = ([*MCPEAK, *jobs, *suites, "--", *FAST] for jobs in ((), ("--jobs", "2")))
    yield (
        "jobs",
        partial(against, "200 suites of 5 cases, `--jobs 2` against one by one", turn, both, pairs, 0.67),
    )


def starts(_: Path, pairs: int) -> Rows:
    """Yield the CPU that a program takes that does nothing."""
    bare, program = [PYTHON, "-c", "pass"], str(ROOT / "bin" / "mcpeak-validate")
    for name, words, target in (
        ("mcpeak-validate --version", [program], 3.5),
        ("mcpeak --help", [MCPEAK[1]], 2.5),
    ):
        ours = [PYTHON, *words, f"--{name.partition('--')[2]}"]
        yield "start", partial(against, f"CPU of `{name}`", bare, ours, pairs * 2, target, by="cpu")


def sessions(folder: Path, pairs: int) -> Rows:
    """Yield how long a replay takes of the run that was recorded."""
    clients = {"Python's urllib": [PYTHON, "-c", outside.PYTHON]}
    if shutil.which("node"):
        clients["Node's fetch"] = ["node", "--input-type=module", "-e", outside.NODE]
    for number, (name, client) in enumerate(clients.items()):
        what = f"{outside.CALLS} outside calls by {name}, replayed against live"
        yield "session", partial(replayed, what, client, str(folder / f"{number}.session"), pairs)


def replayed(what: str, client: list[str], file: str, pairs: int) -> Row:
    """Record a client, then measure the live one against the replayed one."""
    wrapper = [PYTHON, str(ROOT / "bin" / "mcpeak-session")]
    with outside.api() as url:
        live = [*client, url]
        cost([*wrapper, "record", file, "--", *live])
        return against(what, live, [*wrapper, "replay", file, "--", *live], pairs, 1.0)


def http(folder: Path, pairs: int) -> Rows:
    """Yield what is measured over HTTP, against a bare httpx loop."""
    yield "http", partial(over_http, suite(folder, 1000), pairs)


def over_http(cases: str, pairs: int) -> Row:
    """Measure 1,000 calls over HTTP."""
    with outside.fast_http() as url:
        floor = [PYTHON, str(ROOT / "bench" / "http_floor.py"), cases, url]
        ours = [*MCPEAK, cases, "--url", url]
        return against("1,000 cases over HTTP, against a bare httpx loop", floor, ours, pairs, 1.5)


def main() -> int:
    """Print the table as it grows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=int(os.environ.get("PAIRS", "9")))
    parser.add_argument("--only", help="only the rows of this word, such as fast")
    asked = parser.parse_args()
    write(f"{asked.pairs} pairs, {PYTHON}, Python {sys.version.split()[0]}, {os.cpu_count()} CPUs\n")
    write("| what | floor | mcpeak | ratio | target | met |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for rows in (floors, http, sizes, starts, sessions):
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
