"""How a saved suite is laid out (CONTRACT §7: Saving).

Rule of this file: pure; a suite in, its bytes out. Values stay as they are, whatever their size or letters.
"""

import json
from typing import Any

from mcpeak.wire.json import dumps_line

ORDER = ("schemaVersion", "id", "name", "approval", "defaultTimeoutMs", "cases")


def approved(suite: dict[str, Any], fingerprint: str, statuses: list[dict[str, str]]) -> dict[str, Any]:
    """Give the suite with its approval block, its keys in order."""
    block: dict[str, Any] = {"fingerprint": fingerprint}
    if statuses:
        block["cases"] = statuses
    marked = suite | {"approval": block}
    first = {key: marked[key] for key in ORDER if key in marked}
    return first | {key: value for key, value in marked.items() if key not in first}


def laid_out(suite: dict[str, Any]) -> bytes:
    """Write a suite with two spaces and a final newline; what is nested too deeply for that on one line."""
    try:
        text = json.dumps(suite, ensure_ascii=False, indent=2, allow_nan=False)
    except (RecursionError, ValueError):
        return dumps_line(suite).rstrip(b"\n") + b"\n"
    return text.encode("utf-8", "backslashreplace") + b"\n"  # a lone surrogate becomes \udxxx, as in ES2019
