import pytest

from mcpeak.command.failure import Failure, UsageError
from mcpeak.front.arguments import parse
from mcpeak.front.table import Command, Option, Stage, load

COMMAND = Command(
    stages=[Stage(program="a"), Stage(program="b")],
    options={
        "--flag": Option(group="g", help="front.help", to=["a"]),
        "--loud": Option(group="g", help="front.help", to=["a"], short="-l"),
        "--one": Option(group="g", help="front.help", to=["b"], value="X"),
        "--many": Option(group="g", help="front.help", to=["b"], value="X", repeat=True, kind="any"),
        "--count": Option(group="g", help="front.help", to=["b"], value="N", kind="count"),
        "--more": Option(group="g", help="front.help", to=["b"], value="N"),
        "--reset": Option(group="g", help="front.help", to=["b"], value="CMD", kind="words"),
        "--server": Option(group="g", help="front.help", to=["b"], value="URL"),
    },
    command=["b"],
    words=[],
    targets=["-- COMMAND", "--server"],
    files="a",
    exclusive=[["--flag", "--loud"]],
    needs={"--more": ["--one", "--many"]},
)


def read(*words):
    return parse(words, COMMAND, "mcpeak test")


def test_files_and_options_stand_in_any_order_before_the_command():
    given = read("a.json", "--flag", "b.json", "--one", "x", "-", "--", "node", "--flag", "--")
    assert given.files == ["a.json", "b.json", "-"]
    assert given.options == [("--flag", None), ("--one", "x")]
    assert given.command == ["node", "--flag", "--"]


def test_a_value_is_joined_or_follows():
    assert read("f", "--one=x=y", "--many", "-m", "--many=", "--", "c").options == [
        ("--one", "x=y"),
        ("--many", "-m"),
        ("--many", ""),
    ]


def test_a_short_name_means_the_long_one():
    assert read("f", "-l", "--", "c").has("--loud")


@pytest.mark.parametrize(
    ("words", "detail"),
    [
        (["f", "--xyz", "--", "c"], "OPTION_UNKNOWN"),
        (["f", "--fleg", "--", "c"], "OPTION_MISSPELT"),
        (["f", "--flag=1", "--", "c"], "OPTION_TAKES_NO_VALUE"),
        (["f", "--one", "--", "c"], "OPTION_NEEDS_VALUE"),
        (["f", "--one"], "OPTION_NEEDS_VALUE"),
        (["f", "--one", "--flag", "--", "c"], "OPTION_NEEDS_VALUE"),
        (["f", "--one=", "--", "c"], "OPTION_VALUE_WRONG"),
        (["f", "--count", "-1", "--", "c"], "OPTION_VALUE_WRONG"),
        (["f", "--one", "x", "--one", "x", "--", "c"], "OPTION_GIVEN_TWICE"),
        (["f", "--flag", "-l", "--", "c"], "OPTIONS_EXCLUDE"),
        (["f", "--more", "x", "--", "c"], "OPTION_NEEDS_OTHER"),
        (["--", "c"], "FILES_MISSING"),
        (["f"], "TARGET_MISSING"),
        (["f", "--"], "TARGET_EMPTY"),
    ],
)
def test_a_wrong_command_line_is_a_usage_error_of_its_own(words, detail):
    with pytest.raises(UsageError) as caught:
        read(*words)
    assert (caught.value.code, caught.value.detail) == ("CLI_USAGE", detail)
    assert caught.value.words.hint


@pytest.mark.parametrize("words", ['"open', "   "])
def test_a_reset_command_that_cannot_be_cut_into_words_has_its_own_code(words):
    with pytest.raises(Failure) as caught:
        read("f", "--reset", words, "--", "c")
    assert caught.value.code == "RESET_COMMAND_FAILED"


def test_a_command_that_reads_no_file_takes_no_other_word():
    with pytest.raises(UsageError) as wrong:
        parse(["extra", "--", "x"], load().commands["generate"], "mcpeak generate")
    assert (wrong.value.code, wrong.value.detail) == ("CLI_USAGE", "WORD_UNEXPECTED")
