"""Whether a case's input is what its tool's inputSchema asks for, and whether its tool may destroy something.

Rule of this file: pure. It tells and refuses nothing: a case that expects an error may want a wrong input.
"""

from typing import TYPE_CHECKING, Any

from mcpeak.messages import label, say

if TYPE_CHECKING:
    from mcpeak.schema.explain import Violation

MOST = 5

Tools = dict[str, dict[str, Any]]


def misfits(case: dict[str, Any], tools: Tools) -> list[str]:
    """Give what of a case's input does not fit, as sentences; empty: it fits, or nobody knows its schema."""
    tool = _tool_of(case, tools)
    if "inputSchema" not in tool:
        return []
    from mcpeak.schema.check import checker  # late: its validator takes some 40 ms to import

    found = checker(tool["inputSchema"]).violations(case["operation"]["input"], MOST)
    return [_sentence(each) for each in found]


def _sentence(one: "Violation") -> str:
    values = dict(one.values)
    if one.code == "TYPE":
        values["expected"] = ", ".join(_type(name) for name in values["expected"].split(", "))
    if "near" in values:
        values["near"] = _sentence(values["near"])
    return say("schema", one.code, **values | {"kind": _type(values["kind"])}).message


def _type(name: str) -> str:
    return label("schema", f"type_{name}")


def wants_error(case: dict[str, Any]) -> bool:
    """Tell whether a case expects an error."""
    return {"type": "isError", "expected": True} in case["assertions"]


def destructive(case: dict[str, Any], tools: Tools) -> str | None:
    """Give the name of a case's tool when it says of itself that it is destructive."""
    said = _tool_of(case, tools).get("annotations")
    if isinstance(said, dict) and said.get("destructiveHint") is True:
        return str(case["operation"]["tool"])
    return None


def _tool_of(case: dict[str, Any], tools: Tools) -> dict[str, Any]:
    operation = case["operation"]
    return tools.get(operation["tool"], {}) if operation["type"] == "callTool" else {}
