"""Every sentence in both languages, same placeholders; every code with a hint; none missing, none idle."""

import ast
import re
import string
import tomllib
from functools import cache

import pytest

from support.programs import ROOT

LIB = ROOT / "lib" / "mcpeak"
MESSAGES = LIB / "messages"
ROOMS = sorted(path.stem for path in (MESSAGES / "en").glob("*.toml"))
TABLES = ("label", "option")
RAISERS = {"Failure", "UsageError", "InputError", "ServerError"}


@cache
def catalogue(language, room):
    return tomllib.loads((MESSAGES / language / f"{room}.toml").read_text("utf-8"))


def sentences(language, room):
    """Every sentence by its place, such as `CLI_USAGE.hint`."""
    return {
        f"{table}.{name}": text
        for table, entries in catalogue(language, room).items()
        for name, text in entries.items()
        if isinstance(text, str)
    }


def codes(language, room):
    return {name for name in catalogue(language, room) if name not in TABLES}


def placeholders(text):
    return sorted(
        {name.split(".")[0].split("!")[0] for _, name, _, _ in string.Formatter().parse(text) if name}
    )


def test_both_languages_have_the_same_rooms():
    assert sorted(path.stem for path in (MESSAGES / "ko").glob("*.toml")) == ROOMS


@pytest.mark.parametrize("room", ROOMS)
def test_both_languages_have_the_same_sentences(room):
    assert sorted(sentences("en", room)) == sorted(sentences("ko", room))


@pytest.mark.parametrize("room", ROOMS)
def test_both_languages_fill_the_same_placeholders(room):
    english, korean = sentences("en", room), sentences("ko", room)
    differing = {
        place: (placeholders(english[place]), placeholders(korean[place]))
        for place in english
        if not place.startswith("option.")  # shown as written
        and placeholders(english[place]) != placeholders(korean.get(place, ""))
    }
    assert differing == {}


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("room", ROOMS)
def test_every_code_says_what_to_do_next(room, language):
    table = catalogue(language, room)
    assert [
        code for code in codes(language, room) if not (table[code].get("message") and table[code].get("hint"))
    ] == []


@pytest.mark.parametrize("room", ROOMS)
def test_korean_is_korean(room):
    """A sentence of more than a few words without a Hangul letter was forgotten."""
    foreign = [
        place
        for place, text in sentences("ko", room).items()
        if len(text.split()) > 3 and not any("가" <= letter <= "힣" for letter in text)
    ]
    assert foreign == []


def _literal(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def uses():
    """Every code that the source names where it speaks: (place, room, names of which one must be there)."""
    for path in sorted(LIB.rglob("*.py")):
        source = path.read_text("utf-8")
        speaks = re.search(r"from mcpeak\.messages import .*\bsay\b", source)
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            first = [_literal(each) for each in node.args[:2]]
            where = f"{path.relative_to(LIB)}:{node.lineno}"
            if (
                name == "say"
                and speaks
                and isinstance(node.func, ast.Name)
                and len(first) == 2
                and all(first)
            ):
                yield where, first[0], {first[1]}
            elif name in RAISERS and first and first[0]:
                given = {each.arg: _literal(each.value) for each in node.keywords}
                known = given.get("room", "command"), {first[0], given.get("detail", first[0])}
                if None not in (known[0], *known[1]):  # what a variable names is no literal to look up
                    yield where, known[0], known[1]


def test_every_code_that_the_source_names_is_in_the_catalogue():
    assert [
        (where, room, names)
        for where, room, names in uses()
        if room not in ROOMS or not names & codes("en", room)
    ] == []


def test_every_label_that_the_source_names_is_in_the_catalogue():
    lacking = []
    for path in sorted(LIB.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "label":
                room, name = (_literal(each) for each in (*node.args[:2], ast.Constant(None))[:2])
                if room and name and name not in catalogue("en", room).get("label", {}):
                    lacking.append((str(path.relative_to(LIB)), room, name))
    assert lacking == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_code_of_the_catalogue_is_used(room):
    paths = [*LIB.rglob("*.py"), LIB / "front" / "pipelines.json"]
    source = "\n".join(path.read_text("utf-8") for path in paths)
    words = set(re.findall(r"[A-Z][A-Z0-9_]+", source))
    beginnings = tuple(re.findall(r'f"([A-Z][A-Z0-9_]*_)\{', source))  # a code put together where it is used
    assert [
        code for code in sorted(codes("en", room)) if code not in words and not code.startswith(beginnings)
    ] == []
