"""schemas/mock.schema.json says the same as the checks: same keys, same verdicts."""

import json
from typing import Any

import jsonschema
import pytest

from mcpeak.mock.checks import problems_of
from mcpeak.mock.faults import FAULTS, KINDS
from mcpeak.mock.vocabulary import DEFINITION, LEVELS, LOG, PROGRESS, REPLY, RESPONSE
from support.programs import DATA, ROOT

SCHEMA = json.loads((ROOT / "schemas" / "mock.schema.json").read_text("utf-8"))
DEFS = SCHEMA["$defs"]
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
TABLES = [
    (DEFINITION, SCHEMA),
    (RESPONSE, DEFS["response"]),
    (REPLY, DEFS["reply"]),
    (FAULTS, DEFS["faults"]),
    (PROGRESS, DEFS["progress"]),
    (LOG, DEFS["log"]),
]
T = {"name": "t", "inputSchema": {}}


@pytest.mark.parametrize(
    ("table", "schema"), TABLES, ids=["definition", "response", "reply", "faults", "progress", "log"]
)
def test_both_know_the_same_keys(table: dict[str, str], schema: dict[str, Any]) -> None:
    assert list(table) == list(schema["properties"])


def test_both_know_the_same_words() -> None:
    assert list(KINDS) == DEFS["faultKind"]["enum"]
    assert list(LEVELS) == DEFS["log"]["properties"]["level"]["enum"]


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def responding(**response: Any) -> dict[str, Any]:
    return {"tools": [T], "responses": [{"tool": "t"} | response]}


SAMPLES: list[Any] = [
    [],
    {},
    {"tools": {}},
    {"tools": [T]},
    {"tools": [{"name": 1, "inputSchema": {}}]},
    {"tools": [{"name": "t"}]},
    {"tools": [], "responses": None},
    {"tools": [T], "responses": [1]},
    responding(),
    responding(result=None),
    responding(result=1, isError=None),
    responding(result=1, args=[1]),
    responding(result=1, args={}, when={}),
    responding(result=1, when=True),
    responding(result=1, when=7),
    responding(content=[{"type": "text"}]),
    responding(content=[{}]),
    responding(content="x"),
    responding(structuredContent=1),
    responding(error={"code": 1, "message": "m"}),
    responding(error={"code": "1", "message": "m"}),
    responding(error={"message": "m"}),
    responding(result=1, delayMs=-1),
    responding(result=1, delayMs=1.5),
    responding(result=1, delayMs=True),
    responding(result=1, delayMs=5),
    responding(result=1, progress=[{"progress": 1}]),
    responding(result=1, progress=[{"total": 1}]),
    responding(result=1, log=[{"level": "info", "data": 1}]),
    responding(result=1, log=[{"level": "loud", "data": 1}]),
    responding(result=1, ask={}),
    responding(result=1, ask=[]),
    responding(result=1, ask={"k": {"method": "roots/list"}}),
    responding(result=1, ask=[{"k": {"method": "roots/list"}}, {"l": {}}]),
    responding(result=1, requires=[]),
    responding(result=1, notify=["a", {"method": "b"}]),
    responding(result=1, notify=[{}]),
    responding(fault="hang"),
    responding(fault="explode"),
    responding(fault={"kind": "crash", "after": 2, "exitCode": 9}),
    responding(fault={"after": 2}),
    responding(sequence=[{"result": 1}, {"error": {"code": 1, "message": ""}}]),
    responding(sequence=[]),
    responding(sequence=[{}]),
    responding(sequence=[{"result": 1, "delayMs": "x"}]),
    {"tools": [], "serverInfo": 1},
    {"tools": [], "resources": [{"uri": "a", "name": "b", "text": "c"}]},
    {"tools": [], "resources": [{"uri": "a"}]},
    {"tools": [], "resources": [{"uri": 1, "name": "b"}]},
    {"tools": [], "prompts": [{"name": "p", "messages": []}]},
    {"tools": [], "prompts": [{"name": "p"}]},
    {"tools": [], "pageSize": 0},
    {"tools": [], "pageSize": 3},
    {"tools": [], "faults": {"on": {"tools/list": "hang"}, "noise": ["x"], "startDelayMs": 1}},
    {"tools": [], "faults": {"on": {"tools/list": "no"}}},
]


@pytest.mark.parametrize("value", SAMPLES, ids=lambda value: json.dumps(value)[-70:])
def test_both_give_the_same_verdict(value: Any) -> None:
    assert (not list(problems_of(value))) == VALIDATOR.is_valid(value)


FILES = [ROOT / "examples" / "weather" / "weather.mock.json", ROOT / "examples" / "conformance.mock.json"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_examples_are_valid(path: Any) -> None:
    VALIDATOR.validate(json.loads(path.read_text("utf-8")))


def test_every_definition_that_the_reference_serves_is_valid_but_for_the_listed() -> None:
    """Vectors whose args are no object are refused on purpose (differences.toml)."""
    vectors = json.loads((DATA / "vectors" / "mock.json").read_text("utf-8"))["vectors"]
    invalid = [one["name"] for one in vectors if not VALIDATOR.is_valid(json.loads(one["definition"]))]
    assert invalid == ["args array in definition", "args string in definition"]
