"""Equality of JSON values: key order free, 1 equals 1.0, true is not 1 (CONTRACT §3). No recursion."""

from typing import Any


def equal(one: Any, other: Any) -> bool:
    """Tell whether two parsed JSON values are equal; integers compare exactly, not through a double."""
    if isinstance(one, str):
        return isinstance(other, str) and one == other
    todo = [(one, other)]
    while todo:
        a, b = todo.pop()
        if isinstance(a, dict):
            if not isinstance(b, dict) or a.keys() != b.keys():
                return False
            todo.extend((value, b[key]) for key, value in a.items())
        elif isinstance(a, list):
            if not isinstance(b, list) or len(a) != len(b):
                return False
            todo.extend(zip(a, b, strict=True))
        elif isinstance(a, bool) or isinstance(b, bool):
            if a is not b:
                return False
        elif isinstance(b, dict | list) or a != b:
            return False
    return True
