"""mcpeak-generate as a program."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.drafts import tool
from support.programs import run


def stream(*tools: Any, name: str = "srv", tail: list[dict[str, Any]] | None = None) -> str:
    records = [{"type": "tool", "server": {"target": "x", "name": name}, "tool": each} for each in tools]
    end = {"type": "end", "stage": "tools", "counts": {}}
    return "\n".join(
        json.dumps(each)
        for each in [{"type": "begin", "stage": "tools", "stream": 1}, *records, *(tail or []), end]
    )


def records(output: bytes, kind: str) -> list[dict[str, Any]]:
    return [record for record in map(json.loads, output.splitlines()) if record["type"] == kind]


CITY = tool("get_weather", properties={"city": {"type": "string"}}, required=["city"])


def test_writes_one_draft_and_what_it_covers() -> None:
    done = run("mcpeak-generate", stdin=stream(CITY))
    assert done.returncode == 0
    [suite] = records(done.stdout, "suite")
    assert list(suite["suite"]) == ["schemaVersion", "id", "name", "defaultTimeoutMs", "cases"]
    assert suite["suite"]["defaultTimeoutMs"] == 10000
    [notice] = records(done.stdout, "notice")
    assert notice["message"] == (
        "drafted 1 of 1 tools: 3 of 3 checks (one success for each tool, one for each rule of an argument)"
    )


def test_passes_the_tools_on() -> None:
    assert len(records(run("mcpeak-generate", stdin=stream(CITY)).stdout, "tool")) == 1


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ("srv", "srv")),
        (["--named-after", "a/weather.suite.json"], ("weather", "weather")),
        (["--suite-id", "i", "--name", "N", "--named-after", "x.json"], ("i", "N")),
    ],
)
def test_names_the_suite_as_asked_or_after_the_file_or_the_server(
    arguments: list[str], expected: tuple[str, str]
) -> None:
    [suite] = records(run("mcpeak-generate", *arguments, stdin=stream(CITY)).stdout, "suite")
    assert (suite["suite"]["id"], suite["suite"]["name"]) == expected


def test_case_names_are_english_whatever_the_locale() -> None:
    plain = run("mcpeak-generate", stdin=stream(CITY))
    korean = run("mcpeak-generate", stdin=stream(CITY), MCPEAK_LANG="ko", LC_ALL="ko_KR.UTF-8")
    assert records(plain.stdout, "suite") == records(korean.stdout, "suite")
    asked = run("mcpeak-generate", "--lang", "ko", stdin=stream(CITY))
    [suite] = records(asked.stdout, "suite")
    assert suite["suite"]["cases"][0]["name"] == "get_weather: 올바른 입력이면 성공"


def test_no_tools_are_an_error_and_no_suite() -> None:
    done = run("mcpeak-generate", stdin=stream())
    [error] = records(done.stdout, "error")
    assert (error["code"], error["detail"], done.returncode) == ("GENERATED_SUITE_INVALID", "NO_TOOLS", 3)


def test_an_earlier_error_is_passed_on_and_nothing_added() -> None:
    error = {
        "type": "error",
        "stage": "tools",
        "code": "GENERATE_CONNECT_FAILED",
        "message": "m",
        "hint": "h",
    }
    tail = stream(tail=[error]).replace('"counts": {}', '"counts": {"errors": 1}')
    done = run("mcpeak-generate", stdin=tail)
    assert [each["code"] for each in records(done.stdout, "error")] == ["GENERATE_CONNECT_FAILED"]
    assert done.returncode == 1


def test_an_empty_id_is_refused() -> None:
    done = run("mcpeak-generate", "--suite-id", " ", stdin=stream(CITY))
    assert [each["code"] for each in records(done.stdout, "error")] == ["INVALID_OPTIONS"]
    assert done.returncode == 2


def test_the_fixtures_file_of_the_folder_is_used_and_said(tmp_path: Path) -> None:
    (tmp_path / "mcpeak.fixtures.json").write_text(
        '{"get_weather": {"city": "Seoul"}, "gone": {"x": 1, "y": 2}}'
    )
    done = run("mcpeak-generate", stdin=stream(CITY), cwd=tmp_path)
    [suite] = records(done.stdout, "suite")
    assert suite["suite"]["cases"][0]["operation"]["input"] == {"city": "Seoul"}
    codes = [each["code"] for each in records(done.stdout, "notice")]
    assert codes == ["FIXTURES_USED", "GENERATE_COVERAGE", "FIXTURE_NO_TOOL"]


def test_a_fixture_for_a_tool_of_almost_that_name_says_which_is_meant(tmp_path: Path) -> None:
    (tmp_path / "mcpeak.fixtures.json").write_text(
        '{"get_wether": {"city": "Seoul"}, "*": {"town": "Seoul"}}'
    )
    done = run("mcpeak-generate", stdin=stream(CITY), cwd=tmp_path)
    [near, unused] = [each for each in records(done.stdout, "notice") if each["severity"] == "warning"]
    assert (near["code"], "get_weather?" in near["hint"]) == ("FIXTURE_NO_TOOL_NEAR", True)
    assert unused["code"] == "FIXTURE_UNUSED"


def test_a_fixture_for_a_field_that_is_not_there_says_which_are(tmp_path: Path) -> None:
    (tmp_path / "mcpeak.fixtures.json").write_text('{"get_weather": {"town": "Seoul"}}')
    done = run("mcpeak-generate", stdin=stream(CITY), cwd=tmp_path)
    [suite] = records(done.stdout, "suite")
    assert list(suite["suite"]["cases"][0]["operation"]["input"]) == ["city"]
    [said] = [each for each in records(done.stdout, "notice") if each["code"] == "FIXTURE_NO_FIELD"]
    assert said["message"].endswith("no such field; there are: city")


def test_a_field_that_only_a_branch_describes_takes_a_fixture(tmp_path: Path) -> None:
    (tmp_path / "mcpeak.fixtures.json").write_text('{"get_weather": {"zip": "1"}}')
    branches = [{"properties": {"zip": {"type": "string"}}}, {"properties": {"x": {"type": "string"}}}]
    done = run(
        "mcpeak-generate",
        stdin=stream({**CITY, "inputSchema": {**CITY["inputSchema"], "anyOf": branches}}),
        cwd=tmp_path,
    )
    [suite] = records(done.stdout, "suite")
    assert suite["suite"]["cases"][0]["operation"]["input"]["zip"] == "1"


def test_the_draft_says_which_values_are_guesses_and_which_cases_wait(tmp_path: Path) -> None:
    fields = {"id": {"type": "string"}, "kind": {"enum": ["a", "b"]}, "on": {"type": "boolean"}}
    risky = tool("cancel", properties=fields, required=list(fields)) | {
        "annotations": {"destructiveHint": True}
    }
    done = run("mcpeak-generate", stdin=stream(CITY, risky), cwd=tmp_path)
    [suite] = records(done.stdout, "suite")
    assert suite["guesses"] == {"get-weather-success": ["city"], "cancel-success": ["id"]}
    assert all(name.startswith("cancel-") for name in suite["heldBack"])
    assert len(suite["heldBack"]) > 3
    free = run("mcpeak-generate", "--call-destructive", stdin=stream(CITY, risky), cwd=tmp_path)
    assert "heldBack" not in records(free.stdout, "suite")[0]


def test_a_value_of_the_fixtures_is_no_guess(tmp_path: Path) -> None:
    (tmp_path / "mcpeak.fixtures.json").write_text('{"get_weather": {"city": "Seoul"}}')
    done = run("mcpeak-generate", stdin=stream(CITY), cwd=tmp_path)
    assert "guesses" not in records(done.stdout, "suite")[0]


@pytest.mark.parametrize(
    ("text", "detail"),
    [("{", "FIXTURES_NO_JSON"), ("[]", "FIXTURES_NO_OBJECT"), ('{"t": 1}', "FIXTURES_TOOL_NO_OBJECT")],
)
def test_a_wrong_fixtures_file_is_an_error(tmp_path: Path, text: str, detail: str) -> None:
    (tmp_path / "f.json").write_text(text)
    done = run("mcpeak-generate", "--fixtures", str(tmp_path / "f.json"), stdin=stream(CITY))
    assert [each["detail"] for each in records(done.stdout, "error")] == [detail]
    assert done.returncode == 3


def test_a_missing_fixtures_file_is_an_error(tmp_path: Path) -> None:
    done = run("mcpeak-generate", "--fixtures", str(tmp_path / "none.json"), stdin=stream(CITY))
    assert [each["code"] for each in records(done.stdout, "error")] == ["FIXTURES_UNREADABLE"]


def test_names_and_values_beyond_msgspec_survive() -> None:
    odd = tool("\ud800", properties={"f": {"const": 2**80}}, required=["f"])
    done = run("mcpeak-generate", stdin=stream(odd))
    [suite] = records(done.stdout, "suite")
    assert suite["suite"]["cases"][0]["operation"] == {
        "type": "callTool",
        "tool": "\ud800",
        "input": {"f": 2**80},
    }


def test_a_tool_with_a_number_beyond_all_readers_costs_no_other() -> None:
    text = stream(tool("odd", properties={"f": {"const": 11223344}}), CITY).replace("11223344", "1e400")
    done = run("mcpeak-generate", stdin=text)
    [suite] = records(done.stdout, "suite")
    assert {case["operation"]["tool"] for case in suite["suite"]["cases"]} == {"get_weather"}
    assert records(done.stdout, "notice")[0]["code"] == "TOOL_NAMELESS"


def test_several_servers_get_a_suite_each() -> None:
    first = stream(CITY, name="a").splitlines()
    second = stream(CITY, name="b").splitlines()
    done = run("mcpeak-generate", stdin="\n".join([*first[:-1], *second[1:]]))
    assert [each["suite"]["id"] for each in records(done.stdout, "suite")] == ["a", "b"]
