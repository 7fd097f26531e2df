"""A case added to a suite's text; everything else in the file stays as it is written. Pure."""

import re
from typing import Any

from mcpeak.wire.json import pretty

_STEPS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{\]}]')


def identifier(tool: str, taken: set[str]) -> str:
    """Make an id of a tool's name that the suite does not have yet."""
    base = re.sub("[^a-z0-9]+", "-", tool.lower()).strip("-") or "case"
    number, made = 2, base
    while made in taken:
        made, number = f"{base}-{number}", number + 1
    return made


def new_suite(name: str, case: dict[str, Any]) -> str:
    """Write a suite of one case, called `name`."""
    suite = {"schemaVersion": 1, "id": identifier(name, set()), "name": name, "cases": [case]}
    return pretty(suite) + "\n"


def added(text: str, last: int, case: dict[str, Any]) -> str:
    """Put a case behind the last one of a valid suite's text, in the layout of its neighbour.

    Args:
        text: the suite's text.
        last: offset of the last case in it.
        case: the case to add.
    """
    end = _end(text, last)
    before = text[text.rfind("\n", 0, last) + 1 : last]
    if before.strip():
        return f"{text[:end]}, {pretty(case, None)}{text[end:]}"
    written = pretty(case).replace("\n", f"\n{before}")
    return f"{text[:end]},\n{before}{written}{text[end:]}"


def _end(text: str, start: int) -> int:
    """Find where an object ends that begins at `start`, whatever its depth."""
    depth = 0
    for step in _STEPS.finditer(text, start):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(step[0], 0)
        if depth == 0:
            return step.end()
    return len(text)
