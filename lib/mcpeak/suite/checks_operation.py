"""The checks of a case's operation (CONTRACT §1, Operation)."""

from collections.abc import Iterator
from typing import Any, Final

from mcpeak.suite.paths import Path
from mcpeak.suite.problem import Found, Problem, missing, text_field, unknown_fields, unknown_word, wrong_type

OPERATIONS: Final = {"listTools": ("type",), "callTool": ("type", "tool", "input")}
_TYPE_ONLY: Final = ("type",)


def check_operation(found: Found, case: dict[str, Any], path: Path, *, infinite: bool) -> str | None:
    """Check a case's operation; give its type if that is a string, known or not."""
    if "operation" not in case:
        missing(found, path, "operation")
        return None
    operation = case["operation"]
    here = (path, "operation")
    if not isinstance(operation, dict):
        wrong_type(found, here, "object", operation)
        return None
    if "type" not in operation:
        missing(found, here, "type")
        return None
    kind = operation["type"]
    if kind == "callTool":
        text_field(found, operation, "tool", here)
        _input(found, operation, here, infinite=infinite)
        unknown_fields(found, operation, OPERATIONS["callTool"], here)
    else:
        if kind != "listTools":
            unknown_word(found, (here, "type"), kind, tuple(OPERATIONS))
        unknown_fields(found, operation, _TYPE_ONLY, here, OPERATIONS)
    return kind if isinstance(kind, str) else None


def _input(found: Found, operation: dict[str, Any], path: Path, *, infinite: bool) -> None:
    if "input" not in operation:
        missing(found, path, "input")
        return
    value = operation["input"]
    here = (path, "input")
    if not isinstance(value, dict):
        values = {"expected": "object", "actual": value}
        found.append(Problem("INVALID_JSON_VALUE", here, "INPUT_NO_OBJECT", values))
    elif infinite:
        json_only(found, value, here)


def json_only(found: Found, value: Any, path: Path) -> None:
    """Report every number in a value that JSON cannot hold, in the order of the value."""
    todo: list[Iterator[tuple[Any, Path]]] = [iter(((value, path),))]
    while todo:
        for part, here in todo[-1]:
            if isinstance(part, dict | list):
                todo.append(parts(part, here))
                break
            if not is_finite(part):
                found.append(Problem("INVALID_JSON_VALUE", here, values={"actual": part}))
        else:
            todo.pop()


def parts(holder: dict[str, Any] | list[Any], path: Path) -> Iterator[tuple[Any, Path]]:
    """Yield what an object or array holds, each with its path."""
    if isinstance(holder, dict):
        for key, value in holder.items():
            yield value, (path, key)
    else:
        for index, value in enumerate(holder):
            yield value, (path, index)


def is_finite(value: Any) -> bool:
    """Tell whether a value is no number beyond a double."""
    try:
        return not isinstance(value, int | float) or float(value) - float(value) == 0
    except OverflowError:
        return False
