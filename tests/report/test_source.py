"""Streams and stored reports as input."""

import json
from pathlib import Path

import pytest

from support.programs import DATA, run
from support.streams import case, finished, lines, started

STREAM = lines(started(2), *case(0, "a"), *case(1, "b", "failed"), finished("passed", "failed"))


def stored() -> bytes:
    return run("mcpeak-report", "--json", stdin=STREAM).stdout


def test_a_stored_report_is_shown_again() -> None:
    again = run("mcpeak-report", stdin=stored()).stdout.decode()
    assert "✗ b  case b" in again
    assert "1 passed, 1 failed (2 total)" in again


def test_a_stored_report_gives_itself_again() -> None:
    assert run("mcpeak-report", "--json", stdin=stored()).stdout == stored()


def test_a_report_laid_out_over_many_lines_is_read_too(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_text(json.dumps(json.loads(stored()), indent=2))
    assert b"1 passed, 1 failed (2 total)" in run("mcpeak-report", str(file)).stdout


def test_several_files_become_one_report(tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_bytes(STREAM)
    (tmp_path / "b.json").write_bytes(stored())
    text = run("mcpeak-report", "a.ndjson", "b.json", cwd=tmp_path).stdout.decode()
    assert "Suites: 0 passed, 2 failed (2 total)" in text


def test_streams_may_be_put_one_after_the_other() -> None:
    assert b"Suites: 0 passed, 2 failed (2 total)" in run("mcpeak-report", stdin=STREAM + STREAM).stdout


def test_a_hand_made_stream_may_leave_its_begin_out() -> None:
    assert run("mcpeak-report", stdin=STREAM.split(b"\n", 1)[1]).returncode == 1


def test_a_file_that_is_not_there_is_unreadable_and_named() -> None:
    done = run("mcpeak-report", "nowhere.ndjson")
    assert done.returncode == 3
    assert b"REPORT_READ_FAILED" in done.stderr
    assert b"nowhere.ndjson" in done.stderr


@pytest.mark.parametrize("data", [b'{"schemaVersion":1,"cases":[{}]}', b'{"cases":7}', b'{\n"a":'])
def test_a_document_that_is_no_report_is_unreadable(data: bytes) -> None:
    done = run("mcpeak-report", stdin=data)
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"REPORT_INVALID" in done.stderr


def test_every_report_of_the_reference_is_shown() -> None:
    vectors = json.loads((DATA / "vectors" / "report.json").read_bytes())["vectors"]
    reports = [vector["report"] for vector in vectors if vector["report"]]
    done = run("mcpeak-report", stdin="\n".join(map(json.dumps, reports)))
    assert done.stdout.decode().count(" total)") == len(reports) + 2
    assert b"Traceback" not in done.stderr
