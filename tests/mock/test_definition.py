"""Reading a definition: what is refused, in which words, and what is merely odd."""

import json
from pathlib import Path
from typing import Any

import pytest

from mcpeak import messages
from mcpeak.mock.definition import DEPTH, Definition, Refused, deeper_than, read
from mcpeak.mock.words import refusal
from support.mocks import WEATHER, play, request
from support.programs import run

TWO = {"tools": [{"name": "get_weather", "inputSchema": {}}, {"name": "add", "inputSchema": {}}]}
UNKNOWN = TWO | {"responses": [{"tool": "없는툴", "result": 1}]}
FORM = {
    "ko": '→ 형식: { "tools": [ { "name": ..., "inputSchema": ... } ], '
    '"responses": [ { "tool": ..., "result": ... } ] }',
    "en": '→ form: { "tools": [ { "name": ..., "inputSchema": ... } ], '
    '"responses": [ { "tool": ..., "result": ... } ] }',
}
FIRST = {
    "ko": "→ 올바르지 않은 목 정의입니다 — weather.mock.json: "
    "responses[0] 의 툴 '없는툴' 이 tools 에 없습니다. 있는 툴: get_weather, add",
    "en": "→ not a valid mock definition — weather.mock.json: responses[0]: tool '없는툴' is not in tools; "
    "there are: get_weather, add",
}


def read_value(value: Any) -> Definition | Refused:
    return read(json.dumps(value).encode(), "a.mock.json")


@pytest.fixture
def language() -> Any:
    """Give a chooser of the language; English afterwards."""
    yield messages.use
    messages.use("en")


@pytest.mark.parametrize("tongue", ["ko", "en"])
def test_the_two_lines_are_those_of_the_format(tongue: str, language: Any) -> None:
    language(tongue)
    refused = read(json.dumps(UNKNOWN).encode(), "weather.mock.json")
    assert isinstance(refused, Refused)
    assert refusal(refused).splitlines() == [FIRST[tongue], FORM[tongue]]


def test_a_bad_definition_is_refused_before_anything_is_said(tmp_path: Path) -> None:
    played = play(UNKNOWN, [request(0, "initialize", {})])
    assert (played.exit, played.messages) == (3, [])


def test_every_problem_has_its_place() -> None:
    value = {"tools": [{"name": 1}, 2], "responses": {}, "faults": {"on": {"x": "y"}}}
    found = read_value(value)
    assert isinstance(found, Refused)
    assert [(one.code, one.path) for one in found.problems] == [
        ("TYPE", "responses"),
        ("TYPE", "tools[0].name"),
        ("MISSING", "tools[0]"),
        ("TYPE", "tools[1]"),
        ("TYPE", "faults.on.x"),
    ]


@pytest.mark.parametrize(
    "detail", [{"after": None}, {"after": -1}, {"exitCode": "1"}, {"after": 1.5}, {"kind": []}]
)
def test_the_details_of_a_fault_are_checked(detail: dict[str, Any]) -> None:
    """`after: null` ended the mock at the first call."""
    fault = {"kind": "crash"} | detail
    response = {"tool": "add", "result": 1, "fault": fault}
    found = read_value(TWO | {"responses": [response], "faults": {"on": {"ping": fault}}})
    assert isinstance(found, Refused)
    assert [one.path for one in found.problems] == ["responses[0].fault", "faults.on.ping"]


BYTES = [
    (b"", "EMPTY"),
    (b" \n", "EMPTY"),
    (b"{", "NOT_JSON"),
    (b"\xff\xfe{\x00", "NOT_JSON"),
    (b'{"tools":[],"x":NaN}', "NUMBER"),
    (b'{"tools":[],"x":-Infinity}', "NUMBER"),
    (b'{"tools":[],"x":1e999}', "NUMBER"),
    (b"\xef\xbb\xbf\xef\xbb\xbf{}", "NOT_JSON"),
    (b"[" * 200_000, "NOT_JSON"),
    (b"[" * 50_000 + b"]" * 50_000, "TYPE"),
]


@pytest.mark.parametrize(("data", "code"), BYTES, ids=lambda value: str(value)[:24])
def test_bytes_that_are_no_definition(data: bytes, code: str) -> None:
    found = read(data, "a")
    assert isinstance(found, Refused)
    assert [one.code for one in found.problems] == [code]


BEYOND = str(2**1024)  # Infinity, where numbers are doubles


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("key", ["result", "args"])
def test_an_integer_beyond_a_double_is_refused_with_its_place(key: str, sign: str) -> None:
    """It was served, and the first call ended the mock."""
    response = {"tool": "t", "result": 1} | {key: {"n": [int(sign + BEYOND)]}}
    found = read_value({"tools": [{"name": "t", "inputSchema": {}}], "responses": [response]})
    assert isinstance(found, Refused)
    assert [(one.code, one.path) for one in found.problems] == [("BEYOND_DOUBLE", f"responses[0].{key}.n[0]")]


def test_the_greatest_integers_of_a_double_and_long_digits_in_a_text_are_served() -> None:
    results = [2**1024 - 2**970 - 1, BEYOND]
    responses = [{"tool": "t", "args": {"n": n}, "result": result} for n, result in enumerate(results)]
    assert isinstance(
        read_value({"tools": [{"name": "t", "inputSchema": {}}], "responses": responses}), Definition
    )


def test_one_byte_order_mark_is_nothing() -> None:
    assert isinstance(read(b"\xef\xbb\xbf" + json.dumps(WEATHER).encode(), "a"), Definition)


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


def test_depth_counts_containers_within_each_other() -> None:
    assert not deeper_than(nested(DEPTH), DEPTH)
    assert deeper_than(nested(DEPTH + 1), DEPTH)
    assert not deeper_than(1, 0)


@pytest.mark.parametrize("key", ["args", "result", "structuredContent"])
def test_values_too_deep_for_any_call_are_refused(key: str) -> None:
    found = read_value(TWO | {"responses": [{"tool": "add", "result": 1} | {key: nested(DEPTH + 1)}]})
    assert isinstance(found, Refused)
    assert [(one.code, one.path) for one in found.problems] == [("TOO_DEEP", f"responses[0].{key}")]


def test_an_unknown_key_is_a_warning_with_the_nearest_word() -> None:
    response = {"tool": "add", "result": 1, "isEror": True, "zzzzzzzz": 1, "$comment": "fine"}
    tool = {"name": "x", "inputSchema": {}, "descripton": "", "vendorThing": 1}
    found = read_value({"tools": [*TWO["tools"], tool], "respones": [], "responses": [response]})
    assert isinstance(found, Definition)
    assert [(one.code, one.path, one.values.get("near")) for one in found.warnings] == [
        ("UNKNOWN_KEY_NEAR", "respones", "responses"),
        ("UNKNOWN_KEY_NEAR", "tools[2].descripton", "description"),
        ("UNKNOWN_KEY_NEAR", "responses[0].isEror", "isError"),
        ("UNKNOWN_KEY", "responses[0].zzzzzzzz", None),
    ]


def test_check_tells_all_problems_of_all_files_and_serves_nothing(tmp_path: Path) -> None:
    bad = {"tools": [{}], "responses": [{}]}
    for name, value in (("good", WEATHER), ("bad", bad), ("worse", [])):
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    done = run("mcpeak-mock", "--check", "good.json", "bad.json", "worse.json", cwd=tmp_path)
    told = done.stderr.decode()
    assert (done.returncode, done.stdout) == (3, b"")
    assert (told.count("— bad.json: "), told.count("— worse.json: "), "good.json" in told) == (4, 1, False)


def test_after_two_dashes_come_files(tmp_path: Path) -> None:
    """As pre-commit calls it, so that a file may be named like an option."""
    (tmp_path / "--odd.json").write_text(json.dumps(WEATHER))
    assert run("mcpeak-mock", "--check", "--", "--odd.json", cwd=tmp_path).returncode == 0
    assert run("mcpeak-mock", "--", "--odd.json", cwd=tmp_path).returncode == 0


def test_check_tells_keys_that_stand_twice(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"tools": [],\n"tools": []}')
    told = run("mcpeak-mock", "--check", "a.json", cwd=tmp_path).stderr.decode()
    assert "[KEY_TWICE]: a.json: tools stands twice, in lines 1 and 2" in told


def test_check_gives_advice_that_serving_does_not(tmp_path: Path) -> None:
    tool = {"name": "t", "inputSchema": {"type": "weird"}}
    responses = [
        {"tool": "t", "args": {}, "result": 9007199254740993},
        {"tool": "t", "args": {}, "result": 1},
        {"tool": "t", "when": {"$ref": "http://x.example/"}, "result": 1},
    ]
    (tmp_path / "a.json").write_text(json.dumps({"tools": [tool, tool], "responses": responses}))
    done = run("mcpeak-mock", "--check", "a.json", cwd=tmp_path)
    codes = ["TOOL_TWICE", "ROUNDED", "NEVER_ANSWERS", "SCHEMA_UNUSABLE", "WHEN_UNUSABLE"]
    assert done.returncode == 0
    assert [code for code in codes if f"[{code}]" not in done.stderr.decode()] == []
    assert run("mcpeak-mock", "a.json", cwd=tmp_path).stderr == b""


USAGE = [
    ([], 2),
    (["a", "b"], 2),
    (["a", "--port", "1"], 2),
    (["a", "--sse"], 2),
    (["a", "--nonsense"], 2),
    (["a", "--protocol", "2030-01-01"], 2),
    (["--check"], 2),
    (["--check", "--http", "a"], 2),
    (["--from-server"], 2),
    (["a", "--", "node"], 2),
    (["a", "--log", "b", "--log", "c"], 2),
    (["-"], 2),
    (["nosuch.json"], 3),
    (["."], 3),
    (["--from-log", "nosuch"], 3),
    (["--help"], 0),
    (["--version"], 0),
]


@pytest.mark.parametrize(("arguments", "code"), USAGE, ids=str)
def test_exit_codes_of_the_command_line(arguments: list[str], code: int, tmp_path: Path) -> None:
    done = run("mcpeak-mock", *arguments, cwd=tmp_path)
    assert done.returncode == code
    assert (done.stdout == b"") == (code != 0)
    assert b"Traceback" not in done.stderr


def test_the_nearest_tool_is_named() -> None:
    refused = read_value(TWO | {"responses": [{"tool": "get_wether", "result": 1}]})
    assert isinstance(refused, Refused)
    assert "did you mean get_weather?" in refusal(refused)
    assert len(refusal(refused).splitlines()) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"toolz": []},
        {"tools": [1, {"nmae": "x"}]},
        {"tools": 1, "responses": [{"reslt": 1, "sequence": 1}, 2]},
    ],
)
def test_a_refused_definition_knows_its_odd_keys_too(wrong: Any) -> None:
    refused = read_value(wrong)
    assert isinstance(refused, Refused)
    assert refused.warnings


@pytest.mark.parametrize("port", ["99999", "-1"])
def test_a_port_that_cannot_be_is_refused_in_its_own_words(port: str) -> None:
    done = run("mcpeak-mock", "weather.mock.json", "--http", f"--port={port}")
    assert done.returncode == 2
    assert b"0 to 65535" in done.stderr
