"""Cases that should succeed with values that nobody gave: the server may be right to refuse them.

Rule of this file: pure. The draft says which values are guesses, the dry run what was refused.
"""

import json

from mcpeak.review.draft import Draft

STAND_IN = "REAL VALUE"
"""What stands in the snippet until the person puts in what they know."""

Known = dict[str, list[str]]


def refused(draft: Draft) -> list[str]:
    """Give the ids of cases whose guessed input the server refused."""
    names = [case["id"] for case in draft.cases]
    return [name for name in names if name in draft.guesses and name in draft.results and _no(draft, name)]


def _no(draft: Draft, name: str) -> bool:
    return draft.results[name].refused


def fields(draft: Draft, names: list[str]) -> Known:
    """Give tool → fields without a known value, of some cases."""
    found: Known = {}
    for case in draft.cases:
        if case["id"] in names:
            found.setdefault(case["operation"]["tool"], []).extend(draft.guesses[case["id"]])
    return found


def paths(found: Known) -> str:
    """Write the fields for people: `get_order.id, add.a`."""
    return ", ".join(f"{tool}.{field}" for tool, names in found.items() for field in names)


def snippet(found: Known) -> str:
    """Write what belongs in the fixtures file, on one line."""
    values = {tool: dict.fromkeys(names, STAND_IN) for tool, names in found.items()}
    return json.dumps(values, ensure_ascii=False)
