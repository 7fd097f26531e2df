"""What is odd about a definition but harmless: keys that mean nothing, numbers that will come out rounded.

Rule of this file: pure; it gives warnings, never errors.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from mcpeak.mock.checks import Problem
from mcpeak.mock.faults import FAULTS
from mcpeak.mock.matching import key
from mcpeak.mock.vocabulary import DEFINITION, REPLY, RESPONSE, TOOL
from mcpeak.suite.canonical import EXACT, number
from mcpeak.suite.nearest import nearest

_INDEX = re.compile(r"\[\d+\]")
_TOLD = 3  # of a kind: a key that is wrong in one response is wrong in all


def warnings_of(value: object) -> Iterator[Problem]:
    """Yield what is odd but harmless: keys that mean nothing here. The value may be wrong in any way."""
    if not isinstance(value, dict):
        return
    yield from _unknown(value, DEFINITION, "")
    for place, tool in _members(value.get("tools")):
        for name in tool:
            near = None if name in TOOL else nearest(name, TOOL)
            if near is not None:
                yield Problem("UNKNOWN_KEY_NEAR", f"tools[{place}].{name}", {"near": near})
    for place, response in _members(value.get("responses")):
        yield from _unknown(response, RESPONSE, f"responses[{place}]")
        for step, reply in _members(response.get("sequence")):
            yield from _unknown(reply, REPLY, f"responses[{place}].sequence[{step}]")
    if isinstance(value.get("faults"), dict):
        yield from _unknown(value["faults"], FAULTS, "faults")


def folded(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the first few of each kind, and after the last of a kind how many more there are."""
    kinds: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        kinds.setdefault((problem.code, _INDEX.sub("", problem.path)), []).append(problem)
    for alike in kinds.values():
        yield from alike[:_TOLD]
        if len(alike) > _TOLD:
            yield Problem(alike[0].code, alike[-1].path, {"more": len(alike) - _TOLD})


def _members(items: object) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of an array with their places."""
    for place, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict):
            yield place, item


def _unknown(item: dict[str, Any], known: Iterable[str], path: str) -> Iterator[Problem]:
    for name in item:
        if name not in known and not name.startswith("$"):
            near = nearest(name, known)
            code = "UNKNOWN_KEY" if near is None else "UNKNOWN_KEY_NEAR"
            yield Problem(code, _at(path, name), {"near": near, "known": ", ".join(known)})


def _at(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def advice(value: dict[str, Any]) -> Iterator[Problem]:
    """Yield what only `--check` tells: numbers that come out rounded, things that hide each other."""
    seen: set[str] = set()
    for place, tool in enumerate(value["tools"]):
        if tool["name"] in seen:
            yield Problem("TOOL_TWICE", f"tools[{place}]", {"tool": tool["name"]})
        seen.add(tool["name"])
    known: dict[tuple[str, bytes], int] = {}
    for place, response in enumerate(value.get("responses", [])):
        for path, result in _results(response, f"responses[{place}]"):
            yield from _rounded(result, path)
        if "when" not in response:
            same = (response["tool"], key(response["args"]) if "args" in response else b"")
            if same in known:
                yield Problem("NEVER_ANSWERS", f"responses[{known[same]}]", {"later": f"responses[{place}]"})
            known[same] = place


def _results(response: dict[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    yield f"{path}.result", response.get("result")
    for step, reply in enumerate(response.get("sequence", [])):
        yield f"{path}.sequence[{step}].result", reply.get("result")


def _rounded(value: Any, path: str) -> Iterator[Problem]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _rounded(part, f"{path}.{name}")
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _rounded(part, f"{path}[{place}]")
    elif type(value) is int and abs(value) > EXACT and int(float(value)) != value:
        yield Problem("ROUNDED", path, {"number": value, "sent": number(value)})


def schema_problems(value: dict[str, Any]) -> Iterator[Problem]:
    """Yield the schemas that cannot be used: what `--check` says at once and a server when it needs them."""
    from mcpeak.schema.check import checker  # late: it brings the validator

    for place, tool in enumerate(value["tools"]):
        problem = checker(tool["inputSchema"]).problem
        if problem is not None:
            told = {"tool": tool["name"], "reason": problem}
            yield Problem("SCHEMA_UNUSABLE", f"tools[{place}].inputSchema", told)
    for place, response in enumerate(value.get("responses", [])):
        problem = checker(response["when"]).problem if "when" in response else None
        if problem is not None:
            yield Problem("WHEN_UNUSABLE", f"responses[{place}].when", {"reason": problem})


def doubled_keys(data: bytes) -> Iterator[Problem]:
    """Yield the keys that stand twice in an object; readers of JSON keep the last."""
    from mcpeak.suite.careful import read_carefully  # late: a reader that knows the place of everything
    from mcpeak.suite.paths import written
    from mcpeak.wire.scan import JsonError, place

    text = data.decode("utf-8").removeprefix("\ufeff")
    try:
        doubles = read_carefully(text).doubles
    except JsonError:  # deeper than that reader goes
        return
    for path, first, later in doubles:
        lines = {"first": place(text, first)[0], "later": place(text, later)[0]}
        yield Problem("KEY_TWICE", written(path), lines)
