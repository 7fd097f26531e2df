from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpeak.generate.slug import Taken, slug, tool_slug
from support.drafts import drafted, inputs, tool


def codes(tools: list[Any], fixtures: dict[str, Any] | None = None) -> list[str]:
    return [skip.code for skip in drafted(tools, fixtures).skips]


def test_one_bad_tool_never_stops_the_others() -> None:
    bad = [
        None,
        {},
        {"name": ""},
        {"name": "a"},
        {"name": "b", "inputSchema": True},
        tool("c", required=["x", "x"]),
    ]
    made = drafted([*bad, tool("good")])
    assert list(inputs(made)) == ["good-success"]
    assert [skip.code for skip in made.skips] == ["TOOL_NAMELESS"] * 3 + ["TOOL_SCHEMA_INVALID"] * 3


def test_a_tool_without_any_valid_input_says_why() -> None:
    never = tool(properties={"f": {"type": "integer", "minimum": 5, "maximum": 1}}, required=["f"])
    [skip] = drafted([never]).skips
    assert (skip.code, skip.values["reason"], skip.values["place"]) == (
        "TOOL_WITHOUT_INPUT",
        "bounds",
        "/properties/f",
    )


def test_a_case_that_the_schema_would_accept_is_left_out_with_its_reason() -> None:
    """A number is no wrong type where a combination lets it in."""
    freed = tool(properties={"f": {"type": "string"}}, anyOf=[{"required": ["f"]}, {}])
    free = tool(properties={"f": {"type": "string", "minLength": 3}}, required=["f"])
    assert codes([freed, free]) == []
    assert "t-range-f" in inputs(drafted([free]))


def test_a_nullable_type_gets_no_type_case_but_its_bounds_are_broken() -> None:
    made = inputs(drafted([tool(properties={"f": {"type": ["integer", "null"], "minimum": 1}})]))
    assert made == {"t-success": {}, "t-range-f": {"f": 0}}


def test_an_optional_enumeration_of_pydantic_is_broken_too() -> None:
    made = inputs(
        drafted([tool(properties={"f": {"anyOf": [{"enum": ["a"], "type": "string"}, {"type": "null"}]}})])
    )
    assert made["t-enum-f"] == {"f": "__mcpeak_invalid_enum__"}


def test_a_referenced_type_counts_as_its_own() -> None:
    made = inputs(
        drafted([tool(properties={"f": {"$ref": "#/$defs/s"}}, **{"$defs": {"s": {"type": "string"}}})])
    )
    assert made["t-type-f"] == {"f": 0}


def test_fields_required_by_every_branch_of_all_of_are_left_out_once_each() -> None:
    made = inputs(drafted([tool(allOf=[{"required": ["b"]}, {"required": ["a"]}])]))
    assert list(made) == ["t-success", "t-missing-a", "t-missing-b"]


def test_an_input_of_an_object_is_always_an_object() -> None:
    assert inputs(drafted([{"name": "t", "inputSchema": {}}])) == {"t-success": {}}


def test_an_example_of_the_whole_input_is_used() -> None:
    made = inputs(drafted([tool(properties={"f": {"type": "string"}}, examples=[{"f": "Seoul"}])]))
    assert made["t-success"] == {"f": "Seoul"}


def test_a_fixture_wins_and_brings_optional_fields_in() -> None:
    described = tool(
        properties={"city": {"type": "string", "default": "x"}, "days": {"type": "integer"}},
        required=["city"],
    )
    made = inputs(drafted([described], {"t": {"city": "Seoul", "days": 3}}))
    assert made["t-success"] == {"city": "Seoul", "days": 3}
    assert made["t-missing-city"] == {"days": 3}


def test_a_fixture_for_every_tool_serves_required_fields_only() -> None:
    made = inputs(drafted([tool("a", properties={"p": {}}), tool("b", required=["p"])], {"*": {"p": "/tmp"}}))
    assert made["a-success"] == {}
    assert made["b-success"] == {"p": "/tmp"}


def test_a_fixture_that_does_not_fit_is_told_and_not_used() -> None:
    described = tool(properties={"n": {"type": "integer"}, "s": {"type": "string"}}, required=["n"])
    made = drafted([described], {"t": {"n": "three", "s": "x"}})
    assert inputs(made)["t-success"] == {"n": 0, "s": "x"}
    assert [(skip.code, skip.values["field"]) for skip in made.skips] == [("FIXTURE_INVALID", "n")]


def test_a_fixture_helps_where_no_value_can_be_found() -> None:
    hard = tool(
        properties={"f": {"type": "string", "pattern": "^(?!example)(?=.*q)[a-z]{11}(?<=qqq)$"}},
        required=["f"],
    )
    assert codes([hard]) == ["TOOL_WITHOUT_INPUT"]
    assert inputs(drafted([hard], {"t": {"f": "abcdefghqqq"}}))["t-success"] == {"f": "abcdefghqqq"}


OUTPUTS = [
    ({"type": "object", "properties": {"a": {"type": "string", "description": "x"}}, "title": "T"}, True),
    ({"type": "object", "properties": {}, "required": []}, True),
    (
        {"$ref": "#/$defs/a", "$defs": {"a": {"type": "array", "items": {"type": "number", "minimum": 1}}}},
        True,
    ),
    ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}}}}, False),
    ({"type": ["object", "null"]}, False),
    ({"type": "object", "properties": {"a": {}}}, False),
    ({"type": "object", "patternProperties": {"x": {}}}, False),
    ({"anyOf": [{"type": "object"}]}, False),
    ({"minimum": 3}, False),
    ({"type": "string", "enum": []}, False),
    ({"type": "object", "required": [1]}, False),
    (True, False),
]


@pytest.mark.parametrize(("schema", "asserted"), OUTPUTS, ids=[str(schema)[:50] for schema, _ in OUTPUTS])
def test_an_output_schema_is_asserted_exactly_where_it_can_be_said(schema: Any, asserted: bool) -> None:
    made = drafted([tool() | {"outputSchema": schema}])
    assert (len(made.cases[0]["assertions"]) == 2) is asserted
    assert ([skip.code for skip in made.skips] == []) is asserted


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "object", "#/a", "string"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "type", "$ref"]), inner, max_size=2)
    ),
    max_leaves=5,
)
WORDS = (
    "type",
    "properties",
    "required",
    "items",
    "enum",
    "const",
    "minLength",
    "additionalProperties",
    "$ref",
)


@given(st.dictionaries(st.sampled_from(WORDS), ANYTHING) | ANYTHING)
@settings(max_examples=200, deadline=None)
def test_no_output_schema_is_too_odd(schema: Any) -> None:
    assert drafted([tool() | {"outputSchema": schema}]).cases


def test_a_slug_is_cut_and_never_empty() -> None:
    assert slug("É Tool!", "tool") == "e-tool"
    assert slug("x" * 200, "tool") == "x" * 80
    assert slug("날씨", "tool") == "tool-fe655cf1"


@pytest.mark.parametrize("name", ["con", "COM1", "nul"])
def test_a_name_that_windows_reserves_is_replaced(name: str) -> None:
    assert tool_slug(name).startswith("tool-")


def test_an_identifier_is_given_once() -> None:
    taken = Taken()
    assert [taken.take("a"), taken.take("a"), taken.take("a-2"), taken.take("a")] == [
        "a",
        "a-2",
        "a-2-2",
        "a-3",
    ]
