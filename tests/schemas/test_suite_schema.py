"""What an editor marks by suite.schema.json is what the checks refuse, whatever was changed in a suite."""

import copy
import json

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpeak.suite.checks import APPROVAL_FIELDS, CASE_FIELDS, SUITE_FIELDS, check
from mcpeak.suite.checks_assertion import ASSERTIONS
from mcpeak.suite.checks_operation import OPERATIONS
from mcpeak.suite.checks_schema import KEYWORDS, TYPES
from support.programs import ROOT

DOCUMENT = json.loads((ROOT / "schemas" / "suite.schema.json").read_text("utf-8"))
SCHEMA = jsonschema.Draft202012Validator(DOCUMENT)
BASE = {
    "schemaVersion": 1,
    "id": "s",
    "name": "n",
    "approval": {"fingerprint": "a" * 64, "cases": [{"id": "a", "status": "passed"}]},
    "defaultTimeoutMs": 5,
    "cases": [
        {
            "id": "a",
            "name": "A",
            "operation": {"type": "listTools"},
            "assertions": [{"type": "toolExists", "tool": "t"}],
        },
        {
            "id": "b",
            "name": "B",
            "timeoutMs": 7,
            "operation": {"type": "callTool", "tool": "t", "input": {"x": [1]}},
            "assertions": [
                {"type": "isError", "expected": True},
                {"type": "bodyMatchesSchema", "schema": {"type": "string", "minLength": 1, "maxLength": 2}},
                {
                    "type": "structuredContentMatchesSchema",
                    "schema": {
                        "type": "object",
                        "required": ["a"],
                        "properties": {
                            "a": {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 1}}
                        },
                        "additionalProperties": {"const": 1},
                    },
                },
                {"type": "bodyMatchesSchema", "schema": {"enum": [1, "a"]}},
            ],
        },
    ],
}
WORDS = st.sampled_from(
    sorted(
        {*SUITE_FIELDS, *CASE_FIELDS, *APPROVAL_FIELDS, *OPERATIONS, *ASSERTIONS, *KEYWORDS, *TYPES}
        | {"tool", "input", "expected", "schema", "status", "passed", "serverDefect", "x", "$schema", " ", ""}
    )
)
VALUES = (
    st.sampled_from(
        [
            None,
            True,
            False,
            0,
            1,
            2,
            -1,
            1.0,
            1.5,
            2**31,
            2**53,
            "b" * 64,
            "B" * 64,
            [],
            {},
            [1],
            ["a"],
            [""],
            {"a": 1},
        ]
    )
    | WORDS
)
BEYOND = ("DUPLICATE_CASE_ID",)  # no JSON Schema compares two places


def places(value, path=()):
    """Every place of a value, by its steps."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in parts:
        yield from places(part, (*path, step))


@st.composite
def changed(draw):
    """The base suite with a few values replaced, removed or added."""
    suite = copy.deepcopy(BASE)
    for _ in range(draw(st.integers(1, 3))):
        *way, step = draw(st.sampled_from([path for path in places(suite) if path] or [("id",)]))
        holder = suite
        for each in way:
            holder = holder[each]
        kind = draw(st.sampled_from(["replace", "remove", "add"]))
        if kind == "remove":
            del holder[step]
        elif kind == "add" and isinstance(holder, dict):
            holder[draw(WORDS)] = copy.deepcopy(draw(VALUES))
        else:
            holder[step] = copy.deepcopy(draw(VALUES))  # a later change goes into it
    return suite


@settings(max_examples=400, deadline=None)
@given(changed())
def test_the_schema_accepts_what_the_checks_accept(suite):
    codes = [problem.code for problem in check(suite)[0] if problem.code not in BEYOND]
    assert SCHEMA.is_valid(suite) == (codes == [])


def test_the_base_is_valid():
    assert SCHEMA.is_valid(BASE)
    assert check(BASE)[0] == []


def test_every_field_and_keyword_is_described():
    """An editor shows these sentences; a missing one is an empty box."""
    silent = []
    for name, part in {"suite": DOCUMENT, **DOCUMENT["$defs"]}.items():
        for field, schema in part.get("properties", {}).items():
            target = DOCUMENT["$defs"].get(schema.get("$ref", "").rpartition("/")[2], {})
            if name.startswith("for") or "description" in {**target, **schema} or "oneOf" in part:
                continue
            silent.append(f"{name}.{field}")
    assert silent == []
