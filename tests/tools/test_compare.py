from typing import Any

import pytest

from mcpeak.tools.compare import changes


def tool(name: str = "t", **schema: Any) -> dict[str, Any]:
    return {"name": name, "description": "d", "inputSchema": {"type": "object", **schema}}


def seen(old: list[Any], new: list[Any]) -> list[tuple[str, str, str]]:
    return [(change.severity, change.code, change.where) for change in changes(old, new)]


STRING, NUMBER, WHOLE = {"type": "string"}, {"type": "number"}, {"type": "integer"}

CHANGES = [
    (tool(), tool(), []),
    (tool(properties={"a": STRING}), tool(), [("failure", "ARGUMENT_GONE", "a")]),
    (tool(), tool(properties={"a": STRING}), [("info", "ARGUMENT_ADDED", "a")]),
    (
        tool(),
        tool(properties={"a": STRING}, required=["a"]),
        [("failure", "ARGUMENT_ADDED_REQUIRED", "a")],
    ),
    (
        tool(properties={"a": STRING}),
        tool(properties={"a": STRING}, required=["a"]),
        [("failure", "ARGUMENT_REQUIRED", "a")],
    ),
    (
        tool(properties={"a": STRING}, required=["a"]),
        tool(properties={"a": STRING}),
        [("info", "ARGUMENT_OPTIONAL", "a")],
    ),
    (tool(properties={"a": STRING}), tool(properties={"a": NUMBER}), [("failure", "TYPE_CHANGED", "a")]),
    (tool(properties={"a": WHOLE}), tool(properties={"a": NUMBER}), [("info", "TYPE_WIDENED", "a")]),
    (tool(properties={"a": NUMBER}), tool(properties={"a": WHOLE}), [("failure", "TYPE_CHANGED", "a")]),
    (
        tool(properties={"a": {"enum": [1, 2]}}),
        tool(properties={"a": {"enum": [1]}}),
        [("failure", "VALUES_NARROWED", "a")],
    ),
    (
        tool(properties={"a": {"enum": [1]}}),
        tool(properties={"a": {"enum": [1, 2]}}),
        [("info", "VALUES_WIDENED", "a")],
    ),
    (
        tool(properties={"a": {"minimum": 1}}),
        tool(properties={"a": {"minimum": 2}}),
        [("warning", "ARGUMENT_CHANGED", "a")],
    ),
    (
        tool(properties={"o": {"items": {"properties": {"x": STRING}}}}),
        tool(properties={"o": {"items": {"properties": {}}}}),
        [("failure", "ARGUMENT_GONE", "o[].x")],
    ),
    (tool(), tool() | {"description": "e"}, [("warning", "DESCRIPTION_CHANGED", "")]),
    (tool(), tool() | {"annotations": {"readOnlyHint": True}}, [("warning", "TOOL_CHANGED", "")]),
]


@pytest.mark.parametrize(("old", "new", "expected"), CHANGES, ids=[str(case[2])[:60] for case in CHANGES])
def test_each_change_has_its_code_and_severity(old: Any, new: Any, expected: list[Any]) -> None:
    assert seen([old], [new]) == expected


def test_tools_that_go_and_come() -> None:
    assert seen([tool("a")], [tool("b")]) == [("failure", "TOOL_GONE", ""), ("info", "TOOL_ADDED", "")]


def test_the_order_of_tools_is_no_change() -> None:
    assert seen([tool("a"), tool("b")], [tool("b"), tool("a")]) == []


def test_schemas_of_any_shape_are_compared() -> None:
    assert seen([{"name": "t"}], [{"name": "t", "inputSchema": True}]) == [
        ("failure", "ARGUMENT_CHANGED", "")
    ]
