"""`mcpeak test --determinism`: two runs, one report, one verdict."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from support.programs import BIN, DATA, run

CASE = {"id": "c", "name": "n", "assertions": [{"type": "isError", "expected": False}]}


def suite(path: Path, tool: str) -> str:
    operation = {"type": "callTool", "tool": tool, "input": {"a": 1}}
    path.write_text(
        json.dumps(
            {"schemaVersion": 1, "id": path.stem, "name": "S", "cases": [CASE | {"operation": operation}]}
        )
    )
    return str(path)


@pytest.fixture
def mock(tmp_path: Path) -> list[str]:
    tools = [{"name": "t", "inputSchema": {"type": "object"}}]
    (tmp_path / "m.json").write_text(json.dumps({"tools": tools, "responses": [{"tool": "t", "result": 1}]}))
    return ["--", sys.executable, str(BIN / "mcpeak-mock"), str(tmp_path / "m.json")]


def checked(*arguments: str, cwd: Path) -> tuple[int, list[dict[str, Any]]]:
    done = run("mcpeak", "test", "--determinism", "--json", *arguments, cwd=cwd)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_equal_runs_are_consistent_and_the_report_counts_each_case_once(
    tmp_path: Path, mock: list[str]
) -> None:
    code, [report] = checked(suite(tmp_path / "s.json", "t"), *mock, cwd=tmp_path)
    assert (code, report["summary"]["total"]) == (0, 1)
    assert report["determinism"] == {
        "compared": 1,
        "skipped": 0,
        "differences": [],
        "conclusion": "consistentWithoutReset",
    }


def test_with_a_reset_before_each_run_they_are_deterministic(tmp_path: Path, mock: list[str]) -> None:
    reset = f"{sys.executable} -c \"open('count', 'a').write('x')\""
    code, [report] = checked(suite(tmp_path / "s.json", "t"), "--reset-cmd", reset, *mock, cwd=tmp_path)
    assert (code, report["determinism"]["conclusion"]) == (0, "deterministic")
    assert (tmp_path / "count").read_text() == "xx"


def test_a_failing_reset_is_red(tmp_path: Path, mock: list[str]) -> None:
    done = run(
        "mcpeak",
        "test",
        "--determinism",
        "--reset-cmd",
        "false",
        suite(tmp_path / "s.json", "t"),
        *mock,
        cwd=tmp_path,
    )
    assert done.returncode == 1
    assert b"RESET_COMMAND_FAILED" in done.stderr


def test_several_suites_at_once_are_compared_apart(tmp_path: Path, mock: list[str]) -> None:
    suites = [suite(tmp_path / f"{name}.json", "t") for name in ("one", "two", "three")]
    code, reports = checked("--jobs", "2", *suites, *mock, cwd=tmp_path)
    assert code == 0
    assert sorted(report["suite"]["id"] for report in reports) == ["one", "three", "two"]
    assert {report["determinism"]["conclusion"] for report in reports} == {"consistentWithoutReset"}


@pytest.mark.skipif(shutil.which("node") is None, reason="the servers of tests/data need Node")
@pytest.mark.parametrize(("flags", "expected"), [((), 0), (("--strict",), 1)])
def test_answers_that_differ_are_told_and_red_when_strict(
    tmp_path: Path, flags: tuple[str, ...], expected: int
) -> None:
    text = (
        (DATA / "servers" / "srv.mjs")
        .read_text()
        .replace('return R(text("fine"))', "return R(text(String(Date.now())))")
    )
    (tmp_path / "srv.mjs").write_text(text)
    server = ["--", "node", str(tmp_path / "srv.mjs")]
    code, [report] = checked(suite(tmp_path / "s.json", "ok"), *flags, *server, cwd=tmp_path)
    assert (code, report["determinism"]["conclusion"]) == (expected, "nondeterministic")
    [difference] = report["determinism"]["differences"]
    assert (difference["path"], difference["kind"]) == ("$.content[0].text", "time")
