"""The checks of a case's assertions (CONTRACT §1, Assertion)."""

from typing import Any, Final

from mcpeak.suite.checks_schema import Nodes, check_schema
from mcpeak.suite.nearest import nearest
from mcpeak.suite.paths import Path
from mcpeak.suite.problem import Found, Problem, missing, text_field, unknown_fields, unknown_word, wrong_type

ASSERTIONS: Final = {
    "toolExists": ("type", "tool"),
    "isError": ("type", "expected"),
    "bodyMatchesSchema": ("type", "schema"),
    "structuredContentMatchesSchema": ("type", "schema"),
}
FITTING: Final = {
    "listTools": ("toolExists",),
    "callTool": ("isError", "bodyMatchesSchema", "structuredContentMatchesSchema"),
}
_TYPE_ONLY: Final = ("type",)


def check_assertions(
    found: Found, nodes: Nodes, case: dict[str, Any], path: Path, operation: str | None, *, infinite: bool
) -> None:
    """Check a case's assertions. `operation`: its operation's type where that is a string."""
    assertions = case.get("assertions")
    here = (path, "assertions")
    if "assertions" not in case:
        missing(found, path, "assertions")
    elif not isinstance(assertions, list):
        wrong_type(found, here, "list", assertions)
    elif not assertions:
        found.append(Problem("EMPTY_ASSERTIONS", here))
    else:
        for index, assertion in enumerate(assertions):
            if not isinstance(assertion, dict):
                wrong_type(found, (here, index), "object", assertion)
            elif _fits(found, assertion, (here, index), operation):
                _content(found, nodes, assertion, (here, index), infinite=infinite)


def _fits(found: Found, assertion: dict[str, Any], path: Path, operation: str | None) -> bool:
    """Check the type of an assertion; say whether its other fields are worth a look."""
    kind = assertion.get("type")
    if operation is not None:
        fitting = FITTING.get(operation, ())
        if kind in fitting:
            return True
        _incompatible(found, assertion, path, operation)
    elif "type" not in assertion:
        missing(found, path, "type")
    elif not isinstance(kind, str):
        wrong_type(found, (path, "type"), "text", kind)
    elif kind in ASSERTIONS:
        return True
    else:
        unknown_word(found, (path, "type"), kind, tuple(ASSERTIONS))
        unknown_fields(found, assertion, _TYPE_ONLY, path)
    return False


def _incompatible(found: Found, assertion: dict[str, Any], path: Path, operation: str) -> None:
    kind = assertion.get("type")
    fitting = FITTING.get(operation, ())
    near = nearest(kind, fitting) if isinstance(kind, str) else None
    if not fitting:
        words = "INCOMPATIBLE_ASSERTION_ANY"
    elif "type" not in assertion:
        words = "ASSERTION_WITHOUT_TYPE"
    elif kind in tuple(ASSERTIONS):  # a tuple, as `type` may be unhashable
        words = "INCOMPATIBLE_ASSERTION"
    else:
        words = "INCOMPATIBLE_ASSERTION_NEAR" if near else "INCOMPATIBLE_ASSERTION_WORD"
    values = {"actual": kind, "operation": operation, "allowed": fitting, "near": near}
    found.append(Problem("INCOMPATIBLE_ASSERTION", path, words, values))


def _content(found: Found, nodes: Nodes, assertion: dict[str, Any], path: Path, *, infinite: bool) -> None:
    kind = assertion["type"]
    if kind == "toolExists":
        text_field(found, assertion, "tool", path)
    elif kind == "isError":
        expected = assertion.get("expected")
        if "expected" not in assertion:
            missing(found, path, "expected")
        elif expected is not True and expected is not False:
            wrong_type(found, (path, "expected"), "boolean", expected)
    elif "schema" not in assertion:
        missing(found, path, "schema")
    else:
        check_schema(found, nodes, assertion["schema"], (path, "schema"), infinite=infinite)
    unknown_fields(found, assertion, ASSERTIONS[kind], path)
