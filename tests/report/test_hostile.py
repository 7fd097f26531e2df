"""Whatever a server or suite says, no format breaks, and nothing of it acts."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import xml.parsers.expat
from pathlib import Path

import pytest

from mcpeak.wire.records import Notice, StopReason
from support.programs import BIN, environment, run
from support.streams import body, case, ended, finished, is_error, lines, started, violation

NASTY = [
    "\x00\x07\x08\x1b]0;title\x07\x1b[2J\x9b31m",
    "<script>alert(1)</script><img src=x onerror=alert(2)>",
    "]]><!--<![CDATA[x]]>&amp;&lt;\"'",
    "\u202eevil\u2066\u200f\u061c",
    "\ud800lone\udfff",
    "a\r\nb\nok 7 - c\n::error::d\u2028e",
    "| `x` | ``` | # [y](z) <b>",
    "{{ 7*7 }}{% raw %}",
    "\ufffe\uffff\ufeff🙂" * 3,
    "",
]


def records(text: str, source: str = "x.json") -> list[object]:
    different = violation("CONST_MISMATCH", f"$.{text}", text, text + "x")
    missing = violation("REQUIRED_MISSING", "$", text, None, observed_keys=[text])
    assertions = [is_error(False, True, text, text), body(different, missing)]
    stop = StopReason(type="timeout", case_id=text)
    return [
        started(2, name=text, source=source),
        *case(0, text, "failed", name=text, assertions=assertions, stderr=[text]),
        *case(1, f"b{text}", "passed", name=text),
        Notice(severity="warning", run=0, case=text, code="STDOUT_NOISE", message=text, hint=text),
        finished("failed", "passed", stop=stop, process=ended(1, stderr=[text], abnormal=True)),
    ]


ALL = lines(*(record for text in NASTY for record in records(text, f"{text}.json")))


@pytest.mark.parametrize("form", ["--tap", "--github", "-v", "-q"])
def test_no_text_reaches_a_terminal_as_it_came(form: str) -> None:
    done = run("mcpeak-report", form, stdin=ALL)
    assert done.returncode == 1
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u202e\u2066\u200f]", (done.stdout + done.stderr).decode()
    )


def test_no_file_breaks(tmp_path: Path) -> None:
    run(
        "mcpeak-report",
        "--junit",
        "j.xml",
        "--html",
        "h.html",
        "--repair-bundle",
        "b.json",
        stdin=ALL,
        cwd=tmp_path,
    )
    xml.parsers.expat.ParserCreate().Parse((tmp_path / "j.xml").read_bytes(), True)
    assert len(json.loads((tmp_path / "b.json").read_bytes())["suites"]) == len(NASTY)
    page = (tmp_path / "h.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "<img" not in page


def test_json_passes_it_through_unchanged() -> None:
    done = run("mcpeak-report", "--json", stdin=ALL)
    assert [json.loads(line)["cases"][0]["spec"]["name"] for line in done.stdout.splitlines()] == NASTY


@pytest.mark.slow
def test_ten_mebibytes_reach_every_format_cut(tmp_path: Path) -> None:
    names = ["--junit", "j.xml", "--html", "h.html", "--markdown", "m.md"]
    done = run("mcpeak-report", *names, stdin=lines(*records("w" * 10 * 1024 * 1024)), cwd=tmp_path)
    assert done.returncode == 1
    assert len(done.stdout) < 100_000
    for name in ("j.xml", "h.html", "m.md"):
        assert (tmp_path / name).stat().st_size < 30 * 1024 * 1024


@pytest.mark.parametrize("form", ["-v", "--json"])
def test_on_a_terminal_only_our_own_escape_sequences_arrive(form: str) -> None:
    shown = on_a_terminal(ALL, form)
    ours = {f"\x1b[{number}m" for number in (0, 1, 2, 31, 32, 33, 36)} | {"\x1b[K"}
    assert set(re.findall("\x1b\\[K|\x1b[^m]*m|\x1b.", shown)) <= ours
    assert not re.search("[\x00-\x08\x7f-\x9f\u2028\u202e]", shown)


def on_a_terminal(data: bytes, *arguments: str) -> str:
    """Run the report with stdout and stderr on a terminal."""
    ours, theirs = pty.openpty()
    env = environment(TERM="xterm-256color", LC_ALL="C.UTF-8")
    with subprocess.Popen(
        [sys.executable, str(BIN / "mcpeak-report"), *arguments],
        stdin=subprocess.PIPE,
        stdout=theirs,
        stderr=theirs,
        env=env,
    ) as program:
        os.close(theirs)
        assert program.stdin is not None
        program.stdin.write(data)
        program.stdin.close()
        shown = b""
        while select.select([ours], [], [], 60)[0]:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # Linux: the other end is closed
                break
            if not piece:
                break
            shown += piece
    os.close(ours)
    return shown.decode()
