import json
import os

import pytest

from mcpeak.front.arguments import Given
from mcpeak.front.memory import Memory, narrowed, place, recall
from support.programs import ROOT, run

WEATHER = ROOT / "examples" / "weather"


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_each_folder_has_a_memory_of_its_own(state):
    here = place()
    (state / "other").mkdir()
    os.chdir(state / "other")
    assert here != place()
    assert here.startswith(str(state / "state"))


@pytest.mark.parametrize(("name", "value"), [("CI", "1"), ("XDG_STATE_HOME", "relative")])
def test_ci_and_a_place_that_is_none_remember_nothing(state, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert place() is None


def test_a_folder_that_is_gone_remembers_nothing(state):
    (state / "gone").mkdir()
    os.chdir(state / "gone")
    (state / "gone").rmdir()
    assert place() is None


@pytest.mark.parametrize("text", ["", "no json", '{"failed": 1}', '{"version": 1, "failed": {}}'])
def test_a_memory_that_says_nothing_is_none(state, text):
    (state / "m.json").write_text(text)
    assert recall(str(state / "m.json")) is None
    assert recall(None) is None
    assert recall(str(state / "gone.json")) is None


def test_only_suites_and_cases_that_failed_are_kept():
    given = Given([("--json", None)], ["a.json", "b.json"], ["node"])
    memory = Memory({"b.json": ["one", "t*o[1]"], "c.json": ["x"]})
    assert narrowed(given, memory, "--filter") == Given(
        [("--json", None), ("--filter", "one"), ("--filter", "t[*]o[[]1]")], ["b.json"], ["node"]
    )
    assert narrowed(given, Memory({"c.json": ["x"]}), "--filter") == given


def test_failed_runs_what_failed_last_time_and_everything_when_all_is_well(state):
    suite, server = state / "s.suite.json", ["python3", str(WEATHER / "server.py")]
    suite.write_bytes((WEATHER / "weather.suite.json").read_bytes())
    spoilt = suite.read_text().replace('{"const": "5"}', '{"const": "6"}')
    suite.write_text(spoilt)
    words = ["test", "s.suite.json", "--json", "--failed", "--", *server]
    env = {"XDG_STATE_HOME": str(state / "state")}

    def cases():
        done = run("mcpeak", *words, cwd=state, **env)
        return [case["spec"]["id"] for case in json.loads(done.stdout)["cases"]]

    assert len(cases()) == 7
    assert cases() == ["add"]
    suite.write_text(spoilt.replace('{"const": "6"}', '{"const": "5"}'))
    assert cases() == ["add"]
    assert len(cases()) == 7
