import pytest

from mcpeak.front.meaning import _codes, explained, nearest
from mcpeak.messages import LANGUAGES, use
from support.programs import run


@pytest.mark.parametrize("code", ["CASE_TIMEOUT", "case_timeout", "CLI_USAGE/CASE_TIMEOUT"])
def test_a_code_is_found_however_it_is_written(code):
    assert explained(code).startswith("CASE_TIMEOUT\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_can_be_explained(language):
    use(language)
    try:
        pages = [explained(code) for code, _ in _codes()]
    finally:
        use("en")
    assert None not in pages


def test_an_unknown_code_gets_the_nearest():
    assert explained("CASE_TIMEOOT") is None
    assert nearest("CASE_TIMEOOT") == "CASE_TIMEOUT"
    assert nearest("0") is None


def test_the_word_explains_several_at_once():
    done = run("mcpeak", "explain", "CASE_TIMEOUT", "SERVER_EXITED")
    assert (done.returncode, done.stdout.count(b"  remedy: ")) == (0, 2)


@pytest.mark.parametrize("words", [[], ["CASE_TIMEOOT"], ["0"]])
def test_a_code_that_is_none_is_a_usage_error(words):
    done = run("mcpeak", "explain", *words)
    assert (done.returncode, done.stdout, b"[CLI_USAGE" in done.stderr) == (1, b"", True)
