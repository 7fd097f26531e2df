"""Full JSON Schema: which field offends which rule with which value, and schemas that cannot be used."""

from typing import Any

import pytest

from mcpeak.messages import say
from mcpeak.schema.check import checker

ADDRESS = {"type": "object", "required": ["street"]}
RULES: list[tuple[dict[str, Any], Any, str, str]] = [
    ({"required": ["city"]}, {}, "REQUIRED", "city"),
    ({"properties": {"a": {"required": ["b"]}}}, {"a": {}}, "REQUIRED", "a.b"),
    ({"type": "object"}, [], "TYPE", "$"),
    ({"properties": {"n": {"type": ["integer", "null"]}}}, {"n": "x"}, "TYPE", "n"),
    ({"properties": {"n": {"enum": [1, "a"]}}}, {"n": 2}, "ENUM", "n"),
    ({"properties": {"n": {"const": {"a": 1}}}}, {"n": 2}, "CONST", "n"),
    ({"properties": {"n": {"minimum": 1}}}, {"n": 0}, "MINIMUM", "n"),
    ({"properties": {"n": {"maximum": 1}}}, {"n": 2}, "MAXIMUM", "n"),
    ({"properties": {"n": {"exclusiveMinimum": 1}}}, {"n": 1}, "EXCLUSIVE_MINIMUM", "n"),
    ({"properties": {"n": {"exclusiveMaximum": 1}}}, {"n": 1}, "EXCLUSIVE_MAXIMUM", "n"),
    ({"properties": {"n": {"multipleOf": 3}}}, {"n": 4}, "MULTIPLE_OF", "n"),
    ({"properties": {"s": {"minLength": 2}}}, {"s": "서"}, "MIN_LENGTH", "s"),
    ({"properties": {"s": {"maxLength": 2}}}, {"s": "abc"}, "MAX_LENGTH", "s"),
    ({"properties": {"s": {"pattern": "^a"}}}, {"s": "b"}, "PATTERN", "s"),
    ({"properties": {"s": {"format": "email"}}}, {"s": "b"}, "FORMAT", "s"),
    ({"properties": {"l": {"minItems": 1}}}, {"l": []}, "MIN_ITEMS", "l"),
    ({"properties": {"l": {"maxItems": 1}}}, {"l": [1, 2]}, "MAX_ITEMS", "l"),
    ({"properties": {"l": {"uniqueItems": True}}}, {"l": [1, 1]}, "UNIQUE", "l"),
    ({"properties": {"l": {"contains": {"const": 1}}}}, {"l": [2]}, "CONTAINS", "l"),
    ({"properties": {"l": {"items": {"type": "string"}}}}, {"l": ["a", 1]}, "TYPE", "l[1]"),
    ({"minProperties": 1}, {}, "MIN_PROPERTIES", "$"),
    ({"maxProperties": 0}, {"a": 1}, "MAX_PROPERTIES", "$"),
    ({"properties": {"a": {}}, "additionalProperties": False}, {"b": 1}, "FOREIGN_FIELD", "b"),
    ({"unevaluatedProperties": False}, {"b": 1}, "FOREIGN_FIELD", "b"),
    ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, "PROPERTY_NAME", "$"),
    ({"properties": {"a": {"anyOf": [{"type": "string"}, ADDRESS]}}}, {"a": {}}, "NO_ALTERNATIVE", "a"),
    ({"properties": {"a": {"oneOf": [True, True]}}}, {"a": 1}, "SEVERAL_MATCH", "a"),
    ({"not": {"required": ["a"]}}, {"a": 1}, "NOT", "$"),
    ({"properties": {"a": False}}, {"a": 1}, "NOTHING_ALLOWED", "a"),
    ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "REQUIRED", "b"),
    ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"a": 1}, "REQUIRED", "b"),
    ({"$defs": {"s": {"type": "string"}}, "properties": {"a": {"$ref": "#/$defs/s"}}}, {"a": 1}, "TYPE", "a"),
]


@pytest.mark.parametrize(("schema", "value", "code", "path"), RULES, ids=[f"{r[2]}-{r[3]}" for r in RULES])
def test_each_rule_names_its_field(schema: Any, value: Any, code: str, path: str) -> None:
    found = checker(schema).violations(value)
    assert [(one.code, one.path) for one in found] == [(code, path)]
    assert not checker(schema).valid(value)


@pytest.mark.parametrize(("schema", "value", "code", "path"), RULES, ids=[f"{r[2]}-{r[3]}" for r in RULES])
def test_each_rule_has_its_sentence(schema: Any, value: Any, code: str, path: str) -> None:
    one = checker(schema).violations(value)[0]
    assert say("schema", code, **one.values).message.startswith(f"{path}: ")


def test_the_nearest_alternative_is_explained() -> None:
    """Of a string and an address, an object without street comes nearer to the address."""
    schema = {"properties": {"to": {"oneOf": [{"type": "string"}, ADDRESS]}}}
    near = checker(schema).violations({"to": {"road": 1}})[0].values["near"]
    assert (near.code, near.path) == ("REQUIRED", "to.street")


def test_draft_07_is_read_as_draft_07() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"l": {"items": [{"type": "string"}]}},
    }
    assert [one.path for one in checker(schema).violations({"l": [1]})] == ["l[0]"]


def test_integers_compare_exactly() -> None:
    assert not checker({"maximum": 2**53}).valid(2**53 + 1)
    assert checker({"type": "integer"}).valid(1.0)


UNUSABLE = [None, [], 7, {"type": "weird"}, {"pattern": "("}, {"$ref": "#/x"}, {"required": "x"}]


@pytest.mark.parametrize("schema", UNUSABLE, ids=str)
def test_an_unusable_schema_accepts_everything_and_says_why(schema: Any) -> None:
    found = checker(schema)
    assert found.problem
    assert found.valid({"a": 1})
    assert found.violations({"a": 1}) == []


def test_another_document_is_never_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A schema that points to the network is unusable, and nothing is opened."""
    import socket

    def forbidden(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", forbidden)
    for reference in ("http://127.0.0.1:9/x", "https://example.com/schema", "file:///etc/passwd"):
        assert checker({"$ref": reference}).problem


@pytest.mark.parametrize(
    "value", [{"a": "\ud800"}, {"a": [[[]]] * 3}, {"a": 10**400}], ids=["surrogate", "nested", "big"]
)
def test_a_value_that_the_library_cannot_take_is_not_called_invalid(value: Any) -> None:
    assert checker({"type": "object"}).valid(value)


def test_many_violations_are_cut() -> None:
    schema = {"additionalProperties": False}
    assert len(checker(schema).violations({str(n): n for n in range(50)})) == 10


def test_long_values_are_cut_in_what_is_shown() -> None:
    one = checker({"properties": {"s": {"maxLength": 2}}}).violations({"s": "x" * 5000})[0]
    assert len(one.values["actual"]) == 200
