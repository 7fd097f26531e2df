"""Logs, and the definitions that are drafted from them, from servers and from runs."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from mcpeak.mock.draft import from_log, result_of
from support.mocks import WEATHER, call, play
from support.programs import DATA, ROOT, run

SEOUL = call(1, "get_weather", {"city": "Seoul"})


def logged(tmp_path: Path, *messages: Any) -> list[dict[str, Any]]:
    path = tmp_path / "log.ndjson"
    play(WEATHER, list(messages), "--log", str(path))
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_log_holds_what_was_heard_and_written(tmp_path: Path) -> None:
    records = logged(tmp_path, SEOUL, b"garbage")
    assert [record["type"] for record in records] == [
        "mockStarted",
        "mockHeard",
        "mockWrote",
        "mockHeard",
        "mockEnded",
    ]
    assert (records[1]["message"], records[3]["line"]) == (SEOUL, "garbage")


def test_two_mocks_share_a_log(tmp_path: Path) -> None:
    logged(tmp_path, SEOUL)
    assert len({record["process"] for record in logged(tmp_path, SEOUL)}) == 2


def test_a_log_holds_no_secrets(tmp_path: Path) -> None:
    records = logged(tmp_path, call(1, "get_weather", {"city": "x", "apiKey": "hunter2-hunter2"}))
    assert "hunter2" not in json.dumps(records)


def test_a_log_becomes_a_definition_of_the_calls_that_were_made(tmp_path: Path) -> None:
    missed = call(2, "get_weather", {"city": "Busan"})
    drafted = from_log(logged(tmp_path, SEOUL, missed, call(3, "get_weather", {})))
    assert drafted["tools"] == WEATHER["tools"]
    assert drafted["responses"] == [
        {"tool": "get_weather", "args": {"city": "Seoul"}, "result": {"tempC": 21}},
        {"tool": "get_weather", "args": {"city": "Busan"}, "result": None},
        {"tool": "get_weather", "args": {}, "result": None},
    ]


def test_a_draft_is_a_valid_definition(tmp_path: Path) -> None:
    logged(tmp_path, SEOUL)
    drafted = run("mcpeak-mock", "--from-log", str(tmp_path / "log.ndjson"))
    (tmp_path / "draft.json").write_bytes(drafted.stdout)
    assert run("mcpeak-mock", "--check", str(tmp_path / "draft.json")).returncode == 0


def test_a_file_that_is_no_log_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "x").write_text('{"type":"mockEnded"}\n{"type":"suite"}\n')
    done = run("mcpeak-mock", "--from-log", "x", cwd=tmp_path)
    assert (done.returncode, b"line 2" in done.stderr) == (3, True)


ANSWERS = [
    ({"content": [{"type": "text", "text": '{"a":1}'}]}, {"result": {"a": 1}}),
    (
        {"content": [{"type": "text", "text": '{"a": 1}'}]},
        {"content": [{"type": "text", "text": '{"a": 1}'}]},
    ),
    ({"content": [{"type": "text", "text": "hi"}]}, {"content": [{"type": "text", "text": "hi"}]}),
    ({"content": [{"type": "text", "text": '"hi"'}], "isError": True}, {"result": "hi", "isError": True}),
    ({"content": []}, {"content": []}),
    ({}, {"content": []}),
    (
        {"content": [{"type": "text", "text": "1"}], "structuredContent": {"n": 1}},
        {"result": 1, "structuredContent": {"n": 1}},
    ),
]


@pytest.mark.parametrize(("answer", "response"), ANSWERS, ids=lambda value: json.dumps(value)[:50])
def test_an_answer_becomes_the_response_that_gives_it_again(answer: Any, response: Any) -> None:
    assert result_of(answer) == response


def test_a_live_server_and_a_run_become_a_definition_that_passes_the_same_suite(tmp_path: Path) -> None:
    """From tools and answers to a mock that the server's own suite accepts."""
    server = ["--", "python3", str(ROOT / "examples" / "weather" / "server.py")]
    suite = ROOT / "examples" / "weather" / "weather.suite.json"
    records = run("mcpeak-run", *server, stdin=run("mcpeak-validate", str(suite)).stdout).stdout
    (tmp_path / "runs.ndjson").write_bytes(records)
    drafted = run("mcpeak-mock", "--from-server", "--runs", "runs.ndjson", *server, cwd=tmp_path)
    assert drafted.returncode == 0, drafted.stderr
    (tmp_path / "w.mock.json").write_bytes(drafted.stdout)
    done = run(
        "mcpeak",
        "test",
        str(suite),
        "--",
        "python3",
        str(ROOT / "bin" / "mcpeak-mock"),
        str(tmp_path / "w.mock.json"),
    )
    assert done.returncode == 0, done.stdout.decode()


def test_a_server_that_is_not_there_gives_4_and_no_draft() -> None:
    done = run("mcpeak-mock", "--from-server", "--", "no-such-command-anywhere")
    assert (done.returncode, done.stdout) == (4, b"")
    assert b"no-such-command-anywhere" in done.stderr


def test_the_example_mock_passes_the_suite_of_the_server_that_it_plays() -> None:
    folder = ROOT / "examples" / "weather"
    mock = ["python3", str(ROOT / "bin" / "mcpeak-mock"), str(folder / "weather.mock.json")]
    done = run("mcpeak", "test", str(folder / "weather.suite.json"), "--", *mock)
    assert done.returncode == 0, done.stdout.decode()


def test_the_case_of_a_mock_that_ends_with_its_input() -> None:
    """cases/mock-ends-at-eof: two lines in, one answer out, exit 0."""
    case = DATA / "cases" / "mock-ends-at-eof"
    done = run("mcpeak-mock", str(case / "def.json"), stdin=(case / "input.ndjson").read_bytes())
    assert (done.returncode, [json.loads(line)["id"] for line in done.stdout.splitlines()]) == (0, [1])


def test_a_tool_with_a_number_beyond_a_double_is_named_rather_than_drafted(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    if asked.get('method') == 'initialize':\n"
        "        info = {'name': 's', 'version': '1'}\n"
        "        told = {'protocolVersion': '2025-06-18', 'capabilities': {}, 'serverInfo': info}\n"
        "        print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': told}), flush=True)\n"
        "    elif asked.get('method') == 'tools/list':\n"
        '        tool = \'{"name":"t","inputSchema":{"maximum":1e400}}\'\n'
        '        told = \'{"jsonrpc":"2.0","id":%d,"result":{"tools":[%s]}}\' % (asked[\'id\'], tool)\n'
        "        print(told, flush=True)\n"
    )
    server = ("--protocol", "legacy", "--", sys.executable, "server.py")
    done = run("mcpeak-mock", "--from-server", *server, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"[TOOL_UNREADABLE]" in done.stderr
