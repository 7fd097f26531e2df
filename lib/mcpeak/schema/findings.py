"""Where a case itself contradicts the tool that it calls (`RunnerReport.spec.findings`, vectors/report.json).

Rule of this file: pure; facts only, no values of the user's input (they may be secret), no words.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from mcpeak.schema.check import checker
from mcpeak.schema.explain import Violation
from mcpeak.wire.records import Finding

MOST = 20  # findings of one case
_CODES = {
    "REQUIRED": "REQUIRED_ARGUMENT_MISSING",
    "FOREIGN_FIELD": "ARGUMENT_NOT_DECLARED",
    "TYPE": "ARGUMENT_TYPE_MISMATCH",
    "ENUM": "ARGUMENT_NOT_IN_ENUM",
    "CONST": "ARGUMENT_NOT_IN_ENUM",
}
_RANGES = (
    "MINIMUM",
    "MAXIMUM",
    "EXCLUSIVE_MINIMUM",
    "EXCLUSIVE_MAXIMUM",
    "MIN_LENGTH",
    "MAX_LENGTH",
    "MIN_ITEMS",
    "MAX_ITEMS",
)


def findings(cases: Iterable[tuple[dict[str, Any], str]], tools: Sequence[dict[str, Any]]) -> list[Finding]:
    """List what the cases that did not pass have against the tools' schemas.

    Args:
        cases: each case as written with its status, in the suite's order.
        tools: the tools as the server advertises them.
    """
    declared = {tool["name"]: tool for tool in tools if isinstance(tool.get("name"), str)}
    found: list[Finding] = []
    for case, status in cases:
        if status != "passed" and case["operation"]["type"] == "callTool":
            found += _of_case(case, declared)
    return found


def _of_case(case: dict[str, Any], declared: dict[str, dict[str, Any]]) -> list[Finding]:
    name = case["operation"]["tool"]
    tool = declared.get(name)
    if tool is None:
        detail = {"tool": name, "nearest": _nearest(name, declared), "declared": len(declared)}
        return [_finding(case, "TOOL_NOT_DECLARED", "blocking", "operation.tool", detail)]
    schema = tool.get("inputSchema")
    check = checker(schema)
    if not isinstance(schema, dict) or check.problem is not None or not _tells_something(schema):
        return [_finding(case, "SCHEMA_NOT_ANALYZABLE", "advisory", "operation.tool", {"tool": name})]
    if _expects_rejection(case):
        return []  # its input is wrong on purpose
    given = case["operation"]["input"]
    wrong = [
        _of_violation(case, name, schema, each)
        for each in _first_of_each_place(check.violations(given, MOST))
    ]
    return wrong + list(_undeclared(case, name, schema, {each.path for each in wrong}))


def _tells_something(schema: dict[str, Any]) -> bool:
    """Tell whether a schema says anything about arguments: `{"type": "object"}` alone does not."""
    return bool(schema.keys() - {"type", "$schema", "title", "description", "$id", "$comment"})


def _expects_rejection(case: dict[str, Any]) -> bool:
    wanted = [each["expected"] for each in case["assertions"] if each["type"] == "isError"]
    return bool(wanted) and all(wanted)


def _first_of_each_place(violations: list[Violation]) -> Iterable[Violation]:
    """Keep one contradiction a place: what has the wrong type need not be told that it is not in the enum."""
    kept: dict[str, Violation] = {}
    for each in violations:
        if each.path not in kept or each.code == "TYPE":
            kept[each.path] = each
    return kept.values()


def _of_violation(case: dict[str, Any], tool: str, schema: dict[str, Any], each: Violation) -> Finding:
    code = _CODES.get(each.code, "ARGUMENT_OUT_OF_RANGE" if each.code in _RANGES else "ARGUMENT_INVALID")
    place = "operation.input" if each.path == "$" else f"operation.input.{each.path}"
    detail = {
        "tool": tool,
        "name": each.path,
        "expected": each.values["expected"],
        "kind": each.values["kind"],
        "rule": each.code,
    }
    if code == "ARGUMENT_NOT_DECLARED":
        detail["nearest"] = _nearest(each.path, _properties(schema))
    return _finding(case, code, "blocking", place, detail)


def _undeclared(case: dict[str, Any], tool: str, schema: dict[str, Any], told: set[str]) -> Iterator[Finding]:
    """Find arguments that the schema lets pass but does not know: most often a typing mistake."""
    known = _properties(schema)
    open_ended = {"patternProperties", "$ref", "allOf", "anyOf", "oneOf"} & schema.keys()
    if not known or open_ended or isinstance(schema.get("additionalProperties"), dict):
        return
    for name in case["operation"]["input"]:
        if name not in known and f"operation.input.{name}" not in told:
            detail = {"tool": tool, "name": name, "nearest": _nearest(name, known)}
            yield _finding(case, "ARGUMENT_NOT_DECLARED", "advisory", f"operation.input.{name}", detail)


def _properties(schema: dict[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _nearest(name: str, known: Iterable[str]) -> str:
    """Find the known name that is most like this one, or nothing when none is."""
    from difflib import get_close_matches  # late: only for a name that is wrong

    return next(iter(get_close_matches(name, known, 1)), "")


def _finding(case: dict[str, Any], code: str, severity: str, path: str, detail: dict[str, Any]) -> Finding:
    return Finding(code=code, severity=severity, case_id=case["id"], path=path, detail=detail)
