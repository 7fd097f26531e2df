"""An edge: a kept list of tools, for `--diff`: records of `mcpeak-tools`, or a tools/list result."""

import os
from typing import Any

from msgspec import Raw

from mcpeak.command.failure import InputError
from mcpeak.wire.json import JsonError, parse
from mcpeak.wire.reader import BadLine, CutStream, read
from mcpeak.wire.records import ToolRecord


def old_tools(path: str) -> list[dict[str, Any]]:
    """Read the tools of a kept list.

    Raises:
        InputError: the file cannot be read, or holds no list of tools.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as refused:
        raise InputError(
            "DIFF_UNREADABLE", room="tools", file=path, why=os.strerror(refused.errno or 0)
        ) from refused
    try:
        return [tool for tool in _tools(data) if isinstance(tool, dict)]
    except (BadLine, CutStream, JsonError) as wrong:
        raise InputError("DIFF_NOT_TOOLS", room="tools", file=path) from wrong


def _tools(data: bytes) -> list[Any]:
    try:
        value = parse(data)
    except JsonError:
        value = None
    if isinstance(value, dict) and isinstance(value.get("tools"), list):
        tools: list[Any] = value["tools"]
        return tools
    lines = data.splitlines(keepends=True)
    return [value_of(record.tool) for record, _ in read(lines) if isinstance(record, ToolRecord)]


def value_of(tool: Raw) -> Any:
    """Read a tool; one that holds what no reader takes (1e400) is none."""
    try:
        return parse(bytes(tool))
    except JsonError:
        return None
