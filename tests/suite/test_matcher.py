"""The response-schema matcher against what the reference answered, and against hostile input."""

import json

import msgspec
import pytest

from mcpeak.suite.matcher import KEPT, match
from mcpeak.wire.json import parse
from support.differences import differences
from support.programs import DATA

VECTORS = json.loads((DATA / "vectors/schema_match.json").read_text("utf-8"))["vectors"]
DIFFERENT = differences("schema_match")


def answer(vector):
    """Our answer, with those keys of each violation that were recorded (a path of 2,000 letters was not)."""
    found = match(parse(vector["schemaText"].encode()), parse(vector["valueText"].encode()))
    recorded = {"code", "expected", "actual"}.union(*vector["violations"])
    return {
        "matches": found.total == 0,
        "totalViolations": found.total,
        "violations": [
            {key: part for key, part in violation.items() if key in recorded}
            for violation in msgspec.to_builtins(found.violations)
        ],
    }


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v["name"])
def test_it_answers_as_the_vector_unless_the_difference_is_named(vector):
    expected = {key: vector[key] for key in ("matches", "totalViolations", "violations")}
    assert (answer(vector) == expected) == (vector["name"] not in DIFFERENT)


def test_big_integers_compare_exactly():
    ids = (b"9007199254740993", b"9007199254740992")
    assert match({"const": parse(ids[0])}, parse(ids[1])).violations[0].code == "CONST_MISMATCH"
    assert match({"type": "integer", "minimum": parse(ids[0])}, parse(ids[1])).total == 1


@pytest.mark.parametrize("chars", [200, 201])
def test_a_string_is_cut_at_200_code_points_with_its_length_told(chars):
    (violation,) = match({"type": "null"}, "😀" * chars).violations
    assert violation.actual == "😀" * 200
    assert violation.actual_chars == (chars if chars > 200 else None)


def test_at_most_20_observed_keys_are_shown_sorted_by_utf16_units():
    value = dict.fromkeys(["\uffee", "😀", *map(str, range(30))])
    (violation,) = match({"type": "object", "required": ["x"]}, value).violations
    assert violation.observed_keys == sorted(map(str, range(30)))[:20]
    assert violation.observed_key_count == 32
    few = match({"type": "object", "required": ["x"]}, {"\uffee": 1, "😀": 1}).violations[0]
    assert (few.observed_keys, few.observed_key_count) == (["😀", "\uffee"], None)


def test_every_violation_is_counted_but_only_ten_are_kept():
    found = match({"type": "array", "items": {"type": "string"}}, [1] * 100_000)
    assert (len(found.violations), found.total) == (KEPT, 100_000)
    assert found.violations[-1].path == "$[9]"


@pytest.mark.parametrize("depth", [100_000])
def test_deep_schemas_and_values_do_not_hurt(depth):
    schema, value, constant = {"type": "null"}, 1, 0
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}}
        value = {"a": value}
        constant = [constant]
    (violation,) = match(schema, value).violations
    assert (violation.code, violation.path) == ("TYPE_MISMATCH", "$" + ".a" * depth)
    assert match({"const": constant}, constant).total == 0
