"""What no JSON can hold in a Python value: other types, keys that are no strings, cycles. No recursion."""

from typing import Any, Final

from mcpeak.suite.checks_operation import parts
from mcpeak.suite.paths import ROOT, Path
from mcpeak.suite.problem import Found, Problem

SCALARS: Final = (str, int, float, bool, type(None))


def no_json(value: Any) -> Found:
    """Find every part that JSON cannot hold; numbers beyond a double are a matter of their field's check."""
    found: Found = []
    todo = [iter([(value, ROOT)])]
    way = [0]  # ids of the holders on the way down: meeting one of them again is a cycle
    opened = set(way)
    while todo:
        for part, path in todo[-1]:
            if isinstance(part, dict | list):
                if id(part) in opened:
                    found.append(Problem("INVALID_JSON_VALUE", path, "VALUE_CYCLE"))
                    continue
                _keys(found, part, path)
                way.append(id(part))
                opened.add(id(part))
                todo.append(parts(part, path))
                break
            if type(part) not in SCALARS:
                kind = type(part).__name__
                found.append(Problem("INVALID_JSON_VALUE", path, "VALUE_NO_JSON", {"kind": kind}))
        else:
            todo.pop()
            opened.discard(way.pop())
    return found


def _keys(found: Found, holder: dict[Any, Any] | list[Any], path: Path) -> None:
    if isinstance(holder, dict):
        for key in holder:
            if type(key) is not str:
                values = {"key": repr(key)}
                found.append(Problem("INVALID_JSON_VALUE", path, "KEY_NO_TEXT", values))
