"""The words of the definition format: which keys there are and what each may hold.

Rule of this file: tables, and how to read them; a test compares them with schemas/mock.schema.json.
"""

from mcpeak.mock.faults import KINDS

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")

DEFINITION = {
    "$schema": "string",
    "tools": "array",
    "responses": "array",
    "serverInfo": "object",
    "instructions": "string",
    "resources": "array",
    "resourceTemplates": "array",
    "prompts": "array",
    "completions": "object",
    "pageSize": "positive",
    "faults": "object",
}
REPLY = {
    "result": "any",
    "isError": "boolean",
    "content": "array",
    "structuredContent": "any",
    "error": "object",
    "delayMs": "count",
    "progress": "array",
    "log": "array",
    "ask": "rounds",
    "requires": "object",
    "notify": "array",
    "fault": "fault",
    "template": "boolean",
}
RESPONSE = {"tool": "string", "args": "object", "when": "schema", "sequence": "array"} | REPLY
ANSWERS = ("result", "content", "structuredContent", "error", "fault")
ERROR = {"code": "integer", "message": "string", "data": "any"}
PROGRESS = {"progress": "number", "total": "number", "message": "string", "afterMs": "count"}
LOG = {"level": "level", "data": "any", "logger": "string", "afterMs": "count"}
NOTIFY = {"method": "string", "params": "object"}
ASK = {"method": "string", "params": "object"}
TOOL = (
    "name",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
    "icons",
    "_meta",
    "execution",
)

_WHOLE = 2**31 - 1


def fits(kind: str, value: object) -> bool:  # noqa: PLR0911 - one line a kind reads as the table it is
    """Tell whether a value is of a kind that the tables name."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if kind == "any":
        return True
    if kind in ("object", "array", "string", "boolean"):
        return isinstance(value, {"object": dict, "array": list, "string": str, "boolean": bool}[kind])
    if kind == "number":
        return whole or isinstance(value, float)
    if kind == "schema":
        return isinstance(value, dict | bool)
    if kind == "level":
        return value in LEVELS
    if kind == "fault":
        return value in KINDS or (isinstance(value, dict) and _is_detailed_fault(value))
    if kind == "rounds":
        rounds = value if isinstance(value, list) else [value]
        return bool(rounds) and all(isinstance(one, dict) and one for one in rounds)
    if kind == "integer":
        return whole
    return whole and (1 if kind == "positive" else 0) <= value <= _WHOLE  # type: ignore[operator]  # whole says int


def _is_detailed_fault(value: dict[str, object]) -> bool:
    counts = (value.get("after", 0), value.get("exitCode", 1))
    return value.get("kind") in KINDS and all(fits("count", count) for count in counts)


def kind_of(value: object) -> str:
    """Name the JSON type of a value, as the catalogue's labels do."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    names = {dict: "object", list: "array", tuple: "array", str: "string", int: "number", float: "number"}
    return names.get(type(value), "other")
