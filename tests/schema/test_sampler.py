"""A value is found for what has one, and it is valid; for what has none the reason is told."""

from itertools import islice
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpeak.schema.document import Document
from mcpeak.schema.find import DeadEnd, Finder
from mcpeak.schema.sampler import Sampler
from mcpeak.schema.shapes import SHAPES
from mcpeak.schema.validator import SchemaProblem, validator


def found(schema: Any) -> Any:
    checker = validator(schema)
    return Finder(Document(schema, checker.dialect), checker).find()


VALUES = [
    ({"type": "string", "maxLength": 3}, "exa"),
    ({"type": "string", "minLength": 9}, "exampleex"),
    ({"type": "integer", "multipleOf": 7, "minimum": 10}, 14),
    ({"type": "number", "multipleOf": 0.01, "exclusiveMinimum": 0}, 0.01),
    ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, 0.5),
    ({"type": "integer", "minimum": 2**70}, 2**70),
    ({"type": ["null", "string"]}, "example"),
    ({"const": None}, None),
    ({"type": "string", "enum": ["a"], "examples": ["z"]}, "a"),
    ({"type": "string", "minLength": 12, "default": "short"}, "exampleexamp"),
    ({"type": "string", "format": "uri", "maxLength": 5}, "a:b"),
    ({"type": "string", "pattern": "^[A-Z]{2}-\\d{3}$"}, "AA-111"),
    ({"type": "string", "pattern": "^(?=.*[A-Z])(?=.*\\d).{8,}$"}, "Example1!"),
    ({"allOf": [{"type": "number", "minimum": 3}, {"type": "integer", "maximum": 4}]}, 3),
    ({"allOf": [{"anyOf": [{"type": "string"}, {"type": "integer"}]}, {"type": ["boolean", "integer"]}]}, 0),
    ({"type": "string", "not": {"enum": ["example"]}}, "example2"),
    ({"type": "integer", "not": {"multipleOf": 2}}, 1),
    ({"type": "array"}, []),
    ({"type": "array", "items": {"type": "boolean"}, "minItems": 2, "uniqueItems": True}, [True, False]),
    (
        {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}], "items": False},
        [0, "example"],
    ),
    ({"type": "array", "items": [{"type": "number"}], "additionalItems": False}, [0]),
    ({"type": "array", "contains": {"const": 5}, "minContains": 2}, [5, 5]),
    ({"type": "array", "prefixItems": [{"type": "null"}], "unevaluatedItems": False}, [None]),
    ({"required": ["a"], "dependentRequired": {"a": ["b"]}}, {"a": "example", "b": "example"}),
    (
        {
            "required": ["a"],
            "dependentSchemas": {"a": {"required": ["c"], "properties": {"c": {"const": 4}}}},
        },
        {"a": "example", "c": 4},
    ),
    ({"type": "object", "minProperties": 1, "propertyNames": {"pattern": "^x_[a-z]$"}}, {"x_a": "example"}),
    (
        {
            "type": "object",
            "minProperties": 1,
            "patternProperties": {"^k\\d$": {"const": 1}},
            "additionalProperties": False,
        },
        {"k1": 1},
    ),
    (
        {
            "properties": {"k": {"enum": ["x", "q"]}},
            "required": ["k"],
            "if": {"properties": {"k": {"const": "x"}}},
            "then": {"required": ["y"]},
        },
        {"k": "x", "y": "example"},
    ),
    (
        {
            "type": "object",
            "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
            "properties": {"a": {"const": 1}},
        },
        {"a": 1},
    ),
    (
        {
            "type": "object",
            "allOf": [{"required": ["a"], "properties": {"a": {"type": "null"}}}],
            "unevaluatedProperties": False,
        },
        {"a": None},
    ),
    ({"$id": "https://example.com/s", "$ref": "#n", "$defs": {"z": {"$anchor": "n", "type": "null"}}}, None),
    (
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$dynamicRef": "#n",
            "$defs": {"n": {"$dynamicAnchor": "n", "type": "boolean"}},
        },
        True,
    ),
    ({"type": "integer", "minimum": 1, "exclusiveMinimum": True}, 2),
]


@pytest.mark.parametrize(("schema", "value"), VALUES, ids=[str(schema)[:60] for schema, _ in VALUES])
def test_finds_the_natural_value(schema: Any, value: Any) -> None:
    assert found(schema) == value
    assert type(found(schema)) is type(value)


def test_recursion_ends_where_it_may() -> None:
    node = {
        "type": "object",
        "required": ["next"],
        "properties": {"next": {"anyOf": [{"$ref": "#/$defs/n"}, {"type": "null"}]}},
    }
    assert found({"$ref": "#/$defs/n", "$defs": {"n": node}}) == {"next": None}


def test_a_tree_has_no_children_when_they_would_never_end() -> None:
    tree = {
        "type": "object",
        "properties": {"children": {"type": "array", "items": {"$ref": "#"}}},
        "required": ["children"],
    }
    assert found(tree) == {"children": []}


def test_a_reference_silences_what_stands_beside_it_in_draft_07() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"a": {"type": "integer"}},
        "allOf": [{"$ref": "#/definitions/a", "type": "string"}],
    }
    assert found(schema) == 0


ENDS = [
    ({"type": "integer", "minimum": 5, "maximum": 1}, "bounds"),
    ({"type": "object", "properties": {"c": {"$ref": "#"}}, "required": ["c"]}, "recursion"),
    ({"type": "string", "enum": [1]}, "declared"),
    ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "types"),
    ({"type": "string", "pattern": "^[^\\s\\S]$"}, "pattern"),
    ({"required": ["b"], "type": "object", "additionalProperties": False}, "false"),
    ({"type": "array", "minItems": 3, "uniqueItems": True, "items": {"type": "boolean"}}, "combination"),
    ({"type": "string", "minLength": 20_000_000}, "bounds"),
    (False, "false"),
]


@pytest.mark.parametrize(("schema", "reason"), ENDS, ids=[str(schema)[:60] for schema, _ in ENDS])
def test_tells_why_there_is_no_value(schema: Any, reason: str) -> None:
    with pytest.raises(DeadEnd) as end:
        found(schema)
    assert end.value.reason == reason


def test_gives_up_within_bounds() -> None:
    words = {f"w{n}": {"anyOf": [{"$ref": f"#/$defs/w{m}"} for m in range(9)]} for n in range(9)}
    with pytest.raises(DeadEnd):
        found({"$ref": "#/$defs/w0", "$defs": words, "not": {}})


def test_names_the_place_of_the_dead_end() -> None:
    with pytest.raises(DeadEnd) as end:
        Sampler(
            {"type": "object", "properties": {"f": {"type": "string", "enum": []}}, "required": ["f"]}
        ).value()
    assert (end.value.reason, end.value.pointer) == ("declared", "/properties/f")


SCALARS = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("integer")},
        optional={"minimum": st.integers(-9, 9), "multipleOf": st.integers(1, 5)},
    ),
    st.fixed_dictionaries(
        {"type": st.just("string")},
        optional={"minLength": st.integers(0, 12), "pattern": st.sampled_from(["^[a-c]*$", "x", "\\d"])},
    ),
    st.fixed_dictionaries({"enum": st.lists(st.integers() | st.text() | st.none(), min_size=1, max_size=3)}),
    st.just({"type": ["boolean", "null"]}),
)
SCHEMAS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.fixed_dictionaries(
            {
                "type": st.just("object"),
                "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            },
            optional={
                "required": st.lists(st.sampled_from("abc"), unique=True),
                "minProperties": st.integers(0, 4),
            },
        ),
        st.fixed_dictionaries(
            {"type": st.just("array"), "items": inner}, optional={"minItems": st.integers(0, 3)}
        ),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"oneOf": st.lists(inner, min_size=1, max_size=2)}),
        st.fixed_dictionaries({"allOf": st.lists(inner, min_size=1, max_size=2)}),
    ),
    max_leaves=8,
)


@given(SCHEMAS)
@settings(max_examples=150, deadline=None)
def test_what_is_found_is_valid_for_another_validator_too(schema: dict[str, Any]) -> None:
    try:
        value = found(schema)
    except DeadEnd:
        return
    assert jsonschema.Draft202012Validator(schema).is_valid(value)


@given(SCHEMAS)
@settings(max_examples=50, deadline=None)
def test_the_same_schema_gives_the_same_value(schema: dict[str, Any]) -> None:
    def once() -> Any:
        try:
            return found(schema)
        except DeadEnd as end:
            return end.reason

    assert repr(once()) == repr(once())


@given(SCHEMAS)
@settings(max_examples=100, deadline=None)
def test_an_unconstrained_combination_is_never_missed(schema: dict[str, Any]) -> None:
    """`anyOf` with a branch that is always satisfiable has a value, whatever stands beside it."""
    assert found({"anyOf": [schema, {"type": "null"}]}) is not ...


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "a", "#", "#/x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "type", "items", "$ref", "if"]), inner, max_size=3)
    ),
    max_leaves=6,
)
KEYWORDS = sorted({*SHAPES, "const", "default", "minimum", "exclusiveMinimum", "multipleOf", "$recursiveRef"})


@given(st.dictionaries(st.sampled_from(KEYWORDS), ANYTHING, max_size=5))
@settings(max_examples=200, deadline=None)
def test_no_schema_is_too_odd(schema: dict[str, Any]) -> None:
    """Whatever stands in a schema, there is a value, or a reason why there is none; never a crash."""
    try:
        sampler = Sampler(schema)
        base = sampler.value()
    except (SchemaProblem, DeadEnd):
        return
    assert sampler.valid(base)
    for field in sampler.fields():
        for rule in ("type", "enum", "range"):
            list(islice(sampler.breaking(field, rule), 5))


def test_a_field_whose_items_lead_nowhere_has_no_array_that_is_too_long() -> None:
    """Where no dialect is declared, one that does not know `prefixItems` reads the schema."""
    array = {"type": "array", "maxItems": 0, "prefixItems": [{"$ref": "#/properties/nowhere"}]}
    sampler = Sampler({"type": "object", "properties": {"a": array}})
    (field,) = sampler.fields()
    assert list(sampler.breaking(field, "range")) == []
