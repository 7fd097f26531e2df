"""Small enough for one reading: modules, functions. An exception has its reason here."""

import ast

import pytest

from support.programs import ROOT

LIB = ROOT / "lib" / "mcpeak"
MODULE_LINES = 400
FUNCTION_LINES = 60
NINE_OF_TEN = 30
LONGER_MODULES = {
    "wire/records.py": "all records of the stream in one place is its point",
}
LONGER_FUNCTIONS: dict[str, str] = {}


def modules():
    return sorted(path for path in LIB.rglob("*.py") if path.stat().st_size)


def functions():
    """Every function with the lines of its body as written, by `file:name`."""
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(LIB)}:{node.name}", node.end_lineno - node.lineno + 1


def test_modules_fit_one_reading():
    long = {str(path.relative_to(LIB)): len(path.read_text("utf-8").splitlines()) for path in modules()}
    assert {
        name: lines for name, lines in long.items() if lines > MODULE_LINES and name not in LONGER_MODULES
    } == {}


def test_functions_fit_one_screen():
    assert {
        name: lines for name, lines in functions() if lines > FUNCTION_LINES and name not in LONGER_FUNCTIONS
    } == {}


def test_nine_of_ten_functions_are_short():
    lengths = sorted(lines for _, lines in functions())
    assert lengths[len(lengths) * 9 // 10] <= NINE_OF_TEN


@pytest.mark.parametrize(("named", "limit"), [(LONGER_FUNCTIONS, FUNCTION_LINES)])
def test_no_exception_outlives_its_reason(named, limit):
    now = dict(functions())
    assert [name for name in named if now.get(name, 0) <= limit] == []
