"""One name, four places: bin, lib, tests, README; and the shape of what stands in bin."""

import ast
import json
import stat

import pytest

from support.programs import BIN, ROOT

SCRIPTS = sorted(path.name for path in BIN.iterdir())
WORDS = [name.removeprefix("mcpeak-") for name in SCRIPTS if name != "mcpeak"]
LINES = 15
ROOMS_WITHOUT_PROGRAM = {"front"}  # its program is `mcpeak` itself


@pytest.mark.parametrize("word", WORDS)
def test_a_program_has_its_room_and_its_tests(word):
    assert (ROOT / "lib" / "mcpeak" / word / "tool.py").exists()
    assert list((ROOT / "tests" / word).glob("test_*.py"))


def test_a_room_with_a_tool_has_its_program():
    rooms = {path.parent.name for path in (ROOT / "lib" / "mcpeak").glob("*/tool.py")}
    assert rooms - set(WORDS) == ROOMS_WITHOUT_PROGRAM


@pytest.mark.parametrize("page", ["README.md", "README.ko.md"])
def test_the_readme_names_every_program(page):
    text = (ROOT / page).read_text("utf-8")
    assert [name for name in SCRIPTS if f"`{name}" not in text] == []


def test_the_front_end_names_every_program():
    known = json.loads((ROOT / "lib" / "mcpeak" / "front" / "pipelines.json").read_text("utf-8"))["programs"]
    assert [word for word in WORDS if word not in known] == []


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_program_is_a_stub_that_says_what_it_is(name):
    text = (BIN / name).read_text("utf-8")
    assert text.startswith("#!/usr/bin/env python3\n")
    assert len(text.splitlines()) <= LINES
    assert "exit " in (ast.get_docstring(ast.parse(text)) or "")
    assert stat.S_IMODE((BIN / name).stat().st_mode) & 0o111 == 0o111
    room = "front" if name == "mcpeak" else name.removeprefix("mcpeak-")
    assert f"from mcpeak.{room}.tool import main" in text
