"""An answer as people see it, and what a saved case expects of the next one."""

import pytest

from mcpeak.call.answer import assertions, lines


def test_a_json_text_is_laid_out():
    assert list(lines({"content": [{"type": "text", "text": '{"a":1}'}]}))[1:] == ["  {", '    "a": 1', "  }"]


def test_hostile_text_is_harmless():
    shown = list(lines({"content": [{"type": "text", "text": "a\x1b[2J"}]}))
    assert shown[1] == "  a\\u001b[2J"


def test_binary_data_is_named_not_shown():
    shown = list(lines({"content": [{"type": "image", "mimeType": "image/png", "data": "AAAA"}]}))
    assert shown[1] == "  [image, image/png, 4 characters of base64]"


@pytest.mark.parametrize("content", [None, "x", [1], [{"type": "text"}], [[]]])
def test_a_malformed_answer_is_shown_all_the_same(content: object):
    assert list(lines({"content": content}))


def test_a_refusal_is_expected_again():
    assert assertions({"isError": True, "content": []}) == [{"type": "isError", "expected": True}]


def test_the_keys_of_an_object_are_expected_again():
    result = {"content": [{"type": "text", "text": '{"b":1,"a":2}'}], "structuredContent": {"c": 1}}
    assert assertions(result)[1:] == [
        {"type": "structuredContentMatchesSchema", "schema": {"type": "object", "required": ["c"]}},
        {"type": "bodyMatchesSchema", "schema": {"type": "object", "required": ["b", "a"]}},
    ]


def test_what_is_said_twice_is_shown_and_expected_once():
    result = {"content": [{"type": "text", "text": '{"a": 1.0}'}], "structuredContent": {"a": 1}}
    assert list(lines(result))[1:] == ["  {", '    "a": 1.0', "  }", "structured content: the same"]
    assert [each["type"] for each in assertions(result)] == ["isError", "structuredContentMatchesSchema"]
