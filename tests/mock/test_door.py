"""MockServer, assert_mock_definition and the fixture, as a Python test uses them."""

import datetime as dt
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mcpeak.mock import ANY, MockDefinitionError, MockServer, ToolCall, assert_mock_definition
from support.mocks import Served, call, request
from support.pages import blocks
from support.programs import ROOT, environment

pytest_plugins = ["mcpeak.mock.fixture"]
CYCLE: dict[str, Any] = {}
CYCLE["self"] = CYCLE
TOOL = {"tools": [{"name": "t", "inputSchema": {"type": "object", "required": ["n"]}}]}


def answer(mock: MockServer, arguments: Any) -> dict[str, Any]:
    return Served(mock.url, None).post(call(1, "t", arguments)).json["result"]


def test_answers_what_was_set_and_keeps_the_calls() -> None:
    with MockServer(TOOL) as mock:
        mock.on("t", {"n": 1}, {"ok": True})
        assert answer(mock, {"n": 1})["content"][0]["text"] == '{"ok":true}'
        assert mock.calls == [ToolCall("t", {"n": 1})]


def test_any_answers_what_the_schema_accepts() -> None:
    with MockServer(TOOL).on("t", ANY, "any") as mock:
        assert answer(mock, {"n": 7})["content"][0]["text"] == '"any"'
        assert answer(mock, {})["isError"] is True


def test_an_error_answer_is_one() -> None:
    with MockServer(TOOL).on("t", ANY, {"x": 1}, is_error=True) as mock:
        assert answer(mock, {"n": 1}) == {"content": [{"type": "text", "text": '{"x":1}'}], "isError": True}


def test_tools_can_be_added_while_it_serves() -> None:
    with MockServer() as mock:
        mock.tool("t").on("t", ANY, 5)
        assert answer(mock, {})["content"][0]["text"] == "5"


def test_more_keys_of_a_response_pass_through() -> None:
    with MockServer(TOOL).on("t", ANY, 1, structuredContent={"n": 1}) as mock:
        assert answer(mock, {"n": 1})["structuredContent"] == {"n": 1}


def test_an_unknown_tool_is_refused_where_it_is_written() -> None:
    with pytest.raises(MockDefinitionError, match="'u' is not in tools"):
        MockServer(TOOL).on("u", ANY, 1)


BAD = [
    ({"n": float("nan")}, "responses[0].args.n"),
    ({"n": dt.date(2026, 1, 1)}, "responses[0].args.n"),
    ({"n": {1}}, "responses[0].args.n"),
    ({"n": [1, b"x"]}, "responses[0].args.n[1]"),
    ({"n": {1: 2}}, "responses[0].args.n[1]"),
    (CYCLE, "responses[0].args.self"),
]


@pytest.mark.parametrize(("args", "path"), BAD, ids=lambda value: str(value)[:30])
def test_values_that_no_json_can_hold_are_refused_with_their_path(args: Any, path: str) -> None:
    with pytest.raises(MockDefinitionError) as refused:
        MockServer(TOOL).on("t", args, 1)
    assert refused.value.problems[0].path == path


def test_a_refused_change_leaves_what_was_there() -> None:
    mock = MockServer(TOOL)
    with pytest.raises(MockDefinitionError):
        mock.on("t", ANY, float("inf"))
    assert "responses" not in mock.definition


def test_assert_mock_definition_is_silent_about_a_good_one() -> None:
    assert assert_mock_definition(TOOL, "weather.mock.json") is None


def test_assert_mock_definition_names_source_and_place() -> None:
    with pytest.raises(MockDefinitionError, match=r"weather\.mock\.json: responses\[0\]"):
        assert_mock_definition(TOOL | {"responses": [{"tool": "x", "result": 1}]}, "weather.mock.json")


def test_the_fixture_makes_started_mocks(mock_server: Any) -> None:
    mock = mock_server(TOOL)
    assert Served(mock.url, None).post(request(1, "ping")).json["result"] == {}


def test_a_definition_file_is_read(tmp_path: Any) -> None:
    path = tmp_path / "a.mock.json"
    path.write_text('{"tools": []}')
    assert MockServer(path).definition == {"tools": []}


def test_two_mocks_run_side_by_side() -> None:
    with MockServer(TOOL).on("t", ANY, 1) as one, MockServer(TOOL).on("t", ANY, 2) as two:
        assert answer(one, {"n": 0}) != answer(two, {"n": 0})


PAGES = [ROOT / "docs" / "mock.md", ROOT / "docs" / "ko" / "mock.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_test_file_of_the_page_passes(page: Path, tmp_path: Path) -> None:
    text = next(block.text for block in blocks(page) if block.notes.get("file") == "test_client.py")
    (tmp_path / "test_client.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_client.py"]
    env = environment(PYTHONPATH=str(ROOT / "lib"))
    done = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stdout
