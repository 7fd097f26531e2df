"""Response schemas that are accepted but can never match (CONTRACT §1, **better**): a notice says so."""

import math
from typing import Any

from mcpeak.suite.matcher import match

Reason = tuple[str, dict[str, Any]]  # the catalogue's entry, its values


def reason_against(schema: dict[str, Any]) -> Reason | None:
    """Tell why one valid node of a schema can never match, if that is plain to see."""
    return _bounds(schema) or _keys(schema) or _words(schema)


def _bounds(schema: dict[str, Any]) -> Reason | None:
    low, high = schema.get("minLength"), schema.get("maxLength")
    if low is not None and high is not None and low > high:
        return _over("minLength", low, "maxLength", high)
    if high is not None and "stringContains" in schema and len(schema["stringContains"]) > high:
        return "NEVER_CONTAINS", {"high": high, "length": len(schema["stringContains"])}
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None or high is None:
        return None
    if low > high:
        return _over("minimum", low, "maximum", high)
    if schema["type"] == "integer" and math.ceil(low) > math.floor(high):
        return "NEVER_INTEGER", {"low": low, "high": high}
    return None


def _over(low_name: str, low: Any, high_name: str, high: Any) -> Reason:
    return "NEVER_BOUNDS", {"low_name": low_name, "low": low, "high_name": high_name, "high": high}


def _keys(schema: dict[str, Any]) -> Reason | None:
    if schema.get("additionalProperties") is False:
        properties = schema.get("properties", {})
        for name in schema.get("required", ()):
            if name not in properties:
                return "NEVER_REQUIRED", {"field": name}
    return None


def _words(schema: dict[str, Any]) -> Reason | None:
    """Ask the matcher itself whether the listed values pass the rest of the node."""
    if "const" in schema:
        rest = {key: part for key, part in schema.items() if key != "const"}
        return None if _passes(rest, schema["const"]) else ("NEVER_CONST", {})
    if "enum" in schema:
        rest = {key: part for key, part in schema.items() if key != "enum"}
        return None if any(_passes(rest, word) for word in schema["enum"]) else ("NEVER_ENUM", {})
    return None


def _passes(schema: dict[str, Any], value: Any) -> bool:
    return match(schema, value).total == 0
