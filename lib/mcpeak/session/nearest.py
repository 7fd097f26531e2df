"""The recorded call that is nearest to one that is missing, and what differs.

Rule of this file: pure; it names differences, the catalogue has the words.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from mcpeak.session import url
from mcpeak.session.matching import Form

_WEIGHTS = {"host": 50, "path": 20, "method": 15, "port": 8, "scheme": 6}
_SHOWN = 80  # code points of a value that are shown


class Difference(NamedTuple):
    """`part`: method, scheme, host, port, path, query, header, body, kind; `name`: which; None: not there."""

    part: str
    name: str
    recorded: str | None
    asked: str | None


def nearest(asked: Form, recorded: Iterable[Form]) -> tuple[Form, list[Difference]] | None:
    """Give the recorded form that differs least, the first of equals; None when nothing is recorded."""
    found = [(form, list(differences(form, asked))) for form in dict.fromkeys(recorded)]
    return min(found, key=lambda pair: sum(_weight(one) for one in pair[1]), default=None)


def _weight(difference: Difference) -> int:
    return _WEIGHTS.get(difference.part, 2)


def differences(recorded: Form, asked: Form) -> Iterator[Difference]:
    """Yield what differs between two forms, from the most to the least telling."""
    if recorded.method != asked.method:
        yield Difference("method", "", recorded.method, asked.method)
    ours, theirs = url.split(recorded.url), url.split(asked.url)
    for place, part in enumerate(("scheme", "host", "port", "path")):
        if ours[place] != theirs[place]:
            yield Difference(part, "", ours[place], theirs[place])
    yield from _pairs("query", url.pairs(ours[4] or ""), url.pairs(theirs[4] or ""))
    yield from _pairs("header", list(recorded.headers), list(asked.headers))
    if recorded.kind != asked.kind:
        yield Difference("kind", "", recorded.kind, asked.kind)
    elif recorded.body != asked.body:
        yield from _bodies(recorded, asked)


def _pairs(part: str, recorded: list[tuple[str, str]], asked: list[tuple[str, str]]) -> Iterator[Difference]:
    ours, theirs = _grouped(recorded), _grouped(asked)
    for name in sorted(ours | theirs):
        if ours.get(name) != theirs.get(name):
            yield Difference(part, name, _shown(ours.get(name)), _shown(theirs.get(name)))
    if part == "query" and ours == theirs and recorded != asked:
        order = ["&".join(name for name, _ in side) for side in (recorded, asked)]
        yield Difference("order", "", order[0], order[1])


def _grouped(pairs: list[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return {name: ", ".join(values) for name, values in found.items()}


def _bodies(recorded: Form, asked: Form) -> Iterator[Difference]:
    ours, theirs = json.loads(recorded.body), json.loads(asked.body)
    if recorded.kind == "form":
        yield from _pairs("form", [(a, b) for a, b in ours], [(a, b) for a, b in theirs])
    elif recorded.kind == "json":
        yield from _values("$", ours, theirs)
    else:
        yield Difference("body", "", _shown(_text(ours)), _shown(_text(theirs)))


def _values(path: str, ours: Any, theirs: Any) -> Iterator[Difference]:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(ours.keys() | theirs.keys()):
            if key not in ours or key not in theirs:
                yield Difference("json", f"{path}.{key}", _of(ours, key), _of(theirs, key))
            else:
                yield from _values(f"{path}.{key}", ours[key], theirs[key])
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for place, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from _values(f"{path}[{place}]", one, other)
    elif ours != theirs or isinstance(ours, bool) != isinstance(theirs, bool):
        yield Difference("json", path, _shown(_text(ours)), _shown(_text(theirs)))


def _of(box: dict[str, Any], key: str) -> str | None:
    return _shown(_text(box[key])) if key in box else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _shown(text: str | None) -> str | None:
    return text if text is None or len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
