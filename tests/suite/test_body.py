"""The body of an answer, as the reference finds it."""

import json

import pytest

from mcpeak.suite.body import Body, BodyProblem, body_of
from support.differences import differences
from support.programs import DATA

VECTORS = json.loads((DATA / "vectors/schema_match.json").read_text("utf-8"))["bodyExtraction"]
DIFFERENT = differences("schema_match")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v["name"])
def test_it_finds_what_the_vector_found_unless_the_difference_is_named(vector):
    expected = vector["result"]
    got = body_of(vector["content"])
    if isinstance(got, Body):
        answer = {"ok": True, "body": got.value, "form": got.form}
    else:
        answer = {"ok": False, "failure": {"code": got.code, "actual": got.actual}}
    assert (answer == expected) == (f"body: {vector['name']}" not in DIFFERENT)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ([{"type": "image"}], ("CONTENT_BLOCK_NOT_TEXT", "image")),
        ([{"type": 5}], ("CONTENT_BLOCK_NOT_TEXT", "number")),
        ([{"type": "text"}], ("CONTENT_TEXT_NOT_STRING", "undefined")),
        ([{"type": "text", "text": None}], ("CONTENT_TEXT_NOT_STRING", "null")),
        ([{"type": "text", "text": "a"}] * 2, ("CONTENT_BLOCK_COUNT", 2)),
    ],
)
def test_what_is_no_single_text_block_is_named(content, problem):
    assert body_of(content) == BodyProblem(*problem)


@pytest.mark.parametrize(
    ("text", "body"),
    [
        (' \r\n{"a":1}', Body({"a": 1}, "json")),
        ("[1e999]", Body("[1e999]", "text")),
        ("[1", Body("[1", "text")),
        ("\ufeff[1]", Body("\ufeff[1]", "text")),
        ('["\ud800"]', Body(["\ud800"], "json")),
        ('["\ud800"', Body('["\ud800"', "text")),
    ],
)
def test_only_a_whole_json_object_or_array_becomes_a_value(text, body):
    assert body_of([{"type": "text", "text": text}]) == body
