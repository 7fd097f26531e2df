"""`{{argument}}` in what a response says: replaced by the argument of the call.

Rule of this file: pure. A placeholder for what the call does not have stays as it is written.
`{{name}}`, `{{place.city}}` and `{{list.0}}` reach into arguments, `{{@key.content.name}}` into what the
client answered when it was asked. A string that is nothing but one placeholder becomes the value itself.
"""

import re
from typing import Any

from mcpeak.mock.stringify import stringify

_PLACE = re.compile(r"\{\{\s*(@?[^{}\s]+)\s*\}\}")
_MISSING = object()


def present(value: Any) -> bool:
    """Tell whether a value holds any placeholder."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            if "{{" in item and _PLACE.search(item) is not None:
                return True
        elif isinstance(item, dict | list):
            todo.extend(item.values() if isinstance(item, dict) else item)
    return False


def fill(value: Any, arguments: dict[str, Any], asked: dict[str, Any] | None = None) -> Any:
    """Replace the placeholders of a value."""
    if isinstance(value, str):
        return _text(value, arguments, asked or {}) if "{{" in value else value
    if isinstance(value, dict):
        members = {}
        for key, part in value.items():  # loops, not comprehensions: one frame a level, 512 levels at most
            members[key] = fill(part, arguments, asked)
        return members
    if isinstance(value, list):
        elements = []
        for part in value:
            elements.append(fill(part, arguments, asked))  # noqa: PERF401 - as above
        return elements
    return value


def _text(text: str, arguments: dict[str, Any], asked: dict[str, Any]) -> Any:
    whole = _PLACE.fullmatch(text)
    if whole is not None:
        found = _look_up(whole[1], arguments, asked)
        return text if found is _MISSING else found

    def shown(place: re.Match[str]) -> str:
        found = _look_up(place[1], arguments, asked)
        if found is _MISSING:
            return place[0]
        return found if isinstance(found, str) else stringify(found)

    return _PLACE.sub(shown, text)


def _look_up(path: str, arguments: dict[str, Any], asked: dict[str, Any]) -> Any:
    holder: Any = asked if path.startswith("@") else arguments
    path = path.removeprefix("@")
    if isinstance(holder, dict) and path in holder:
        return holder[path]
    for name in path.split("."):
        if isinstance(holder, dict) and name in holder:
            holder = holder[name]
        elif isinstance(holder, list) and name.isdecimal() and int(name) < len(holder):
            holder = holder[int(name)]
        else:
            return _MISSING
    return holder
