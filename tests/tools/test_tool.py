"""mcpeak-tools against servers that behave, and servers that do not."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from mcpeak.tools.people import page
from support.programs import DATA, ROOT, run

SERVER = ["node", str(DATA / "servers" / "srv.mjs")]
pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="the servers of tests/data need Node")


def records(output: bytes, kind: str) -> list[dict[str, Any]]:
    return [record for record in map(json.loads, output.splitlines()) if record["type"] == kind]


def test_writes_one_record_a_tool_as_advertised() -> None:
    done = run("mcpeak-tools", "--", *SERVER)
    tools = records(done.stdout, "tool")
    assert (done.returncode, tools[0]["tool"]["name"], len(tools)) == (0, "ok", 28)
    assert tools[0]["server"]["name"] == "srv"


def test_follows_the_pages() -> None:
    assert len(records(run("mcpeak-tools", "--", *SERVER, "pages").stdout, "tool")) == 28


@pytest.mark.parametrize(
    ("command", "detail"),
    [
        (["/nonexistent"], "PROCESS_START_FAILED"),
        ([*SERVER, "exit3"], "PROCESS_EXITED"),
        ([*SERVER, "list-error"], "OPERATION_FAILED"),
        ([*SERVER, "page-loop"], "OPERATION_FAILED"),
    ],
)
def test_says_why_there_is_no_list(command: list[str], detail: str) -> None:
    done = run("mcpeak-tools", "--", *command)
    [error] = records(done.stdout, "error")
    assert (error["code"], error["detail"], done.returncode) == ("GENERATE_CONNECT_FAILED", detail, 4)


def test_lists_the_tools_for_people() -> None:
    done = run(
        "mcpeak-tools", "--list", "--", sys.executable, str(ROOT / "examples" / "weather" / "server.py")
    )
    assert done.stdout.splitlines()[0].startswith(b"get_weather(city: string")
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_list_for_people_says_why_there_is_none() -> None:
    done = run("mcpeak-tools", "--list", "--", "/nonexistent")
    assert (done.returncode, done.stdout) == (4, b"")
    assert b"[GENERATE_CONNECT_FAILED/PROCESS_START_FAILED]" in done.stderr


def test_a_list_for_people_shows_no_changes() -> None:
    done = run("mcpeak-tools", "--list", "--diff", "old.ndjson", "--", *SERVER)
    assert (done.returncode, b"LIST_WITH_DIFF" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        ({}, "t()"),
        ({"properties": {"b": {"type": "number"}, "a": {}}, "required": ["a"]}, "t(a: any, b?: number)"),
        ({"properties": {"u": {"enum": ["C", 1, None]}}}, 't(u?: "C" | 1 | null)'),
        ({"properties": {"u": {"enum": [1, 2, 3, 4, 5]}}}, "t(u?: 1 | 2 | 3 | 4 | …)"),
        ({"properties": {"u": {"type": ["string", "null"]}}}, "t(u?: string | null)"),
        ({"properties": [1], "required": 3}, "t()"),
        ({"properties": {"x\x1b[2J": True}}, "t(x\\u001b[2J?: any)"),
    ],
)
def test_arguments_are_shown_as_far_as_their_schema_says(schema: Any, shown: str) -> None:
    assert page([{"name": "t", "inputSchema": schema}]) == f"{shown}\n"


def test_a_long_description_is_cut() -> None:
    [_, said] = page([{"name": "t", "description": "a\nb " * 99}]).splitlines()
    assert said.startswith("    a b a b ")
    assert said.endswith("…")


def test_a_command_line_without_server_is_wrong_usage() -> None:
    done = run("mcpeak-tools")
    assert (done.returncode, records(done.stdout, "error")[0]["code"]) == (2, "CLI_USAGE")


def test_tells_what_changed_since_an_older_list(tmp_path: Path) -> None:
    old = tmp_path / "old.ndjson"
    gone = {"type": "tool", "server": {"target": "x"}, "tool": {"name": "gone", "inputSchema": {}}}
    old.write_bytes(
        run("mcpeak-tools", "--", *SERVER).stdout.replace(
            b'{"type":"end"', json.dumps(gone).encode() + b'\n{"type":"end"'
        )
    )
    done = run("mcpeak-tools", "--diff", str(old), "--", *SERVER)
    [notice] = records(done.stdout, "notice")
    assert (notice["code"], notice["severity"], done.returncode) == ("TOOL_GONE", "failure", 1)


def test_an_equal_list_has_no_changes_and_goes_on(tmp_path: Path) -> None:
    old = tmp_path / "old.ndjson"
    old.write_bytes(run("mcpeak-tools", "--", *SERVER).stdout)
    done = run("mcpeak-tools", "--diff", str(old), "--", *SERVER)
    assert (done.returncode, done.stdout) == (0, old.read_bytes())


def test_reads_the_json_of_a_list_too() -> None:
    done = run("mcpeak-tools", "--diff", str(DATA / "peers" / "toolslists" / "time.json"), "--", *SERVER)
    assert [n["message"] for n in records(done.stdout, "notice")][:2] == [
        "get_current_time is gone",
        "convert_time is gone",
    ]


@pytest.mark.parametrize("text", ["", "{}", "no json"])
def test_what_is_no_list_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "old").write_text(text)
    done = run("mcpeak-tools", "--diff", str(tmp_path / "old"), "--", *SERVER)
    assert (done.returncode, records(done.stdout, "error")[0]["code"]) == (3, "DIFF_NOT_TOOLS")
