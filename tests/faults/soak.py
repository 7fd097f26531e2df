"""Many runs one after another, good ones and failing ones: none leaves a process, descriptor or file.

    python tests/faults/soak.py [RUNS]      (2,000 unless told otherwise; `make soak`)

Most runs are calls of mcpeak-run's `main` within this one process, where a descriptor, a thread, a child
or memory that is not given back stays to be counted; one of each twenty is a whole `mcpeak test`. Exit: 0
nothing was left, 1 something was. Seen: 2,000 runs on two busy cores in 726 s, nothing left, 2.6 MiB more
memory after the first tenth.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "lib"), str(ROOT / "tests")]

import psutil  # noqa: E402 - found by the line above

from mcpeak.run.tool import main  # noqa: E402 - as psutil
from support.programs import environment  # noqa: E402 - as psutil
from support.running import case, stream, suite  # noqa: E402 - as psutil

STDIO = ROOT / "tests" / "run" / "servers" / "faults.py"
HTTP = ROOT / "tests" / "faults" / "servers" / "over_http.py"
GROWTH = 24 * 1024 * 1024
"""Bytes of resident memory that the process may have gained after the first tenth of the runs."""


class Way(NamedTuple):
    """One way to run. `share`: how often in a round; `code`: how it must end."""

    name: str
    share: int
    code: int
    run: Callable[["Place"], int]


class Place:
    """A folder of its own for everything: `temporary` is where temporary files go and must stay empty."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        self.mark = str(folder / "mark")
        self.suite = folder / "soak.suite.json"
        self.suite.write_text(json.dumps(suite(case("a", "echo"), case("b", "echo"))))
        tempfile.tempdir = os.environ["TMPDIR"] = str(self.temporary)
        os.chdir(folder)

    def stdio(self, mode: str = "good") -> list[str]:
        """Give the words of a server over stdio."""
        return ["--", sys.executable, str(STDIO), mode, self.mark + "-pids", self.mark]

    def http(self) -> list[str]:
        """Give the words of a server over HTTP, on a port that is free."""
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            port = found.getsockname()[1]
        return [
            "--url",
            f"http://127.0.0.1:{port}/mcp",
            "--",
            sys.executable,
            str(HTTP),
            str(port),
            "good",
            self.mark,
        ]

    def living(self) -> list[str]:
        """Give the servers that still run."""
        every = (" ".join(each.info["cmdline"] or []) for each in psutil.process_iter(["cmdline"]))
        return [words for words in every if self.mark in words]


@contextmanager
def streams(data: bytes) -> Iterator[None]:
    """Give `main` a stdin of `data`, and let what it writes vanish."""
    kept = [os.dup(number) for number in range(3)]
    with tempfile.TemporaryFile(dir=ROOT / "build") as source, Path(os.devnull).open("wb") as sink:
        source.write(data)
        source.seek(0)
        for number, file in enumerate((source, sink, sink)):
            os.dup2(file.fileno(), number)
    try:
        yield
    finally:
        for number, each in enumerate(kept):
            os.dup2(each, number)
            os.close(each)


def inside(suites: list[Any], words: list[str]) -> int:
    """Run mcpeak-run's `main` here."""
    with streams(stream(*suites)):
        return main(words)


def stdio(*cases: Any, options: tuple[str, ...] = (), mode: str = "good") -> Callable[[Place], int]:
    return lambda place: inside([suite(*cases)], [*options, *place.stdio(mode)])


def http(*cases: Any, options: tuple[str, ...] = ()) -> Callable[[Place], int]:
    return lambda place: inside([suite(*cases)], [*options, *place.http()])


def several(place: Place) -> int:
    """Three suites, two at a time, two runs of each."""
    suites = [suite(case("a", "echo")) for _ in range(3)]
    return inside(suites, ["--jobs", "2", "--repeat", "2", *place.stdio()])


def leaving(place: Place) -> int:
    """A server that leaves a daemon behind."""
    given = {"pids": place.mark + "-pids", "away": True, "hold": False}
    return inside([suite(case("a", "child", input=given))], place.stdio())


def whole(place: Place) -> int:
    """The whole of `mcpeak test`, with files."""
    words = ["test", str(place.suite), "--junit", "report.xml", "--html", "report.html", *place.stdio()]
    done = subprocess.run(
        [sys.executable, str(ROOT / "bin" / "mcpeak"), *words],
        capture_output=True,
        env=environment(),
        timeout=120,
        check=False,
    )
    return done.returncode


ECHO = case("a", "echo")
HANG = case("b", "hang", timeoutMs=50)
WAYS = [
    Way("stdio", 8, 0, stdio(ECHO, case("list"))),
    Way("http", 3, 0, http(ECHO, case("list"))),
    Way("crash", 1, 1, stdio(ECHO, case("b", "crash"), case("c", "echo"))),
    Way("restart", 1, 1, stdio(case("x", "crash"), HANG, ECHO, options=("--restart",))),
    Way("hang, bad bytes", 1, 1, stdio(HANG, case("c", "latin1"), case("d", "noise"))),
    Way("daemon", 1, 0, leaving),
    Way("several", 1, 0, several),
    Way("no such command", 1, 4, lambda place: inside([suite(ECHO)], ["--", place.mark + "-missing"])),
    Way("http crash", 1, 1, http(ECHO, case("b", "crash"), case("c", "echo"))),
    Way("http hang", 1, 1, http(HANG, ECHO)),
    Way("mcpeak test", 1, 0, whole),
]
ROUND = [way for way in WAYS for _ in range(way.share)]


def left(place: Place, before: set[str]) -> list[str]:
    """Name what a run has left behind."""
    found = [f"descriptor {number}" for number in descriptors() - before]
    found += [f"child {child.pid} ({child.status()})" for child in psutil.Process().children(recursive=True)]
    found += [f"thread {each.name}" for each in threading.enumerate() if each is not threading.main_thread()]
    return found + [f"temporary file {path.name}" for path in place.temporary.iterdir()]


def descriptors() -> set[str]:
    """Give the numbers of our open descriptors, and what they are."""
    found = set()
    for number in os.listdir("/proc/self/fd"):  # noqa: PTH208 - the numbers, not paths
        try:
            found.add(f"{number} {Path('/proc/self/fd', number).readlink()}")
        except OSError:  # the one that lists
            continue
    return found


def soak(runs: int, place: Place) -> int:
    """Do the runs; give the number of faults, each told as it is seen."""
    before = descriptors()
    faults: Counter[str] = Counter()
    early = 0
    begun = time.monotonic()
    for turn in range(runs):
        way = ROUND[turn % len(ROUND)]
        code = way.run(place)
        found = left(place, before) + ([] if code == way.code else [f"exit code {code}"])
        if turn % len(ROUND) == len(ROUND) - 1:
            found += [f"process {words}" for words in place.living()]
        for fault in found:
            faults[fault] += 1
            sys.stdout.write(f"run {turn} ({way.name}): {fault}\n")
        if turn == runs // 10:
            early = memory()
        if turn % 200 == 199:
            sys.stdout.write(f"{turn + 1} runs, {memory() / 1024 / 1024:.1f} MiB, {len(faults)} left\n")
            sys.stdout.flush()
    grown = memory() - early
    sys.stdout.write(
        f"{runs} runs in {time.monotonic() - begun:.0f} s: {len(faults)} things left behind; "
        f"memory grew by {grown / 1024 / 1024:.1f} MiB after the first tenth\n"
    )
    return len(faults) + (grown > GROWTH)


def memory() -> int:
    """Give our resident memory in bytes."""
    return psutil.Process().memory_info().rss


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    (ROOT / "build").mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="mcpeak-soak-"))
    try:
        sys.exit(1 if soak(count, Place(folder)) else 0)
    finally:
        os.chdir(ROOT)
        shutil.rmtree(folder)
