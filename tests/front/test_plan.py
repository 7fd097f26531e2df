import pytest

from mcpeak.command.failure import UsageError
from mcpeak.front.arguments import parse
from mcpeak.front.explain import explain
from mcpeak.front.plan import Step, plan
from mcpeak.front.table import load

TEST = load().commands["test"]


def planned(*words):
    return plan(parse(words, TEST, "mcpeak test"), TEST, "mcpeak test", lambda program: ["at/" + program])


def test_each_stage_gets_its_own_words():
    assert planned("a.json", "--json", "--restart", "--stderr-lines", "5", "--", "node", "-x") == [
        Step("validate", ["--", "a.json"]),
        Step("run", ["--restart", "--", "node", "-x"]),
        Step("report", ["--json", "--stderr-lines", "5"]),
    ]


def test_the_command_spelt_in_options_is_the_same_command():
    assert planned("a", "--arg", "-m", "--command", "python3", "--arg=") == planned(
        "a", "--", "python3", "-m", ""
    )


def test_an_option_for_all_stages_reaches_all():
    assert all(step.arguments[:2] == ["--lang", "ko"] for step in planned("a", "--lang", "ko", "--", "c"))


def test_a_value_that_could_be_taken_for_an_option_is_joined():
    assert "--stderr-lines=0" not in planned("a", "--stderr-lines=0", "--", "c")[-1].arguments
    assert "--filter=-x" in planned("a", "--filter=-x", "--", "c")[1].arguments


def test_an_option_may_become_other_words_and_bring_a_stage():
    steps = planned("a", "--determinism", "--", "c")
    assert [step.program for step in steps] == ["validate", "run", "compare", "report"]
    assert steps[1].arguments[:2] == ["--repeat", "2"]


def test_a_session_wraps_the_server_command():
    run = planned("a", "--session", "f.db", "--match", "r", "--", "node", "s.mjs")[1]
    assert run.arguments == [
        "--",
        "at/mcpeak-session",
        "replay",
        "--match",
        "r",
        "f.db",
        "--",
        "node",
        "s.mjs",
    ]


def test_a_session_needs_a_server_that_we_start():
    with pytest.raises(UsageError) as caught:
        planned("a", "--session", "f.db", "--url", "http://x")
    assert caught.value.detail == "OPTION_NEEDS_COMMAND"


def test_the_explained_pipe_is_quoted_for_a_shell():
    steps = planned("my suite.json", "--junit", "$HOME/x.xml", "--", "node", "it's")
    assert explain(steps, lambda program: [program]) == (
        "mcpeak-validate -- 'my suite.json' |\n"
        "  mcpeak-run -- node 'it'\"'\"'s' |\n"
        "  mcpeak-report --junit '$HOME/x.xml'\n"
    )
