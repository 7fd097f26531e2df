"""Problems become issues and notices: their sentences come from `messages/<language>/suite.toml`.

The one file of this room that knows the catalogue; values of a suite are quoted short.
"""

from typing import Any, Final

from mcpeak.messages import label, say
from mcpeak.suite.paths import ROOT, written
from mcpeak.suite.places import Place
from mcpeak.suite.problem import Problem
from mcpeak.wire.records import Issue, Notice

SHOWN: Final = 60  # code points of a quoted value

_EXAMPLES: Final = {
    "schemaVersion": "1",
    "id": '"weather"',
    "name": '"Weather server"',
    "cases": "[ … ]",
    "operation": '{"type": "listTools"}',
    "assertions": '[{"type": "isError", "expected": false}]',
    "type": '"…"',
    "tool": '"get_weather"',
    "input": "{}",
    "expected": "false",
    "schema": '{"type": "object"}',
    "fingerprint": '"…"',
}
_ON_KEY: Final = frozenset(("UNKNOWN_FIELD", "UNSUPPORTED_SCHEMA_KEYWORD", "SCHEMA_KEYWORD_REQUIRES_TYPE"))


def is_about_key(problem: Problem) -> bool:
    """Tell whether a problem is that a key stands there at all, whatever its value."""
    return problem.code in _ON_KEY


def issue(source: str, problem: Problem, place: Place | None) -> Issue:
    """Word a problem."""
    entry = problem.words or problem.code
    if entry == "INVALID_TYPE" and problem.path is ROOT:
        entry = "ROOT_TYPE"
    words = say("suite", entry, **_values(problem))
    line, column = place or (None, None)
    return Issue(
        source=source,
        code=problem.code,
        path=written(problem.path),
        message=words.message,
        hint=words.hint,
        line=line,
        column=column,
    )


def file_issue(source: str, code: str, entry: str, place: Place | None = None, **values: Any) -> Issue:
    """Word a problem of the file itself; its path is `$`."""
    return issue(source, Problem(code, ROOT, entry, values), place)


def notice(source: str, problem: Problem, place: Place | None) -> Notice:
    """Word a doubt: allowed, but hardly meant."""
    path = written(problem.path)
    words = say("suite", problem.words or problem.code, **(_values(problem) | {"path": path}))
    line, column = place or (None, None)
    return Notice(
        severity="warning",
        source=source,
        code=problem.code,
        message=words.message,
        hint=words.hint,
        path=path,
        line=line,
        column=column,
    )


def _values(problem: Problem) -> dict[str, Any]:
    """Make the values of a sentence fit for people."""
    values = dict(problem.values)
    for name in ("actual", "operation", "id"):
        if name in values:
            values[name] = shown(values[name])
    for name in ("field", "near", "key"):
        if isinstance(values.get(name), str):
            values[name] = cut(values[name])
    if "expected" in values:
        values["expected"] = label("suite", values["expected"])
    if "way" in values:
        values["way"] = label("suite", values["way"])
    if "allowed" in values:
        values["allowed"] = ", ".join(values["allowed"])
    if problem.code == "MISSING_REQUIRED_FIELD":
        values["example"] = _EXAMPLES[problem.values["field"]]
    return values


def cut(text: str) -> str:
    """Shorten a name that nobody would read to its end."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def shown(value: Any) -> str:
    """Quote a value: a scalar as JSON, cut; of what holds others only the kind."""
    if isinstance(value, dict | list):
        kind = "object" if isinstance(value, dict) else "list"
        return label("suite", kind if value else f"empty_{kind}")
    if isinstance(value, str):
        import json

        text = json.dumps(value[: SHOWN + 1], ensure_ascii=False)
        return text if len(value) <= SHOWN else f'{text[:SHOWN]}…"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value) if -(10**SHOWN) < value < 10**SHOWN else label("suite", "infinite")
    return str(value) if isinstance(value, float) and value - value == 0 else label("suite", "infinite")
