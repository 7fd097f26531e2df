from mcpeak.mock.checks import Problem
from mcpeak.mock.oddities import folded, warnings_of
from mcpeak.mock.words import sentence


def of_responses(*names):
    return {"tools": [], "responses": [{"tool": "t", name: 1} for name in names]}


def told(value):
    return [sentence(problem) for problem in folded(warnings_of(value))]


def test_what_repeats_itself_is_told_a_few_times():
    lines = told(of_responses(*["input"] * 1000))
    assert len(lines) == 4
    assert lines[-1] == "responses[999].input: and 997 more like this, up to here"


def test_each_kind_is_told_for_itself():
    paths = [problem.path for problem in folded(warnings_of(of_responses(*["input", "zzz"] * 3)))]
    assert paths == [
        f"responses[{place}].{name}"
        for name, first in (("input", 0), ("zzz", 1))
        for place in range(first, 6, 2)
    ]


def test_few_stay_as_they_are():
    few = [Problem("UNKNOWN_KEY", f"responses[{place}].x", {"near": None, "known": ""}) for place in range(3)]
    assert list(folded(few)) == few
