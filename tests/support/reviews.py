"""Drafts to review in tests."""

import json
from typing import Any

from mcpeak.review.draft import Draft, Result


def case(name: str, value: Any = None, expected: bool = False, tool: str = "t") -> dict[str, Any]:
    return {
        "id": name,
        "name": f"the case {name}",
        "operation": {"type": "callTool", "tool": tool, "input": {} if value is None else value},
        "assertions": [{"type": "isError", "expected": expected}],
    }


def suite(*cases: dict[str, Any]) -> dict[str, Any]:
    return {"schemaVersion": 1, "id": "s", "name": "S", "defaultTimeoutMs": 1000, "cases": list(cases)}


TOOLS = {"t": {"name": "t", "inputSchema": {"type": "object"}}}


def draft() -> Draft:
    """One case that passed, two that failed."""
    results = {
        "good": Result("passed"),
        "bad": Result("failed", ("isError: expected false", "  no such city: example")),
        "worse": Result("failed", ("boom",)),
    }
    return Draft(suite(case("good"), case("bad", {"city": "example"}), case("worse")), results)


def finished(name: str, status: str, spec: dict[str, Any], notes: tuple[str, ...] = ()) -> dict[str, Any]:
    diagnostic = {
        "code": "IS_ERROR_MISMATCH",
        "message": "isError: expected false",
        "hint": "h",
        "notes": list(notes),
    }
    failed = status != "passed"
    assertion = {"spec": {}, "status": "failed" if failed else "passed"} | (
        {"diagnostic": diagnostic} if failed else {}
    )
    result = {
        "spec": spec,
        "status": status,
        "operation": {"status": "completed"},
        "assertions": [assertion],
        "rejectionBasis": "notApplicable",
    }
    return {"type": "caseFinished", "run": 0, "index": 0, "elapsedMs": 1, "result": result}


def stream(*more: dict[str, Any]) -> bytes:
    """The same draft as records, as mcpeak-run writes them."""
    made = draft()
    records: list[dict[str, Any]] = [{"type": "begin", "stage": "run", "stream": 1}]
    records += [{"type": "tool", "server": {"target": "x"}, "tool": tool} for tool in TOOLS.values()]
    records.append(
        {
            "type": "suite",
            "source": "s.json",
            "suite": made.suite,
            "fingerprint": "0" * 64,
            "approval": "absent",
        }
    )
    records += [
        finished(name, result.status, made.case(name) or {}, result.notes)
        for name, result in made.results.items()
    ]
    records += [*more, {"type": "end", "stage": "run", "counts": {}}]
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)
