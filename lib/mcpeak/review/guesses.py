"""Cases that should succeed with values that nobody gave: the server may be right to refuse them.

Rule of this file: pure. The draft says which values are guesses, the dry run what was refused.
"""

import json
from collections import Counter
from collections.abc import Sequence

from mcpeak.review.draft import Draft

STAND_IN = "REAL VALUE"
"""What stands in the snippet until the person puts in what they know."""

FEW = 5  # names that a sentence can hold
SEVERAL = 3  # tools with a field of one name: one value under `*` is likely to serve them all

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


def few(names: Sequence[str]) -> str:
    """Write the first of many names."""
    return ", ".join(names[:FEW]) + (", …" if len(names) > FEW else "")


def paths(found: Known) -> str:
    """Write the fields for people: `get_order.id, add.a`."""
    return few([f"{tool}.{field}" for tool, names in found.items() for field in names])


def snippet(found: Known) -> str:
    """Write what belongs in the fixtures file, on one line; what several tools want stands there once."""
    asked = Counter(field for names in found.values() for field in names)
    shared = [field for field, count in asked.items() if count >= SEVERAL]
    values = {"*": dict.fromkeys(shared, STAND_IN)} if shared else {}
    for tool, names in found.items():
        own = [name for name in names if name not in shared]
        if own:
            values[tool] = dict.fromkeys(own, STAND_IN)
    return json.dumps(values, ensure_ascii=False)
