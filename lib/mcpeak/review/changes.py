"""What two suites differ in, as lines for people.

Rule of this file: pure; `-` goes, `+` comes, ` ` stands around it, `@` says where.
"""

import json
from difflib import unified_diff
from typing import Any

from mcpeak.wire.json import dumps_line

AROUND = 2


def pretty(value: Any) -> str:
    """Write a JSON value for reading and editing; one that is nested too deeply on a single line."""
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except RecursionError:
        return dumps_line(value).decode().rstrip("\n")


def difference(before: Any, after: Any) -> list[str]:
    """Give the lines that differ between two values, with what stands around them; empty: nothing differs."""
    lines = unified_diff(pretty(before).splitlines(), pretty(after).splitlines(), lineterm="", n=AROUND)
    return [line for line in lines if not line.startswith(("---", "+++"))]
