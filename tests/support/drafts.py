"""Drafting in tests: the pure part, with names that say nothing."""

import json
from typing import Any

from mcpeak.generate.draft import Draft, draft
from mcpeak.generate.fixtures import Fixtures
from support.programs import DATA


def drafted(tools: list[Any], fixtures: dict[str, Any] | None = None) -> Draft:
    return draft(tools, Fixtures(fixtures or {}), lambda kind, tool, field: f"{tool} {kind} {field}")


def tool(name: str = "t", **schema: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object", **schema}}


def inputs(made: Draft) -> dict[str, Any]:
    return {case["id"]: case["operation"]["input"] for case in made.cases}


def lists() -> dict[str, list[Any]]:
    """The tool lists of real servers, by name."""
    found = sorted((DATA / "peers" / "toolslists").glob("*.json"))
    return {path.stem: json.loads(path.read_bytes())["tools"] for path in found}
