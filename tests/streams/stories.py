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


def stage(told: Story, program: str, *words: str, stdin: bytes = b"", language: str = "en") -> bytes:
    """Run one program in the story's folder; give its stdout."""
    command = [sys.executable, str(BIN / program), "--lang", language, *words]
    done = subprocess.run(
        command,
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=told.folder,
        env=environment(),
        timeout=60,
        check=False,
    )
    return stable(done.stdout)


def validated(told: Story, language: str = "en") -> bytes:
    """What mcpeak-validate makes of the suites."""
    return stage(told, "mcpeak-validate", "--", *told.suites, language=language)


def ran(told: Story, before: bytes, language: str = "en") -> bytes:
    """What mcpeak-run makes of that."""
    lines = stage(
        told, "mcpeak-run", *told.options, "--", *told.server, stdin=before, language=language
    ).splitlines(True)
    return b"".join(lines[: -told.cut] if told.cut else lines)


def reported(told: Story, before: bytes, *words: str, language: str = "en") -> bytes:
    """What mcpeak-report makes of that, on stdout."""
    return stage(told, "mcpeak-report", "--color", "never", *words, stdin=before, language=language)


def junit(told: Story, before: bytes) -> bytes:
    """The XML file that mcpeak-report writes."""
    stage(told, "mcpeak-report", "--junit", "junit.made.xml", stdin=before)
    made = told.folder / "junit.made.xml"
    text = stable(made.read_bytes())
    made.unlink()
    return text


def korean(told: Story, _: bytes) -> bytes:
    """The whole pipe in Korean: a stream's sentences are in the language of the stage that wrote them."""
    return reported(told, ran(told, validated(told, "ko"), "ko"), language="ko")


FILES: dict[str, tuple[str | None, Callable[[Story, bytes], bytes]]] = {
    "1-validate.ndjson": (None, lambda told, _: validated(told)),
    "2-run.ndjson": ("1-validate.ndjson", ran),
    "3-report.en.txt": ("2-run.ndjson", reported),
    "3-report.ko.txt": (None, korean),
    "3-report.json": ("2-run.ndjson", lambda told, before: reported(told, before, "--json")),
    "3-report.xml": ("2-run.ndjson", junit),
}
"""Each golden file: the file that it is made from, and how."""


def made(name: str, file: str) -> bytes:
    """Make one golden file anew."""
    told = story(name)
    source, make = FILES[file]
    return make(told, (told.folder / source).read_bytes() if source else b"")
