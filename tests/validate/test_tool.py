"""mcpeak-validate: records on stdout, words on stderr, exit codes; several files in one call."""

import base64
import json
import os
import subprocess
import sys

import pytest

from mcpeak.wire.json import parse
from support.programs import BIN, DATA, environment, run

CASES = DATA / "cases" / "validate-many-files"
VECTORS = json.loads((DATA / "vectors/validation.json").read_text("utf-8"))
GOOD = (CASES / "good.json").read_bytes()


def records(done):
    return [parse(line) for line in done.stdout.splitlines()]


def validate(*arguments, **rest):
    return run("mcpeak-validate", *arguments, **rest)


def test_valid_suites_become_suite_records_between_begin_and_end():
    done = validate("--", "good.json", "-with space.json", cwd=CASES)
    begin, first, second, end = records(done)
    assert (done.returncode, done.stderr) == (0, b"")
    assert begin == {"type": "begin", "stage": "validate", "stream": 1}
    assert (first["type"], first["source"], second["source"]) == ("suite", "good.json", "-with space.json")
    assert first["suite"] == json.loads(GOOD)
    assert end["counts"]["suites"] == 2


def test_every_file_is_checked_in_one_call():
    done = validate("--", "bad.json", "good.json", "also-bad.json", cwd=CASES)
    kinds = [(record["type"], record.get("source")) for record in records(done)[1:-1]]
    assert kinds == [("issue", "bad.json"), ("suite", "good.json"), *[("issue", "also-bad.json")] * 2]
    assert done.returncode == 1


def test_the_file_codes_are_issues_with_the_document_as_path(tmp_path):
    (tmp_path / "dir.json").mkdir()
    (tmp_path / "a.txt").write_bytes(GOOD)
    (tmp_path / ".json").write_bytes(GOOD)
    (tmp_path / "u.json").write_bytes(GOOD.decode().encode("utf-16"))
    done = validate("none.json", "dir.json", "a.txt", ".json", "u.json", cwd=tmp_path)
    assert [(r["code"], r["path"]) for r in records(done)[1:-1]] == [
        ("SUITE_READ_FAILED", "$"),
        ("SUITE_READ_FAILED", "$"),
        ("SUITE_FORMAT_UNSUPPORTED", "$"),
        ("SUITE_FORMAT_UNSUPPORTED", "$"),
        ("SUITE_ENCODING_INVALID", "$"),
    ]
    assert done.returncode == 3


@pytest.mark.parametrize("vector", VECTORS["rawFiles"], ids=lambda v: v["name"])
def test_files_end_as_the_vectors_do(vector, tmp_path):
    name = vector.get("file", "x.json")
    if "bytesBase64" in vector:
        (tmp_path / name).write_bytes(base64.b64decode(vector["bytesBase64"]))
    elif "directory" in vector["name"]:
        (tmp_path / name).mkdir()
    done = validate(name, cwd=tmp_path)
    codes = [r["code"] for r in records(done) if r["type"] == "issue"]
    expected = {None: [], "SUITE_VALIDATION_FAILED": [i["code"] for i in vector["issues"]]}
    assert codes == expected.get(vector["errorCode"], [vector["errorCode"]])
    assert (done.returncode == 0) == (vector["exitCode"] == 0)


@pytest.mark.parametrize("arguments", [(), ("-",), ("--", "-")])
def test_standard_input_is_one_suite_of_any_name(arguments):
    done = validate(*arguments, stdin=GOOD)
    assert [(r["type"], r.get("source")) for r in records(done)[1:-1]] == [("suite", "<stdin>")]
    assert done.returncode == 0


@pytest.mark.parametrize("nothing", [b"", b" \r\n"])
def test_nothing_at_all_is_red_and_says_so(nothing):
    done = validate(stdin=nothing)
    assert [r["code"] for r in records(done) if r["type"] == "error"] == ["NOTHING_GIVEN"]
    assert done.returncode == 3


def test_a_terminal_without_a_file_is_wrong_usage():
    near, far = os.openpty()
    done = subprocess.run(
        [sys.executable, str(BIN / "mcpeak-validate")],
        stdin=far,
        capture_output=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    os.close(near)
    os.close(far)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"NOTHING_GIVEN" in done.stderr


def test_check_is_quiet_when_all_is_well():
    done = validate("--check", "good.json", cwd=CASES)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_check_tells_people_where_and_what_to_do():
    done = validate("--check", "also-bad.json", cwd=CASES)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"also-bad.json:12:13: error [INVALID_VALUE]: cases[0].operation.type: ")
    assert b"Did you mean `listTools`?" in done.stderr


@pytest.fixture
def doubtful(tmp_path):
    """A suite with one warning: 2^53 + 1 in an input."""
    suite = json.loads(GOOD)
    suite["cases"][0]["operation"] = {"type": "callTool", "tool": "t", "input": {"id": 9007199254740993}}
    suite["cases"][0]["assertions"] = [{"type": "isError", "expected": False}]
    path = tmp_path / "s.json"
    path.write_text(json.dumps(suite), "utf-8")
    return path


@pytest.mark.parametrize(("options", "severity", "code"), [((), "warning", 0), (("--strict",), "failure", 1)])
def test_warnings_are_notices_and_failures_when_strict(doubtful, options, severity, code):
    done = validate(*options, str(doubtful))
    notices = [(r["severity"], r["code"]) for r in records(done) if r["type"] == "notice"]
    assert notices == [(severity, "NUMBER_NOT_EXACT")]
    assert done.returncode == code


def test_a_name_that_is_no_utf8_is_shown_with_escapes(tmp_path):
    name = os.fsdecode(b"\xff.json")
    (tmp_path / name).write_bytes(GOOD)
    done = validate(name, cwd=tmp_path)
    assert records(done)[1]["source"].endswith("\\xff.json")


def test_no_file_is_changed():
    before = {path: path.read_bytes() for path in CASES.glob("*.json")}
    validate("--check", "--", *[path.name for path in before], cwd=CASES)
    assert {path: path.read_bytes() for path in CASES.glob("*.json")} == before


def test_korean_words_come_with_the_same_codes():
    done = validate("--lang", "ko", "--check", "bad.json", cwd=CASES)
    assert "[SUITE_JSON_INVALID]: $: JSON 이 아닙니다" in done.stderr.decode()


def test_a_folder_is_told_from_a_file_of_another_name(tmp_path):
    done = run("mcpeak-validate", "--check", str(tmp_path))
    assert b"[SUITE_FORMAT_UNSUPPORTED]" in done.stdout + done.stderr
    assert b"/*.suite.json" in done.stdout + done.stderr
