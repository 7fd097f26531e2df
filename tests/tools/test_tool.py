"""mcpeak-tools against servers that behave, and servers that do not."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from support.programs import DATA, run

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
