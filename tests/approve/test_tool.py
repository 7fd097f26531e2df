"""mcpeak-approve as a program: what it saves, and when it saves nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from mcpeak.suite.canonical import fingerprint
from support.programs import run

CASE = {
    "id": "c",
    "name": "n",
    "operation": {"type": "callTool", "tool": "t", "input": {}},
    "assertions": [{"type": "isError", "expected": False}],
}
SUITE: dict[str, Any] = {"cases": [CASE, CASE | {"id": "d"}], "id": "s", "schemaVersion": 1, "name": "S"}


def suite_record(suite: dict[str, Any] = SUITE) -> dict[str, Any]:
    return {
        "type": "suite",
        "source": "s.json",
        "suite": suite,
        "fingerprint": "0" * 64,
        "approval": "absent",
    }


def finished(case: str, status: str) -> dict[str, Any]:
    result = {
        "spec": {"id": case},
        "status": status,
        "operation": {"status": "completed"},
        "assertions": [],
        "rejectionBasis": "notApplicable",
    }
    return {"type": "caseFinished", "run": 0, "index": 0, "elapsedMs": 1, "result": result}


def stream(*records: dict[str, Any], end: bool = True) -> str:
    last = [{"type": "end", "stage": "x", "counts": {}}] if end else []
    return "\n".join(
        json.dumps(each) for each in [{"type": "begin", "stage": "x", "stream": 1}, *records, *last]
    )


def test_saves_in_the_order_and_layout_of_the_contract(tmp_path: Path) -> None:
    out = tmp_path / "s.json"
    done = run("mcpeak-approve", "--out", str(out), stdin=stream(suite_record()))
    assert done.returncode == 0
    text = out.read_text()
    assert text.startswith('{\n  "schemaVersion": 1,\n  "id"')
    assert text.endswith("}\n")
    assert list(json.loads(text)) == ["schemaVersion", "id", "name", "approval", "cases"]
    assert json.loads(text)["approval"] == {"fingerprint": fingerprint(SUITE)}


def test_a_saved_suite_is_valid_and_matches_its_approval(tmp_path: Path) -> None:
    out = tmp_path / "s.json"
    run("mcpeak-approve", "--out", str(out), stdin=stream(suite_record()))
    done = run("mcpeak-validate", str(out))
    [suite] = [r for r in map(json.loads, done.stdout.splitlines()) if r["type"] == "suite"]
    assert (done.returncode, suite["approval"]) == (0, "matched")


def test_without_a_file_the_suite_goes_to_stdout() -> None:
    done = run("mcpeak-approve", stdin=stream(suite_record()))
    assert json.loads(done.stdout)["id"] == "s"


def test_the_dry_run_says_how_each_case_is_approved() -> None:
    done = run(
        "mcpeak-approve", stdin=stream(suite_record(), finished("c", "passed"), finished("d", "timedOut"))
    )
    assert json.loads(done.stdout)["approval"]["cases"] == [
        {"id": "c", "status": "passed"},
        {"id": "d", "status": "serverDefect"},
    ]


def test_a_review_outweighs_the_dry_run() -> None:
    reviewed = SUITE | {
        "approval": {"fingerprint": "0" * 64, "cases": [{"id": "d", "status": "serverDefect"}]}
    }
    done = run("mcpeak-approve", stdin=stream(suite_record(reviewed), finished("c", "passed")))
    assert json.loads(done.stdout)["approval"] == {
        "fingerprint": fingerprint(SUITE),
        "cases": [{"id": "d", "status": "serverDefect"}],
    }


def test_never_overwrites_unasked(tmp_path: Path) -> None:
    out = tmp_path / "s.json"
    out.write_text("mine")
    done = run("mcpeak-approve", "--out", str(out), stdin=stream(suite_record()))
    assert b"OUTPUT_EXISTS" in done.stderr
    assert (done.returncode, out.read_text()) == (3, "mine")


def test_force_replaces(tmp_path: Path) -> None:
    out = tmp_path / "s.json"
    out.write_text("mine")
    assert run("mcpeak-approve", "--out", str(out), "--force", stdin=stream(suite_record())).returncode == 0
    assert json.loads(out.read_text())["id"] == "s"


@pytest.mark.parametrize("flags", [[], ["--force"]])
def test_follows_no_symbolic_link(tmp_path: Path, flags: list[str]) -> None:
    target, link = tmp_path / "target.json", tmp_path / "s.json"
    target.write_text("mine")
    link.symlink_to(target)
    done = run("mcpeak-approve", "--out", str(link), *flags, stdin=stream(suite_record()))
    assert (done.returncode, target.read_text(), link.is_symlink()) == (1, "mine", True)


def test_a_missing_folder_is_told_before_anything_is_read(tmp_path: Path) -> None:
    done = run("mcpeak-approve", "--out", str(tmp_path / "none" / "s.json"))
    assert (done.returncode, b"GENERATE_FAILED" in done.stderr) == (1, True)


def test_the_name_must_be_that_of_a_suite(tmp_path: Path) -> None:
    done = run("mcpeak-approve", "--out", str(tmp_path / "s.txt"))
    assert (done.returncode, b"CLI_USAGE" in done.stderr) == (2, True)


NOTHING = {
    "error": {"type": "error", "stage": "x", "code": "C", "message": "m", "hint": "h"},
    "issue": {"type": "issue", "source": "s", "code": "C", "path": "$", "message": "m", "hint": "h"},
    "failure": {"type": "notice", "severity": "failure", "code": "C", "message": "m"},
}


@pytest.mark.parametrize("trouble", NOTHING)
def test_saves_nothing_after_a_failure_of_any_stage(tmp_path: Path, trouble: str) -> None:
    out = tmp_path / "s.json"
    done = run("mcpeak-approve", "--out", str(out), stdin=stream(suite_record(), NOTHING[trouble]))
    assert (done.returncode, out.exists()) == (1, False)
    assert b"[C]" in done.stderr


def test_saves_nothing_of_a_cut_stream(tmp_path: Path) -> None:
    out = tmp_path / "s.json"
    done = run("mcpeak-approve", "--out", str(out), stdin=stream(suite_record(), end=False))
    assert (done.returncode, out.exists()) == (3, False)


def test_saves_nothing_that_is_no_valid_suite(tmp_path: Path) -> None:
    out = tmp_path / "s.json"
    bad = SUITE | {"cases": [CASE, CASE]}
    done = run("mcpeak-approve", "--out", str(out), stdin=stream(suite_record(bad)))
    assert (done.returncode, [path.name for path in tmp_path.iterdir()]) == (3, [])
    assert b"GENERATED_SUITE_INVALID" in done.stderr


@pytest.mark.parametrize("suite", [5, {}, {"cases": 1}, []])
def test_a_record_that_holds_no_suite_is_told(suite: Any) -> None:
    done = run("mcpeak-approve", stdin=stream(suite_record(suite), finished("c", "passed") | {"run": 0}))
    assert (done.returncode, b"GENERATED_SUITE_INVALID" in done.stderr) == (3, True)


@pytest.mark.parametrize("count", [0, 2])
def test_one_file_holds_one_suite(count: int) -> None:
    done = run("mcpeak-approve", stdin=stream(*[suite_record()] * count))
    assert (done.returncode, done.stdout) == (3, b"")


def test_leaves_no_temporary_file_behind(tmp_path: Path) -> None:
    run("mcpeak-approve", "--out", str(tmp_path / "s.json"), stdin=stream(suite_record()))
    assert [path.name for path in tmp_path.iterdir()] == ["s.json"]


def test_letters_and_numbers_survive(tmp_path: Path) -> None:
    odd = SUITE | {
        "name": "한글 \ud800 \u2028",
        "cases": [CASE | {"operation": CASE["operation"] | {"input": {"n": 2**80}}}],
    }
    done = run("mcpeak-approve", stdin=stream(suite_record(odd)))
    saved = json.loads(done.stdout)
    assert (saved["name"], saved["cases"][0]["operation"]["input"]) == (odd["name"], {"n": 2**80})
    assert "한글" in done.stdout.decode()
