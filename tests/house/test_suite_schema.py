"""What an editor underlines by suite.schema.json is what mcpeak-validate refuses: the recorded vectors."""

import json

import jsonschema
import pytest

from support.programs import DATA, ROOT

SCHEMA = jsonschema.Draft202012Validator(
    json.loads((ROOT / "schemas" / "suite.schema.json").read_text("utf-8"))
)
SUITES = json.loads((DATA / "vectors" / "validation.json").read_text("utf-8"))["suites"]
BEYOND_A_SCHEMA = {
    "DUPLICATE_CASE_ID",
    "INVALID_JSON_VALUE",
}  # needs two places at once; no parsed JSON shows it


def refused(vector):
    value = json.loads(vector["suiteText"])
    return not SCHEMA.is_valid(value)


def expected(vector):
    codes = {issue["code"] for issue in vector["issues"]}
    return bool(codes - BEYOND_A_SCHEMA)


@pytest.mark.parametrize("vector", SUITES, ids=[vector["name"] for vector in SUITES])
def test_the_editor_and_the_validator_agree(vector):
    try:
        assert refused(vector) or not expected(vector)
        assert not refused(vector) or not vector["valid"]
    except RecursionError:
        pytest.skip("deeper than the checking library can follow")


@pytest.mark.parametrize(
    "path", sorted((ROOT / "examples").rglob("*.suite.json")), ids=lambda path: path.name
)
def test_the_examples_are_valid(path):
    assert [error.message for error in SCHEMA.iter_errors(json.loads(path.read_text("utf-8")))] == []
