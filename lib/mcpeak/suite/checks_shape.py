"""The checks of what stands under each keyword of a response schema (CONTRACT §1), in telling order."""

from collections.abc import Callable
from typing import Any, Final

from mcpeak.suite.canonical import EXACT
from mcpeak.suite.checks_operation import is_finite
from mcpeak.suite.paths import Path
from mcpeak.suite.problem import Found, Problem, is_blank, wrong_type


def _required(found: Found, names: Any, path: Path) -> None:
    if not isinstance(names, list):
        wrong_type(found, path, "list", names)
        return
    if not names:
        found.append(Problem("INVALID_VALUE", path, "EMPTY_REQUIRED"))
    for index, name in enumerate(names):
        if not isinstance(name, str):
            wrong_type(found, (path, index), "text", name)
        elif is_blank(name):
            found.append(Problem("INVALID_VALUE", (path, index), "BLANK_TEXT", {"field": "required"}))


def _count(found: Found, count: Any, path: Path) -> None:
    number = isinstance(count, int | float) and not isinstance(count, bool)
    if not (number and 0 <= count < EXACT and count == int(count)):
        found.append(Problem("INVALID_VALUE", path, "BAD_COUNT", {"actual": count}))


def _bound(found: Found, bound: Any, path: Path) -> None:
    if isinstance(bound, bool) or not isinstance(bound, int | float) or not is_finite(bound):
        found.append(Problem("INVALID_VALUE", path, "BAD_BOUND", {"actual": bound}))


def _contained(found: Found, text: Any, path: Path) -> None:
    if not isinstance(text, str):
        wrong_type(found, path, "text", text)
    elif is_blank(text):
        found.append(Problem("INVALID_VALUE", path, "BLANK_TEXT", {"field": "stringContains"}))


def _properties(found: Found, properties: Any, path: Path) -> None:
    if not isinstance(properties, dict):
        wrong_type(found, path, "object", properties)
    elif not properties:
        found.append(Problem("INVALID_VALUE", path, "EMPTY_PROPERTIES"))


SHAPES: Final[dict[str, Callable[[Found, Any, Path], None]]] = {
    "required": _required,
    "minItems": _count,
    "minLength": _count,
    "maxLength": _count,
    "minimum": _bound,
    "maximum": _bound,
    "stringContains": _contained,
    "properties": _properties,
}
