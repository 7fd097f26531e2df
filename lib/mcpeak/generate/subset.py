"""An output schema, said in the subset of response schemas that a suite may hold (CONTRACT §1), or None.

Rule of this file: only what means exactly the same is said; a schema that needs more is not asserted at all.
Annotations are left out, local references that do not recur are put in place.
"""

from typing import Any

ANNOTATIONS = frozenset(
    (
        *(
            "$schema",
            "$id",
            "$comment",
            "$defs",
            "definitions",
            "title",
            "description",
            "default",
            "examples",
        ),
        *("deprecated", "readOnly", "writeOnly", "format", "x-fastmcp-wrap-result"),
    )
)
"""Keywords that a response schema can do without: they assert nothing (`format` only when asked to)."""

NEEDS: dict[str, tuple[str, ...]] = {
    "object": ("properties", "required", "additionalProperties"),
    "array": ("items", "minItems"),
    "string": ("minLength", "maxLength"),
    "number": ("minimum", "maximum"),
    "integer": ("minimum", "maximum"),
    "boolean": (),
    "null": (),
}
ANY_TYPE = ("const", "enum")


class Beyond(Exception):  # noqa: N818 - the answer "not in the subset"
    """The schema cannot be said. `keyword`: the first that stands in the way."""

    def __init__(self, keyword: str) -> None:
        super().__init__(keyword)
        self.keyword = keyword


def response_schema(schema: object) -> dict[str, Any]:
    """Say a schema in the subset.

    Raises:
        Beyond: it cannot be said there.
    """
    said = _said(schema, schema, ())
    if not _accepted(said):
        raise Beyond("type")
    return said


def _accepted(schema: dict[str, Any]) -> bool:
    """Ask the checker of suites, which has the last word."""
    from mcpeak.suite.read import ReadSuite, read_suite
    from mcpeak.wire.json import dumps_line

    assertion = {"type": "structuredContentMatchesSchema", "schema": schema}
    case = {
        "id": "c",
        "name": "n",
        "operation": {"type": "callTool", "tool": "t", "input": {}},
        "assertions": [assertion],
    }
    suite = {"schemaVersion": 1, "id": "s", "name": "n", "cases": [case]}
    return isinstance(read_suite(dumps_line(suite), "-"), ReadSuite)


def _said(schema: object, root: object, following: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(schema, dict):
        raise Beyond(str(schema).lower())
    words = {key: value for key, value in schema.items() if key not in ANNOTATIONS}
    if set(words) == {"$ref"}:
        return _followed(words["$ref"], root, following)
    kind = words.get("type")
    allowed = NEEDS.get(kind, ()) if isinstance(kind, str) else ()
    for key in sorted(words):
        if key != "type" and key not in ANY_TYPE and key not in allowed:
            raise Beyond(key)
    if not words or ("type" in words and not (isinstance(kind, str) and kind in NEEDS)):
        raise Beyond("type")
    return {
        key: _value(key, value, root, following) for key, value in words.items() if not _empty(key, value)
    }


def _value(key: str, value: Any, root: object, following: tuple[str, ...]) -> Any:
    if key == "properties":
        if not isinstance(value, dict):
            raise Beyond(key)
        return {name: _said(each, root, following) for name, each in value.items()}
    if key == "items" or (key == "additionalProperties" and not isinstance(value, bool)):
        return _said(value, root, following)
    return value


def _empty(key: str, value: Any) -> bool:
    """Tell whether a keyword asserts nothing, and would be refused in a suite."""
    return key in ("properties", "required") and not value


def _followed(reference: object, root: object, following: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(reference, str) or not reference.startswith("#/") or reference in following:
        raise Beyond("$ref")
    found: Any = root
    for word in reference[2:].split("/"):
        key = word.replace("~1", "/").replace("~0", "~")
        if not isinstance(found, dict) or key not in found:
            raise Beyond("$ref")
        found = found[key]
    return _said(found, root, (*following, reference))
