"""What comes out of `mcpeak test --session`: the same bytes every time, and no secret."""

import json
import shutil

import pytest

from support.programs import DATA, run
from support.session_api import api

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
SECRET = "Sk3-very-secret-value"


def suite(folder, *cases):
    def case(number, tool, given):
        operation = {"type": "callTool", "tool": tool, "input": given}
        return {
            "id": f"c{number}",
            "name": tool,
            "operation": operation,
            "assertions": [{"type": "isError", "expected": False}],
        }

    path = folder / "suite.json"
    made = {
        "schemaVersion": 1,
        "id": "s",
        "name": "s",
        "cases": [case(n, *one) for n, one in enumerate(cases)],
    }
    path.write_text(json.dumps(made))
    return str(path)


def test_two_replays_give_the_same_report_byte_for_byte(tmp_path):
    cases = [
        ("par_diff", {}),
        ("seq_same", {}),
        ("get", {"path": "/events-not", "headers": {"accept": "x"}}),
        ("nodehttp", {}),
    ]
    path, file = suite(tmp_path, *cases), str(tmp_path / "x.session")
    with api() as live:
        command = ["--", "node", str(DATA / "servers" / "fetchsrv.mjs"), live.url]
        recorded = run(
            "mcpeak", "test", path, "--json", "--record-session", file, *command, HOME=str(tmp_path)
        )
    one, two = (
        run("mcpeak", "test", path, "--json", "--session", file, *command, HOME=str(tmp_path)) for _ in "ab"
    )
    assert (recorded.returncode, one.returncode, two.returncode) == (0, 0, 0)
    assert one.stdout == two.stdout != b""


def test_no_secret_of_a_call_is_in_the_file_the_report_or_the_logs(tmp_path):
    given = {
        "path": f"/mirror?api_key={SECRET}",
        "method": "POST",
        "headers": {"authorization": f"Bearer {SECRET}", "content-type": "application/json"},
        "body": {"password": SECRET, "note": f"again: {SECRET}"},
    }
    path, file, xml = suite(tmp_path, ("get", given)), tmp_path / "x.session", tmp_path / "x.xml"
    with api() as live:
        command = ["--", "node", str(DATA / "servers" / "fetchsrv.mjs"), live.url]
        words = ["test", path, "--junit", str(xml), "--record-session", str(file), *command]
        ran = run("mcpeak", *words, HOME=str(tmp_path), TMPDIR=str(tmp_path))
    assert live.hits == [f"POST /mirror?api_key={SECRET}"]
    for data in (file.read_bytes(), xml.read_bytes(), ran.stdout, ran.stderr):
        assert SECRET.encode() not in data
    assert sorted(one.name for one in tmp_path.iterdir()) == ["suite.json", "x.session", "x.xml"]
