"""Tools for people: `get_weather(city: string, unit?: "C" | "F")` and what the tool says of itself. Pure."""

from typing import Any

from mcpeak.command.text import clean, cut

WIDE = 96  # code points of a description; the rest is in the records
FEW = 4  # values of an enum that are named


def page(tools: list[dict[str, Any]]) -> str:
    """Write all tools, in the server's order; how they are shaped is not taken for granted."""
    return "".join(f"{line}\n" for tool in tools for line in _lines(tool))


def _lines(tool: dict[str, Any]) -> list[str]:
    schema = tool.get("inputSchema")
    shown = [
        clean(f"{tool.get('name')}({', '.join(_arguments(schema if isinstance(schema, dict) else {}))})")
    ]
    said = tool.get("description") or tool.get("title")
    if isinstance(said, str) and said.strip():
        shown.append(f"    {cut(clean(' '.join(said.split())), WIDE)}")
    return shown


def _arguments(schema: dict[str, Any]) -> list[str]:
    fields, required = schema.get("properties"), schema.get("required")
    if not isinstance(fields, dict):
        return []
    needed = required if isinstance(required, list) else []
    first = [name for name in fields if name in needed]
    rest = [name for name in fields if name not in needed]
    return [f"{name}: {_kind(fields[name])}" for name in first] + [
        f"{name}?: {_kind(fields[name])}" for name in rest
    ]


def _kind(field: Any) -> str:
    """Say what a field takes, as far as its own `enum` or `type` says it."""
    from mcpeak.wire.json import dumps_line

    if not isinstance(field, dict):
        return "any"
    values = field.get("enum")
    if isinstance(values, list) and values:
        more = [" …"] if len(values) > FEW else []
        return " |".join([f" {dumps_line(value).decode().strip()}" for value in values[:FEW]] + more).strip()
    kind = field.get("type")
    words = kind if isinstance(kind, list) else [kind]
    return " | ".join(word for word in words if isinstance(word, str)) or "any"
