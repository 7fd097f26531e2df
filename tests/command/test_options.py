"""What all command lines have in common."""

import pytest

from mcpeak import __version__, messages
from mcpeak.command import options
from mcpeak.command.failure import UsageError


@pytest.fixture
def parser(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(options, "label", lambda _room, name, **_: name)
    made = options.program("mcpeak-x", "x", [])
    made.add_argument("--out")
    made.add_argument("--output-size")
    yield made
    messages.use("en")


def test_an_option_given_twice_is_a_usage_error(parser: options.Parser):
    with pytest.raises(UsageError) as wrong:
        parser.parse_args(["--out", "a", "--out", "b"])
    assert wrong.value.detail == "OPTION_TWICE"


def test_a_parser_forgets_what_an_earlier_call_was_given(parser: options.Parser):
    parser.parse_args(["--out", "a"])
    assert parser.parse_args(["--out", "b"]).out == "b"


def test_an_option_cannot_be_abbreviated(parser: options.Parser):
    with pytest.raises(UsageError):
        parser.parse_args(["--outp", "a"])


def test_an_unknown_option_is_a_usage_error(parser: options.Parser):
    with pytest.raises(UsageError):
        parser.parse_args(["--nope"])


def test_the_version_goes_to_stdout(parser: options.Parser, capfd: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as end:
        parser.parse_args(["--version"])
    assert (end.value.code, capfd.readouterr().out) == (0, f"mcpeak-x {__version__}\n")


def test_help_goes_to_stdout_and_names_every_option(
    parser: options.Parser, capfd: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit):
        parser.parse_args(["-h"])
    assert "--output-size" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "language"),
    [(["--lang", "ko"], "ko"), (["--lang=ko"], "ko"), (["--", "--lang", "ko"], "en"), (["--lang"], "en")],
)
def test_the_language_is_known_before_the_line_is_parsed(
    arguments: list[str], language: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(options, "label", lambda _room, name, **_: name)
    monkeypatch.setattr(options.os, "environ", {})
    options.program("mcpeak-x", "x", arguments)
    assert messages.language() == language
    messages.use("en")
