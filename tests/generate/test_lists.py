"""The tool lists of nineteen real servers: every tool has a success case, and no input is on the wrong side.

Two validators that know nothing of each other judge the inputs. The numbers stand in docs/generate.md.
"""

import re
from functools import cache
from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from mcpeak.generate.draft import coverage
from support.drafts import drafted, lists
from support.programs import ROOT

LISTS = lists()


@cache
def counts() -> dict[str, int]:
    total = {"tools": 0, "advertised": 0, "axes": 0, "possible": 0}
    for tools in LISTS.values():
        for key, value in coverage(drafted(tools), len(tools)).items():
            total[key] += value
    return total


def judged(tools: list[Any], expected: bool) -> list[tuple[str, bool, bool]]:
    """Case id, and what each validator says, of the cases that should succeed or not."""
    schemas = {tool["name"]: tool["inputSchema"] for tool in tools}
    verdicts = []
    for case in drafted(tools).cases:
        if case["assertions"][0]["expected"] is expected:  # isError
            continue
        schema, value = schemas[case["operation"]["tool"]], case["operation"]["input"]
        python = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
        verdicts.append((case["id"], jsonschema_rs.is_valid(schema, value), python(schema).is_valid(value)))
    return verdicts


@pytest.mark.parametrize("name", LISTS)
def test_every_tool_has_a_success_case(name: str) -> None:
    made = drafted(LISTS[name])
    assert [each.tool for each in made.tools if each.axes[0].input is None] == []
    assert len(made.tools) == len(LISTS[name])


@pytest.mark.parametrize("name", LISTS)
def test_both_validators_accept_every_success_input(name: str) -> None:
    assert [each for each in judged(LISTS[name], expected=True) if each[1:] != (True, True)] == []


@pytest.mark.parametrize("name", LISTS)
def test_both_validators_refuse_every_other_input(name: str) -> None:
    assert [each for each in judged(LISTS[name], expected=False) if each[1:] != (False, False)] == []


def test_the_guide_tells_the_true_numbers() -> None:
    total = counts()
    sentence = f"{total['tools']} of {total['advertised']} tools, {total['axes']} of {total['possible']} axes"
    for page in ("docs/generate.md", "docs/ko/generate.md"):
        numbers = re.findall(r"\d+", sentence)
        assert all(number in (ROOT / page).read_text() for number in numbers), sentence


def test_the_same_tools_give_the_same_bytes() -> None:
    tools = LISTS["notion"]
    assert repr(drafted(tools).cases) == repr(drafted(tools).cases)
