"""What the reference generates, we generate; where we differ, `differences.toml` says why."""

import json
from typing import Any

import pytest

from support.differences import differences
from support.drafts import drafted
from support.programs import DATA

WHOLE = json.loads((DATA / "vectors" / "generate.json").read_bytes())
VECTORS = WHOLE["vectors"]
DIFFERENCES = differences("generate")
KINDS = {
    "HAPPY_PATH": "success",
    "REQUIRED_OMITTED": "missing",
    "TYPE_VIOLATION": "type",
    "ENUM_VIOLATION": "enum",
    "RANGE_VIOLATION": "range",
}


def ours(vector: dict[str, Any]) -> list[dict[str, Any]]:
    cases = drafted(json.loads(vector["toolsText"])).cases
    return [{key: value for key, value in case.items() if key != "name"} for case in cases]


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_same_cases_as_the_reference_but_for_named_differences(vector: dict[str, Any]) -> None:
    expected = vector["cases"] if vector["ok"] else []
    same = json.dumps(ours(vector)) == json.dumps(expected)
    named = vector["name"] in DIFFERENCES or (not vector["ok"] and not expected and same)
    assert same or named
    if vector["ok"]:
        assert not (same and vector["name"] in DIFFERENCES), "a named difference no longer occurs"


def test_every_named_difference_is_one_of_a_vector() -> None:
    runs = {f"mcpeak generate: {run['name']}" for run in WHOLE["cliRuns"]}
    assert set(DIFFERENCES) <= {vector["name"] for vector in VECTORS} | runs


SAME = [vector for vector in VECTORS if vector["ok"] and vector["name"] not in DIFFERENCES]


@pytest.mark.parametrize("vector", SAME, ids=[vector["name"] for vector in SAME])
def test_same_axes_as_the_reference(vector: dict[str, Any]) -> None:
    made = {each.tool: each for each in drafted(json.loads(vector["toolsText"])).tools}
    for told in vector["coverage"]["tools"]:
        if told["analyzable"]:
            axes = [(axis.kind, axis.field) for axis in made[told["tool"]].axes]
            assert axes == [(KINDS[axis["kind"]], axis["field"]) for axis in told["axes"]]
