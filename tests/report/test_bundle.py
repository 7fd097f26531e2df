"""The repair bundle: everything that mending needs, and nothing when all passed."""

import json
from pathlib import Path
from typing import Any

from mcpeak.report.bundle import document
from mcpeak.wire.records import Finding, Payload, ServerFacts, ToolRecord
from support.programs import run
from support.streams import case, ended, finished, fold, is_error, lines, raw, started

FACTS = ServerFacts(target="node server.mjs", name="srv", version="1")
FOUND = Finding(
    code="REQUIRED_ARGUMENT_MISSING",
    severity="blocking",
    case_id="b",
    path="operation.input.day",
    detail={"tool": "get_weather", "name": "day"},
)
RECORDS = [
    started(2),
    *case(0, "a"),
    *case(
        1,
        "b",
        "failed",
        assertions=[is_error(False, True, "boom")],
        answer=Payload(size=2, text="{}"),
        stderr=["oh"],
    ),
    ToolRecord(server=FACTS, tool=raw({"name": "get_weather", "inputSchema": {"type": "object"}})),
    ToolRecord(server=FACTS, tool=raw({"name": "other"})),
    finished("passed", "failed", process=ended(1, stderr=["last"]), findings=[FOUND]),
]


def bundle() -> dict[str, Any]:
    return json.loads(document(fold(*RECORDS)))


def test_it_holds_the_failing_cases_and_no_other() -> None:
    (suite,) = bundle()["suites"]
    assert [each["id"] for each in suite["cases"]] == ["b"]
    assert suite["cases"][0]["result"]["assertions"][0]["diagnostic"]["notes"] == ["boom"]
    assert suite["cases"][0]["answer"] == {"size": 2, "text": "{}"}


def test_it_holds_the_tools_that_they_call_the_server_and_its_stderr() -> None:
    (suite,) = bundle()["suites"]
    assert [tool["name"] for tool in suite["tools"]] == ["get_weather"]
    assert suite["server"]["name"] == "srv"
    assert suite["processes"][0]["stderr"] == ["last"]


def test_it_tells_what_the_case_has_against_the_tool() -> None:
    (finding,) = bundle()["suites"][0]["cases"][0]["findings"]
    assert finding["code"] == "REQUIRED_ARGUMENT_MISSING"
    assert "requires day" in finding["message"]


def test_nothing_is_written_when_all_passed(tmp_path: Path) -> None:
    stream = lines(started(1), *case(0, "a"), finished("passed"))
    run("mcpeak-report", "--repair-bundle", "b.json", stdin=stream, cwd=tmp_path)
    assert not (tmp_path / "b.json").exists()
