"""What to say about a value that offends its schema: the field, the rule, the value.

Rule of this file: pure. It gives codes and values; `messages/*/schema.toml` holds the sentences:
`say("schema", violation.code, **violation.values)`.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from mcpeak.schema.validator import Wrong
from mcpeak.wire.json import dumps_line

_CUT = 200
_LIMITS = {
    "minimum": "MINIMUM",
    "maximum": "MAXIMUM",
    "exclusiveMinimum": "EXCLUSIVE_MINIMUM",
    "exclusiveMaximum": "EXCLUSIVE_MAXIMUM",
    "minLength": "MIN_LENGTH",
    "maxLength": "MAX_LENGTH",
    "minItems": "MIN_ITEMS",
    "maxItems": "MAX_ITEMS",
    "minProperties": "MIN_PROPERTIES",
    "maxProperties": "MAX_PROPERTIES",
}
_FOREIGN = ("additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems")


class Violation(NamedTuple):
    """One way in which a value offends its schema. `path`: `city`, `days[0].high`; `$` is the whole value.

    `values` fill the sentence of `code`: always `path` and `actual` (short JSON), often `expected`.
    """

    code: str
    path: str
    values: dict[str, Any]


def explained(wrong: Wrong, whole: object = None) -> Iterator[Violation]:
    """Turn one of the library's reasons into ours; a list of foreign fields becomes one violation each.

    Args:
        wrong: the reason.
        whole: the value that was checked; only its root reasons need it.
    """
    detail, keyword = wrong.detail, wrong.keyword
    path = path_of(wrong.place)
    if keyword == "required":
        yield _violation(
            "REQUIRED", path_of((*wrong.place, detail["property"])), wrong, expected=detail["property"]
        )
    elif keyword == "falseSchema" and wrong.rule[-1:] == ("additionalProperties",):
        # without `properties` the library names the object, and of its fields only the first one's value
        for name, part in _members(whole, wrong.place):
            yield _violation("FOREIGN_FIELD", path_of((*wrong.place, name)), wrong, actual=short(part))
    elif keyword in _FOREIGN:
        for name in detail.get("unexpected", ["?"]):
            place = (*wrong.place, name if isinstance(name, str) else str(name))
            yield _violation("FOREIGN_FIELD", path_of(place), wrong, actual=_of(wrong.actual, name))
    elif keyword == "propertyNames":
        yield _violation("PROPERTY_NAME", path, wrong, actual=short(detail["error"].actual))
    elif keyword in ("anyOf", "oneOf"):
        yield _alternatives(wrong, path)
    else:
        code, expected = _rule(keyword, detail)
        yield _violation(code, path, wrong, expected=expected or wrong.message)


def _rule(keyword: str, detail: dict[str, Any]) -> tuple[str, str]:
    """Give the code of a keyword and what it asks for, in short."""
    if keyword in _LIMITS:
        return _LIMITS[keyword], short(detail["limit"])
    if keyword == "type":
        return "TYPE", ", ".join(detail["types"])
    if keyword == "enum":
        return "ENUM", ", ".join(short(option) for option in detail["options"])
    plain = {
        "const": ("CONST", "expected_value"),
        "pattern": ("PATTERN", "pattern"),
        "multipleOf": ("MULTIPLE_OF", "multiple_of"),
        "format": ("FORMAT", "format"),
        "not": ("NOT", "schema"),
    }
    if keyword in plain:
        code, key = plain[keyword]
        fact = detail.get(key, "")
        return code, fact if isinstance(fact, str) and keyword != "const" else short(fact)
    names = {"uniqueItems": "UNIQUE", "contains": "CONTAINS", "falseSchema": "NOTHING_ALLOWED"}
    return names.get(keyword, "RULE"), ""


def _alternatives(wrong: Wrong, path: str) -> Violation:
    """Explain anyOf and oneOf by the alternative that comes nearest."""
    branches = [branch for branch in wrong.detail.get("context", []) if branch]
    if not branches:
        return _violation("SEVERAL_MATCH", path, wrong)
    near = min(branches, key=lambda branch: (_of_another_type(branch, wrong), len(branch)))
    return _violation("NO_ALTERNATIVE", path, wrong, near=next(explained(near[0])), count=len(branches))


def _of_another_type(branch: list[Wrong], whole: Wrong) -> bool:
    return any(inner.keyword == "type" and inner.place == whole.place for inner in branch)


def _violation(code: str, path: str, wrong: Wrong, **values: Any) -> Violation:
    actual = {"actual": short(wrong.actual), "kind": kind_of(wrong.actual)}
    return Violation(code, path, actual | {"path": path, "expected": ""} | values)


def _members(value: object, place: tuple[str | int, ...]) -> list[tuple[str, Any]]:
    """List the fields of the object at a place."""
    found: Any = value
    for step in place:
        found = found[step]
    return list(found.items()) if isinstance(found, dict) else []


def path_of(place: tuple[str | int, ...]) -> str:
    """Write a place as people do: `city`, `days[0].high`; `$` is the whole value."""
    path = ""
    for step in place:
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
    return path.removeprefix(".") or "$"


def short(value: object) -> str:
    """Show a value as JSON, cut where it gets long."""
    try:
        text = msgspec.json.encode(value).decode()
    except (UnicodeEncodeError, OverflowError, msgspec.EncodeError, RecursionError):
        text = dumps_line(value).decode()
    return text if len(text) <= _CUT else f"{text[: _CUT - 1]}…"


def kind_of(value: object) -> str:
    """Name the JSON type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    return {dict: "object", list: "array", str: "string", float: "number"}.get(type(value), "number")


def _of(value: object, name: object) -> str:
    return short(value[name]) if isinstance(value, dict) and name in value else short(value)
