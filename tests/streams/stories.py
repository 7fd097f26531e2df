"""Golden stories: each folder here holds a story's suites and what every stage made of them.

`story.toml`: `suites`, `server` (words after `--`; {server} is the scripted server), `options` of mcpeak-run,
and `cut` (lines taken off the end of the run's stream). A stage reads the golden file of the stage before, so
that each is held by itself; `make golden` rewrites all of them, and the diff is the review.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.programs import BIN, environment  # noqa: E402 - the path comes first when make golden runs this

HERE = Path(__file__).parent
STORIES = sorted(path.parent.name for path in HERE.glob("*/story.toml"))
BUG = 70
SERVER = "../../data/servers/scripted.py"
VOLATILE = [
    (re.compile(rb'"elapsedMs":[0-9.e+-]+'), b'"elapsedMs":0'),
    (re.compile(rb'"pid":[0-9]+'), b'"pid":0'),
    (re.compile(re.escape(str(ROOT).encode())), b"{root}"),
    (re.compile(re.escape(sys.executable.encode())), b"python3"),
]


class Story(NamedTuple):
    """What is told: suites, the server's command, options of the run, lines cut off its stream."""

    folder: Path
    suites: list[str]
    server: list[str]
    options: list[str]
    cut: int


def story(name: str) -> Story:
    """Read one story."""
    told = tomllib.loads((HERE / name / "story.toml").read_text("utf-8"))
    server = [word.format(server=SERVER) for word in told["server"]]
    return Story(HERE / name, told["suites"], server, told.get("options", []), told.get("cut", 0))


def stable(data: bytes) -> bytes:
    """Take out what differs from run to run and machine to machine; the only place that knows what does."""
    for pattern, instead in VOLATILE:
        data = pattern.sub(instead, data)
    return data


def program(
    told: Story, name: str, *words: str, stdin: bytes = b"", language: str = "en"
) -> subprocess.CompletedProcess[bytes]:
    """Run one program in the story's folder."""
    command = [sys.executable, str(BIN / name), "--lang", language, *words]
    done = subprocess.run(
        command, input=stdin, capture_output=True, cwd=told.folder, env=environment(), timeout=60, check=False
    )
    assert done.returncode != BUG, done.stderr.decode()
    return done


def validated(told: Story, language: str = "en") -> bytes:
    """What mcpeak-validate makes of the suites."""
    return stable(program(told, "mcpeak-validate", "--", *told.suites, language=language).stdout)


def ran(told: Story, before: bytes, language: str = "en") -> bytes:
    """What mcpeak-run makes of that."""
    words = [*told.options, "--", *told.server]
    lines = stable(program(told, "mcpeak-run", *words, stdin=before, language=language).stdout).splitlines(
        keepends=True
    )
    return b"".join(lines[: -told.cut] if told.cut else lines)


def human(told: Story, before: bytes, language: str = "en") -> bytes:
    """What mcpeak-report tells people: stdout, stderr if it has anything, the exit code."""
    done = program(told, "mcpeak-report", "--color", "never", stdin=before, language=language)
    errors = b"[stderr]\n" + done.stderr if done.stderr else b""
    return stable(done.stdout + errors) + f"[exit {done.returncode}]\n".encode()


def korean(told: Story, _: bytes) -> bytes:
    """The whole pipe in Korean: a stream's sentences are in the language of the stage that wrote them."""
    return human(told, ran(told, validated(told, "ko"), "ko"), "ko")


def document(told: Story, before: bytes) -> bytes:
    """The RunnerReports."""
    return stable(program(told, "mcpeak-report", "--json", stdin=before).stdout)


def junit(told: Story, before: bytes) -> bytes:
    """The XML file."""
    made = told.folder / "made.xml"
    try:
        program(told, "mcpeak-report", "--junit", made.name, stdin=before)
        return stable(made.read_bytes())
    finally:
        made.unlink(missing_ok=True)


FILES: dict[str, tuple[str | None, Callable[[Story, bytes], bytes]]] = {
    "1-validate.ndjson": (None, lambda told, _: validated(told)),
    "2-run.ndjson": ("1-validate.ndjson", ran),
    "3-report.en.txt": ("2-run.ndjson", human),
    "3-report.ko.txt": (None, korean),
    "3-report.json": ("2-run.ndjson", document),
    "3-report.xml": ("2-run.ndjson", junit),
}
"""Each golden file: the file that it is made from, and how."""


def made(name: str, file: str) -> bytes:
    """Make one golden file anew."""
    told = story(name)
    source, make = FILES[file]
    return make(told, (told.folder / source).read_bytes() if source else b"")
