"""Where a case itself contradicts its tool."""

from typing import Any

import pytest

from mcpeak.schema.findings import findings

WEATHER = {
    "name": "get_weather",
    "inputSchema": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "enum": ["Seoul", "Busan"]},
            "days": {"type": "integer", "maximum": 7},
        },
        "required": ["city"],
    },
}


def case(given: Any, *, tool: str = "get_weather", expects_error: bool = False) -> dict[str, Any]:
    operation = {"type": "callTool", "tool": tool, "input": given}
    return {
        "id": "a",
        "name": "A",
        "operation": operation,
        "assertions": [{"type": "isError", "expected": expects_error}],
    }


def found(given: Any, **how: Any) -> list[tuple[str, str, str]]:
    return [
        (each.code, each.severity, each.path)
        for each in findings([(case(given, **how), "failed")], [WEATHER])
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, [("REQUIRED_ARGUMENT_MISSING", "blocking", "operation.input.city")]),
        ({"city": 7}, [("ARGUMENT_TYPE_MISMATCH", "blocking", "operation.input.city")]),
        ({"city": "Paris"}, [("ARGUMENT_NOT_IN_ENUM", "blocking", "operation.input.city")]),
        ({"city": "Seoul", "days": 9}, [("ARGUMENT_OUT_OF_RANGE", "blocking", "operation.input.days")]),
        ({"city": "Seoul", "dys": 2}, [("ARGUMENT_NOT_DECLARED", "advisory", "operation.input.dys")]),
        ({"city": "Seoul"}, []),
    ],
)
def test_each_contradiction_has_its_code_and_its_place(given: Any, expected: list[Any]) -> None:
    assert found(given) == expected


def test_a_tool_that_is_not_there_is_named_with_the_nearest_one() -> None:
    (finding,) = findings([(case({}, tool="get_wether"), "failed")], [WEATHER])
    assert (finding.code, finding.severity, finding.path) == (
        "TOOL_NOT_DECLARED",
        "blocking",
        "operation.tool",
    )
    assert finding.detail == {"tool": "get_wether", "nearest": "get_weather", "declared": 1}


def test_an_undeclared_argument_is_named_with_the_nearest_one() -> None:
    found = findings([(case({"city": "Seoul", "dayz": 2}), "failed")], [WEATHER])
    assert [each.detail["nearest"] for each in found if each.detail] == ["days"]


def test_a_case_that_expects_the_rejection_is_wrong_on_purpose() -> None:
    assert found({}, expects_error=True) == []


def test_a_schema_without_a_word_about_arguments_says_so() -> None:
    tool = {"name": "get_weather", "inputSchema": {"type": "object"}}
    (finding,) = findings([(case({}), "timedOut")], [tool])
    assert (finding.code, finding.severity) == ("SCHEMA_NOT_ANALYZABLE", "advisory")


def test_a_case_that_passed_has_no_findings() -> None:
    assert findings([(case({}), "passed")], [WEATHER]) == []


def test_no_value_of_the_input_leaves_the_case() -> None:
    found = findings([(case({"city": "hunter2", "days": "s3cret"}), "failed")], [WEATHER])
    assert "hunter2" not in repr(found)
    assert "s3cret" not in repr(found)
