"""The checks of a whole suite, in the order in which problems are told (CONTRACT §1).

Rule of these files (`checks*.py`): pure; every problem is found, none stops the others but a root that is no
object and `cases` that are no list.
"""

import re
from typing import Any, Final

from mcpeak.suite.checks_assertion import check_assertions
from mcpeak.suite.checks_operation import check_operation
from mcpeak.suite.checks_schema import Nodes
from mcpeak.suite.paths import ROOT, Path
from mcpeak.suite.problem import Found, Problem, is_blank, missing, text_field, unknown_fields, wrong_type

SUITE_FIELDS: Final = ("schemaVersion", "id", "name", "approval", "defaultTimeoutMs", "cases")
CASE_FIELDS: Final = ("id", "name", "timeoutMs", "operation", "assertions")
APPROVAL_FIELDS: Final = ("fingerprint", "cases")
APPROVED_FIELDS: Final = ("id", "status")
APPROVED_STATUSES: Final = ("passed", "serverDefect")
LONGEST_TIMEOUT: Final = 2**31 - 1

_FINGERPRINT = re.compile(r"[0-9a-f]{64}")


def check(suite: Any, *, infinite: bool = True) -> tuple[Found, Found]:
    """Find the problems of a parsed suite, and what is allowed but can hardly be meant.

    Args:
        suite: the parsed document.
        infinite: whether it may hold a number beyond a double (as ±inf); False saves the search.

    Returns:
        The problems in order; the doubts in order, where there is no problem.
    """
    found: Found = []
    nodes: Nodes = []
    if not isinstance(suite, dict):
        wrong_type(found, ROOT, "object", suite)
        return found, []
    _version(found, suite)
    text_field(found, suite, "id", ROOT)
    text_field(found, suite, "name", ROOT)
    _timeout(found, suite, "defaultTimeoutMs", ROOT)
    if "approval" in suite:
        _approval(found, suite["approval"])
    unknown_fields(found, suite, SUITE_FIELDS, ROOT)
    _cases(found, nodes, suite, infinite=infinite)
    return found, [] if found else _doubts(nodes)


def _doubts(nodes: Nodes) -> Found:
    """Name the response schemas that can never match."""
    if not nodes:
        return []
    from mcpeak.suite.impossible import reason_against  # late: many suites have no such schema

    reasons = ((path, reason_against(schema)) for schema, path in nodes)
    return [Problem("SCHEMA_NEVER_MATCHES", path, *reason) for path, reason in reasons if reason]


def _version(found: Found, suite: dict[str, Any]) -> None:
    version = suite.get("schemaVersion")
    if "schemaVersion" not in suite:
        missing(found, ROOT, "schemaVersion")
    elif isinstance(version, bool) or version != 1:
        found.append(
            Problem("UNSUPPORTED_SCHEMA_VERSION", (ROOT, "schemaVersion"), values={"actual": version})
        )


def _timeout(found: Found, holder: dict[str, Any], field: str, path: Path) -> None:
    if field not in holder:
        return
    limit = holder[field]
    number = isinstance(limit, int | float) and not isinstance(limit, bool)
    if not (number and 1 <= limit <= LONGEST_TIMEOUT and limit == int(limit)):
        values = {"actual": limit, "most": LONGEST_TIMEOUT}
        found.append(Problem("INVALID_TIMEOUT", (path, field), values=values))


def _approval(found: Found, approval: Any) -> None:
    path = (ROOT, "approval")
    if not isinstance(approval, dict):
        wrong_type(found, path, "object", approval)
        return
    digest = approval.get("fingerprint")
    if isinstance(digest, str):
        if _FINGERPRINT.fullmatch(digest) is None:
            found.append(Problem("INVALID_VALUE", (path, "fingerprint"), "BAD_FINGERPRINT"))
    elif "fingerprint" in approval:
        wrong_type(found, (path, "fingerprint"), "fingerprint", digest)
    else:
        missing(found, path, "fingerprint")
    if "cases" in approval:
        _approved_cases(found, approval["cases"], (path, "cases"))
    unknown_fields(found, approval, APPROVAL_FIELDS, path)


def _approved_cases(found: Found, cases: Any, path: Path) -> None:
    if not isinstance(cases, list):
        wrong_type(found, path, "list", cases, "INVALID_VALUE")
        return
    for index, case in enumerate(cases):
        here = (path, index)
        if not isinstance(case, dict):
            wrong_type(found, here, "object", case, "INVALID_VALUE")
            continue
        name = case.get("id")
        if not isinstance(name, str) or is_blank(name):
            found.append(Problem("INVALID_VALUE", (here, "id"), "APPROVED_ID"))
        if case.get("status") not in APPROVED_STATUSES:
            values = {"allowed": APPROVED_STATUSES}
            found.append(Problem("INVALID_VALUE", (here, "status"), "APPROVED_STATUS", values))
        unknown_fields(found, case, APPROVED_FIELDS, here)


def _cases(found: Found, nodes: Nodes, suite: dict[str, Any], *, infinite: bool) -> None:
    cases = suite.get("cases")
    path = (ROOT, "cases")
    if "cases" not in suite:
        missing(found, ROOT, "cases")
    elif not isinstance(cases, list):
        wrong_type(found, path, "list", cases)
    elif not cases:
        found.append(Problem("EMPTY_CASES", path))
    else:
        seen: dict[str, int] = {}
        for index, case in enumerate(cases):
            if isinstance(case, dict):
                _case(found, case, (path, index), seen, index)
                kind = check_operation(found, case, (path, index), infinite=infinite)
                check_assertions(found, nodes, case, (path, index), kind, infinite=infinite)
            else:
                wrong_type(found, (path, index), "object", case)


def _case(found: Found, case: dict[str, Any], path: Path, seen: dict[str, int], index: int) -> None:
    text_field(found, case, "id", path)
    text_field(found, case, "name", path)
    name = case.get("id")
    if isinstance(name, str) and not is_blank(name):
        first = seen.setdefault(name, index)
        if first != index:
            values = {"id": name, "first": f"cases[{first}]"}
            found.append(Problem("DUPLICATE_CASE_ID", (path, "id"), values=values))
    _timeout(found, case, "timeoutMs", path)
    unknown_fields(found, case, CASE_FIELDS, path)
