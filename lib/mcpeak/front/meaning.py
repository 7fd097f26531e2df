"""`mcpeak explain CODE`: what any code says, why it comes and what to do, from the catalogue of all rooms."""

import os
from collections.abc import Iterator
from string import Formatter
from typing import Any

from mcpeak import messages
from mcpeak.messages import label, language, table

LAYOUT = ("label", "option")


def explained(code: str) -> str | None:
    """Lay out a code, as `CODE`, `DETAIL` or `CODE/DETAIL`; None when no room knows it."""
    wanted = code.upper().rpartition("/")[2]
    entries = [entry for name, entry in _codes() if name == wanted]
    distinct = [entry for place, entry in enumerate(entries) if entry not in entries[:place]]
    return "\n".join([wanted, *("\n".join(_lines(entry)) for entry in distinct), ""]) if distinct else None


def nearest(code: str) -> str | None:
    """Give the known code that is most like one that is not."""
    from difflib import get_close_matches

    near = get_close_matches(code.upper().rpartition("/")[2], {name for name, _ in _codes()}, n=1)
    return near[0] if near else None


def _codes() -> Iterator[tuple[str, dict[str, str]]]:
    folder = os.path.join(os.path.dirname(messages.__file__), language())
    for name in sorted(os.listdir(folder)):
        if name.endswith(".toml"):
            entries: dict[str, Any] = table(name.removesuffix(".toml"), language())
            yield from ((code, entry) for code, entry in entries.items() if code not in LAYOUT)


def _lines(entry: dict[str, str]) -> Iterator[str]:
    names = {key: label("front", f"explain_{key}") for key in ("message", "cause", "hint")}
    for key, name in names.items():
        if entry.get(key):
            first, *rest = _shown(entry[key]).splitlines()
            yield f"  {name}: {first}"
            yield from (f"    {line}" for line in rest)


def _shown(sentence: str) -> str:
    """Fill the placeholders of a sentence with their own names, in capitals."""
    parts = ((text, name) for text, name, _, _ in Formatter().parse(sentence))
    return "".join(text + (name or "").upper() for text, name in parts)
