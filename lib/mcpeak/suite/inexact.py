"""Numbers of a suite that a double cannot hold (CONTRACT §2, **better**): where they are."""

from typing import Any

from mcpeak.suite.canonical import EXACT, number
from mcpeak.suite.checks_operation import parts
from mcpeak.suite.numbers import is_held
from mcpeak.suite.paths import ROOT, Path
from mcpeak.suite.problem import Found, Problem
from mcpeak.wire.scan import scan


def inexact(text: str) -> Found:
    """Find them all, in the order of the text; numbers in `approval` do not enter the fingerprint."""
    found: Found = []
    for path, written in _numbers(text):
        if not is_held(written):
            values = {"written": written, "held": number(float(written))}
            found.append(Problem("NUMBER_NOT_EXACT", path, values=values))
    return found


def _numbers(text: str) -> list[tuple[Path, str]]:
    """List each number as written, with its path."""
    found: list[tuple[Path, str]] = []
    holders: list[
        tuple[Path, int | None]
    ] = []  # path of each open bracket; index of the next element, if a list
    path: Path = ROOT
    for kind, at, end, value in scan(text, infinite=True):
        if kind in ("}", "]"):
            holders.pop()
            continue
        if kind == "key":
            path = (holders[-1][0], value)
            continue
        if holders and holders[-1][1] is not None:
            holder, index = holders[-1]
            path = (holder, index or 0)
            holders[-1] = (holder, (index or 0) + 1)
        if kind != "value":
            holders.append((path, 0 if kind == "[" else None))
        elif type(value) in (int, float):
            found.append((path, text[at:end]))
    return found


def inexact_integers(suite: dict[str, Any]) -> Found:
    """Find the integers of a Python value that are no doubles; a float is one by nature."""
    found: Found = []
    todo = [iter([(suite, ROOT)])]
    while todo:
        for part, path in todo[-1]:
            if isinstance(part, dict | list):
                todo.append(parts(part, path))
                break
            if type(part) is int and not -EXACT <= part <= EXACT and float(part) != part:
                values = {"written": str(part), "held": number(part)}
                found.append(Problem("NUMBER_NOT_EXACT", path, values=values))
        else:
            todo.pop()
    return found
