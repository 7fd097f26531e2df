"""Rooms import only what the design allows (ARCHITECTURE: the house)."""

import ast
from functools import cache

import pytest

from support.programs import ROOT

LIB = ROOT / "lib" / "mcpeak"
PROGRAMS = {"wire", "suite", "schema", "protocol", "link", "command", "messages"}
ALLOWED = {
    "wire": set(),
    "protocol": set(),
    "messages": set(),
    "suite": {"wire", "messages"},
    "schema": {"wire"},
    "command": {"wire", "messages"},
    "link": {"wire", "protocol", "command", "messages"},
    "front": {"wire", "command", "messages"},
}
EXCEPTIONS = {
    # module: (rooms, reason)
}
ROOMS = sorted(path.name for path in LIB.iterdir() if (path / "__init__.py").exists())
PURE = ("wire", "protocol", "suite", "schema")
EDGES = {
    "subprocess",
    "socket",
    "select",
    "selectors",
    "signal",
    "asyncio",
    "anyio",
    "httpx",
    "psutil",
    "time",
    "random",
}


@cache
def imported(path):
    """Every module that a file imports, wherever in the file."""
    names = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def files(room):
    return sorted((LIB / room).rglob("*.py"))


def rooms_of(path):
    parts = [name.split(".") for name in imported(path)]
    return {part[1] for part in parts if part[0] == "mcpeak" and len(part) > 1 and part[1] in ROOMS}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_it_may(room):
    wrong = {}
    for path in files(room):
        name = f"{room}/{path.relative_to(LIB / room)}"
        allowed = ALLOWED.get(room, PROGRAMS) | {room} | EXCEPTIONS.get(name, (set(), ""))[0]
        if rooms_of(path) - allowed:
            wrong[name] = sorted(rooms_of(path) - allowed)
    assert wrong == {}


@pytest.mark.parametrize("room", PURE)
def test_a_pure_room_knows_no_clock_process_or_chance(room):
    wrong = {
        str(path.relative_to(LIB)): sorted(EDGES & {name.split(".")[0] for name in imported(path)})
        for path in files(room)
    }
    assert {path: names for path, names in wrong.items() if names} == {}


def test_every_module_says_its_rule_at_its_head():
    silent = [
        str(path.relative_to(ROOT))
        for path in LIB.rglob("*.py")
        if path.read_text("utf-8").strip() and not ast.get_docstring(ast.parse(path.read_text("utf-8")))
    ]
    assert silent == []
