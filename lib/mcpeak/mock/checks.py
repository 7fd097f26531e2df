"""The rules of the definition format: what keeps a definition from being served.

Rule of this file: pure; the words are in `vocabulary.py`, the sentences in the catalogue.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from mcpeak.mock.faults import FAULTS
from mcpeak.mock.vocabulary import (
    ANSWERS,
    ASK,
    DEFINITION,
    ERROR,
    LOG,
    NOTIFY,
    PROGRESS,
    REPLY,
    RESPONSE,
    fits,
    kind_of,
)

_ADDED = {key: kind for key, kind in RESPONSE.items() if key != "tool"}
_HOLDING = frozenset({"error", "progress", "log", "notify", "ask", "content"})
"""Keys whose values have rules of their own."""


class Problem(NamedTuple):
    """One thing that is wrong or odd. `code` and `values` fill a sentence of the mock's catalogue."""

    code: str
    path: str
    values: dict[str, Any]


def problems_of(value: object) -> Iterator[Problem]:
    """Yield everything that keeps a definition from being served, in the order of the format's own rules."""
    if not isinstance(value, dict):
        yield _wrong_type("$", "object", value)
        return
    if "tools" not in value:
        yield Problem("MISSING", "$", {"key": "tools"})
    yield from _typed(value, DEFINITION, "")
    if isinstance(value.get("tools"), list):
        yield from _tools(value["tools"])
    names = [tool.get("name") for tool in _objects(value.get("tools"))]
    if isinstance(value.get("responses"), list):
        for place, response in enumerate(value["responses"]):
            yield from _response(response, f"responses[{place}]", names)
    yield from _extras(value)


def _tools(tools: list[Any]) -> Iterator[Problem]:
    for place, tool in enumerate(tools):
        path = f"tools[{place}]"
        if not isinstance(tool, dict):
            yield _wrong_type(path, "object", tool)
            continue
        yield from _required_string(tool, "name", path)
        if "inputSchema" not in tool:
            yield Problem("MISSING", path, {"key": "inputSchema"})


def _response(response: object, path: str, names: list[Any]) -> Iterator[Problem]:
    if not isinstance(response, dict):
        yield _wrong_type(path, "object", response)
        return
    yield from _required_string(response, "tool", path)
    tool = response.get("tool")
    if isinstance(tool, str) and tool not in names:
        known = [name for name in names if isinstance(name, str)]
        yield Problem("UNKNOWN_TOOL", path, {"tool": tool, "tools": ", ".join(known) or "-", "known": known})
    yield from _typed(response, _ADDED, path)
    if "args" in response and "when" in response:
        yield Problem("BOTH", path, {"first": "args", "second": "when"})
    if "sequence" not in response:
        yield from _reply(response, path)
    elif isinstance(response["sequence"], list):
        yield from _sequence(response["sequence"], f"{path}.sequence")


def _sequence(replies: list[Any], path: str) -> Iterator[Problem]:
    if not replies:
        yield Problem("EMPTY_SEQUENCE", path, {})
    for place, reply in enumerate(replies):
        inner = f"{path}[{place}]"
        if not isinstance(reply, dict):
            yield _wrong_type(inner, "object", reply)
            continue
        yield from _typed(reply, REPLY, inner)
        yield from _reply(reply, inner)


def _reply(reply: dict[str, Any], path: str) -> Iterator[Problem]:
    """Check what the parts of one answer hold; their types are checked already."""
    if not any(key in reply for key in ANSWERS):
        yield Problem("MISSING", path, {"key": "result"})
    if reply.keys().isdisjoint(_HOLDING):
        return
    if isinstance(reply.get("error"), dict):
        yield from _required(reply["error"], ("code", "message"), f"{path}.error")
        yield from _typed(reply["error"], ERROR, f"{path}.error")
    for key, table, needed in (("progress", PROGRESS, ("progress",)), ("log", LOG, ("level", "data"))):
        yield from _items(reply.get(key), table, needed, f"{path}.{key}")
    for place, note in enumerate(_list(reply.get("notify"))):
        if not isinstance(note, str):
            yield from _items([note], NOTIFY, ("method",), f"{path}.notify[{place}]", indexed=False)
    asked = reply.get("ask")
    for one in _objects(asked if isinstance(asked, list) else [asked]):
        for name, ask in one.items():
            yield from _items([ask], ASK, ("method",), f"{path}.ask.{name}", indexed=False)
    for place, block in enumerate(_list(reply.get("content"))):
        if not isinstance(block, dict) or not isinstance(block.get("type"), str):
            yield Problem("BLOCK", f"{path}.content[{place}]", {})


def _extras(value: dict[str, Any]) -> Iterator[Problem]:
    for key, needed in (
        ("resources", ("uri", "name")),
        ("resourceTemplates", ("uriTemplate", "name")),
        ("prompts", ("name", "messages")),
    ):
        for place, item in enumerate(_list(value.get(key))):
            path = f"{key}[{place}]"
            if not isinstance(item, dict):
                yield _wrong_type(path, "object", item)
                continue
            yield from _required(item, needed, path)
            kinds = dict.fromkeys(("uri", "uriTemplate", "name", "text", "blob"), "string")
            yield from _typed(
                item, kinds | {"messages": "array", "arguments": "array", "ask": "rounds"}, path
            )
    faults = value.get("faults")
    if isinstance(faults, dict):
        yield from _typed(faults, FAULTS, "faults")
        for method, fault in _dict(faults.get("on")).items():
            if not fits("fault", fault):
                yield _wrong_type(f"faults.on.{method}", "fault", fault)


def _typed(item: dict[str, Any], kinds: dict[str, str], path: str) -> Iterator[Problem]:
    if all(fits(kinds[key], part) for key, part in item.items() if key in kinds):
        return  # nearly always; the order of the tables matters only to what is told
    for key, kind in kinds.items():
        if key in item and not fits(kind, item[key]):
            yield _wrong_type(_at(path, key), kind, item[key])


def _items(
    items: object, kinds: dict[str, str], needed: tuple[str, ...], path: str, *, indexed: bool = True
) -> Iterator[Problem]:
    for place, item in enumerate(_list(items)):
        inner = f"{path}[{place}]" if indexed else path
        if not isinstance(item, dict):
            yield _wrong_type(inner, "object", item)
            continue
        yield from _required(item, needed, inner)
        yield from _typed(item, kinds, inner)


def _required(item: dict[str, Any], keys: tuple[str, ...], path: str) -> Iterator[Problem]:
    for key in keys:
        if key not in item:
            yield Problem("MISSING", path, {"key": key})


def _required_string(item: dict[str, Any], key: str, path: str) -> Iterator[Problem]:
    if key not in item:
        yield Problem("MISSING", path, {"key": key})
    elif not isinstance(item[key], str):
        yield _wrong_type(_at(path, key), "string", item[key])


def _wrong_type(path: str, kind: str, value: object) -> Problem:
    return Problem("TYPE", path, {"kind": kind, "actual": kind_of(value)})


def _at(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _objects(value: object) -> list[dict[str, Any]]:
    return [item for item in _list(value) if isinstance(item, dict)]
