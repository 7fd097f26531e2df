"""A case added to a suite leaves the rest of the file as it was written."""

import json

import pytest

from mcpeak.call.case import added, identifier, new_suite
from mcpeak.suite.equal import equal
from mcpeak.suite.read import ReadSuite, read_suite
from mcpeak.suite.text import read_text
from mcpeak.wire.json import pretty
from support.programs import DATA

CASE = {
    "id": "new",
    "name": "서울",
    "operation": {"type": "callTool", "tool": "t", "input": {"a": [1, 2]}},
    "assertions": [{"type": "isError", "expected": False}],
}
SUITES = [
    vector["suiteText"]
    for vector in json.loads((DATA / "vectors" / "validation.json").read_text())["suites"]
    if vector["valid"]
]


@pytest.mark.parametrize("text", SUITES)
def test_any_valid_suite_stays_valid_and_gains_one_case(text: str):
    before = read_suite(text.encode("utf-8", "surrogatepass"), "s")
    if not isinstance(before, ReadSuite):
        pytest.skip("refused by us on purpose")
    after = read_suite(added(text, read_text(text).cases[-1], CASE).encode("utf-8", "surrogatepass"), "s")
    assert isinstance(after, ReadSuite)
    assert equal(after.value()["cases"], [*before.value()["cases"], CASE])


def test_the_layout_of_the_neighbour_is_kept():
    text = '{\n\t"cases": [\n\t\t{"id": "a"}\n\t],\n  "x" : 1 }\n'
    made = added(text, text.index('{"id"'), {"id": "b"})
    assert made == '{\n\t"cases": [\n\t\t{"id": "a"},\n\t\t{\n\t\t  "id": "b"\n\t\t}\n\t],\n  "x" : 1 }\n'


def test_a_suite_on_one_line_stays_on_one_line():
    text = '{"cases": [{"id": "a"}]}'
    assert added(text, 11, {"id": "b"}) == '{"cases": [{"id": "a"}, {"id": "b"}]}'


def test_an_id_is_taken_once():
    assert identifier("Get Weather!", {"get-weather", "get-weather-2"}) == "get-weather-3"


def test_a_name_without_letters_still_has_an_id():
    assert identifier("날씨", set()) == "case"


def test_a_new_suite_is_valid():
    assert isinstance(read_suite(new_suite("Weather", CASE).encode(), "s"), ReadSuite)


def test_an_input_nested_beyond_the_recursion_limit_is_kept():
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    case = CASE | {"operation": {"type": "callTool", "tool": "t", "input": {"a": deep}}}
    assert isinstance(read_suite(new_suite("s", case).encode(), "s"), ReadSuite)
    for text in (
        new_suite("s", CASE),
        '{"schemaVersion":1,"id":"s","name":"s","cases":[' + pretty(CASE, None) + "]}",
    ):
        made = added(text, read_text(text).cases[-1], case | {"id": "deep"})
        assert isinstance(read_suite(made.encode(), "s"), ReadSuite)
