"""The first suite for a server: it passes as it is, and shows where to go on. Pure.

Rule of this file: nothing is called that might change something outside; the tool list is safe to ask for.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

SUFFIX = ".suite.json"


def file_name(server: str) -> str:
    """Name the file after the server: letters, digits and hyphens only."""
    return f"{identifier(server)}{SUFFIX}"


def identifier(server: str) -> str:
    """Make an id of a server's name."""
    return re.sub("[^a-z0-9]+", "-", server.lower()).strip("-")[:80] or "server"


def suite(server: str, tools: Sequence[str], case: str) -> dict[str, Any]:
    """Make a suite with one case, called `case`: every tool that the server has now is listed."""
    return {
        "schemaVersion": 1,
        "id": identifier(server),
        "name": server if server.strip() else "MCP server",
        "cases": [
            {
                "id": "tools-are-listed",
                "name": case,
                "operation": {"type": "listTools"},
                "assertions": [{"type": "toolExists", "tool": tool} for tool in tools],
            }
        ],
    }


def laid_out(made: dict[str, Any]) -> bytes:
    """Write a suite with two spaces and a final newline; a lone surrogate as its escape."""
    text = json.dumps(made, ensure_ascii=False, indent=2, allow_nan=False)
    return text.encode("utf-8", "backslashreplace") + b"\n"
