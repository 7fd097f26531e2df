"""The catalogue of this room: both languages, every code with a remedy, no placeholder left open."""

import json
import re
import string

import pytest

from mcpeak.messages import table
from support.programs import DATA, run

PLACEHOLDER = re.compile(r"(?<![{\"'$\w])\{[a-z_]+\}")
LANGUAGES = ("en", "ko")


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_have_the_same_codes_and_placeholders() -> None:
    english, korean = (table("report", language) for language in LANGUAGES)
    assert english.keys() == korean.keys()
    for code, entry in english.items():
        assert entry.keys() == korean[code].keys(), code
        for name, text in entry.items():
            assert fields(text) == fields(korean[code][name]), (code, name)


def test_every_code_has_a_remedy_that_can_be_acted_on() -> None:
    for language in LANGUAGES:
        for code, entry in table("report", language).items():
            if code.isupper():
                assert entry["message"].strip(), code
                assert entry["hint"].strip(), code


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", [[], ["--tap"], ["-v"]])
def test_every_diagnostic_of_the_vectors_is_told_without_an_open_placeholder(
    language: str, form: list[str]
) -> None:
    vectors = json.loads((DATA / "vectors" / "report.json").read_bytes())["vectors"]
    reports = [vector["report"] for vector in vectors if vector["report"]]
    text = run(
        "mcpeak-report", "--lang", language, *form, stdin="\n".join(map(json.dumps, reports))
    ).stdout.decode()
    assert not PLACEHOLDER.search(text)
