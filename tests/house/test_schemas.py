"""`schemas/` is what the record types give, and says what a reader of the stream can rely on."""

import json
import runpy

import jsonschema
import pytest

from support.programs import ROOT

SCRIPT = runpy.run_path(str(ROOT / "scripts" / "schemas.py"))
SCHEMAS = sorted((ROOT / "schemas").glob("*.json"))


def test_the_generated_schemas_have_not_drifted():
    assert SCRIPT["drifted"]() == []


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_a_schema_is_a_valid_schema(path):
    jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text("utf-8")))


@pytest.mark.parametrize("name", sorted(SCRIPT["GENERATED"]))
def test_every_record_type_is_described(name):
    parts = json.loads(SCRIPT["schema_text"](name))["$defs"]
    assert [part for part, schema in parts.items() if not schema.get("description")] == []


@pytest.mark.parametrize("name", sorted(SCRIPT["GENERATED"]))
def test_every_field_is_described(name):
    parts = json.loads(SCRIPT["schema_text"](name))["$defs"]
    fields = [
        (part, field, schema)
        for part, whole in parts.items()
        for field, schema in whole.get("properties", {}).items()
    ]
    assert [(part, field) for part, field, schema in fields if not schema.get("description")] == []


def test_no_words_are_left_of_a_field_that_is_gone():
    parts = {}
    for name in SCRIPT["GENERATED"]:
        parts |= json.loads(SCRIPT["schema_text"](name))["$defs"]
    words = SCRIPT["WORDS"]
    known = {part: set(schema.get("properties", ())) for part, schema in parts.items()}
    known["any"] = set().union(*known.values())
    assert {part: set(fields) - known.get(part, set()) for part, fields in words.items()} == {
        part: set() for part in words
    }
