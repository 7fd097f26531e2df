"""What argparse refuses, in the words of the catalogue, whichever Python says it."""

import argparse
import subprocess
import sys

import pytest

from mcpeak import messages
from mcpeak.command import options
from mcpeak.command.failure import UsageError
from mcpeak.command.mistake import nearest
from mcpeak.command.target import add_target
from support.programs import ROOT, run

PROGRAMS = sorted(path.name for path in (ROOT / "bin").glob("mcpeak-*"))
ENGLISH = ("argument", "required", "unrecognized", "expected", "choice", "choose")


@pytest.fixture(params=["en", "ko"])
def language(request: pytest.FixtureRequest):
    yield request.param
    messages.use("en")


def _even(text: str) -> int:
    if int(text) % 2:
        raise argparse.ArgumentTypeError(f"{text} is odd")
    return int(text)


def refusal(arguments: list[str], language: str = "en", *, server: bool = False) -> UsageError:
    """Let a parser with one option of each sort refuse some arguments."""
    made = options.program("mcpeak-x", "call", ["--lang", language])
    made.add_argument("action", metavar="ACTION", choices=("record", "replay"))
    made.add_argument("more", metavar="MORE", nargs="?")
    made.add_argument("--junit", metavar="PATH")
    made.add_argument("--output-size", type=int)
    made.add_argument("--limit", type=float)
    made.add_argument("--pairs", type=_even)
    made.add_argument("--fast", action="store_true")
    if server:
        add_target(made)
    with pytest.raises(UsageError) as wrong:
        made.parse_args(arguments)
    return wrong.value


CASES = [
    (["record", "--xyz"], "OPTION_UNKNOWN", ["--xyz"]),
    (["record", "--junti", "x"], "OPTION_MISSPELT", ["--junti", "--junit"]),
    (["record", "--junti=x"], "OPTION_MISSPELT", ["--junti", "--junit"]),
    (["record", "--output"], "OPTION_MISSPELT", ["--output-size"]),
    (["--junti", "x"], "VALUE_NO_CHOICE", ["ACTION", "record, replay"]),
    (["--junti=x"], "OPTION_MISSPELT", ["--junit"]),
    (["record", "--junit"], "OPTION_NEEDS_VALUE", ["--junit PATH"]),
    (["record", "--junit", "--fast"], "OPTION_NEEDS_VALUE", ["--junit=PATH"]),
    (["--lang"], "OPTION_NEEDS_VALUE", ["--lang en|ko"]),
    (["record", "--fast=yes"], "OPTION_TAKES_NO_VALUE", ["--fast"]),
    (["record", "--junit=a", "--junit=b"], "OPTION_TWICE", ["--junit"]),
    (["recrod"], "VALUE_MISSPELT", ["ACTION", "recrod", "record, replay"]),
    (["delete"], "VALUE_NO_CHOICE", ["ACTION", "delete", "record, replay"]),
    (["record", "--output-size", "x"], "VALUE_WRONG", ["--output-size", "x"]),
    (["record", "--limit", "x"], "VALUE_WRONG", ["--limit", "2.5"]),
    (["record", "--pairs", "3"], "VALUE_REFUSED", ["--pairs", "3 is odd"]),
    ([], "ARGUMENT_MISSING", ["ACTION [MORE]"]),
    (["record", "a", "b"], "WORD_UNEXPECTED", ["b"]),
]


@pytest.mark.parametrize(("arguments", "detail", "named"), CASES)
def test_each_mistake_has_its_own_code_and_names_what_is_meant(
    arguments: list[str], detail: str, named: list[str], language: str
):
    wrong = refusal(arguments, language)
    told = f"{wrong.words.message}\n{wrong.words.hint}"
    assert (wrong.code, wrong.detail) == ("CLI_USAGE", detail)
    assert [each for each in named if each not in told] == []


@pytest.mark.parametrize(("arguments", "detail", "_"), CASES)
def test_a_korean_reader_gets_no_english_sentence(arguments: list[str], detail: str, _: list[str]):
    words = refusal(arguments, "ko").words
    messages.use("en")
    assert [word for word in ENGLISH if word in f"{words.message} {words.hint}"] == []


def test_with_a_server_the_words_tell_where_its_command_goes():
    assert "-- node server.mjs" in refusal(["record", "a", "node"], server=True).words.hint
    assert "goes after `--`" in refusal(["record", "--xyz"], server=True).words.hint


def test_a_sentence_that_is_unknown_to_us_is_passed_on():
    made = options.program("mcpeak-x", "call", [])
    made.register("action", "odd", type("Odd", (argparse.Action,), {"__call__": _odd}))
    made.add_argument("--odd", action="odd")
    with pytest.raises(UsageError) as wrong:
        made.parse_args(["--odd", "1"])
    assert (wrong.value.detail, wrong.value.words.message) == (None, "argument --odd: something new")


def _odd(self: argparse.Action, *_: object) -> None:
    raise argparse.ArgumentError(self, "something new")


def test_a_very_long_word_is_quoted_short():
    assert len(refusal(["record", "--" + "x" * 100_000]).words.message) < 200


@pytest.mark.parametrize(
    ("word", "found"),
    [("--output", "--output-dir"), ("--hepl", "--help"), ("--xyz", None), ("--o", None), ("-q", None)],
)
def test_the_nearest_is_what_begins_so_or_is_most_alike(word: str, found: str | None):
    assert nearest(word, ["--help", "--output-dir", "--open", "-h", "--force"]) == found


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_refuses_in_korean(program: str):
    done = run(program, "--no-such-thing", MCPEAK_LANG="ko")
    told = (done.stderr + done.stdout).decode()
    assert done.returncode == 2
    assert "--no-such-thing 옵션은 없습니다" in told


def test_a_right_command_line_loads_none_of_it():
    code = (
        "import sys; from mcpeak.command.options import program;"
        "program('mcpeak-x', 'call', []).parse_args([]);"
        "sys.exit(len({'difflib', 'mcpeak.command.mistake'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT / "lib")}, timeout=60, check=False
    )
    assert done.returncode == 0


def test_an_empty_word_is_told_to_be_empty():
    assert refusal(["record", "a", ""]).detail == "WORD_EMPTY"


def test_two_dashes_alone_are_no_word_too_many():
    assert options.program("mcpeak-x", "call", []).parse_args(["--"]).lang is None
