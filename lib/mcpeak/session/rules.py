"""`--match` rules: which parts of a request are left out of the comparison, and which are added to it.

`ignore query NAME`, `ignore form NAME`, `ignore json PATH` (`$.a.b`, `items[*].at`), `ignore header NAME`,
`ignore body`, `ignore port`, `compare header NAME`; each may end in `on GLOB`, a pattern of the URL.
Rule of this file: pure.
"""

import re
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

_RULE = re.compile(
    r"\s*(?:(?P<alone>ignore\s+(?:body|port))|(?P<named>(?:ignore\s+(?:query|form|json|header)|compare\s+header)\s+\S+))"
    r"(?:\s+on\s+(?P<on>\S+))?\s*"
)
_STEP = re.compile(r"\[(\*|\d+)\]|\.?([^.\[\]]+)")


class Rule(NamedTuple):
    """`action`: ignore, compare; `part`: query, form, json, header, body, port; `on`: a pattern of URLs."""

    action: str
    part: str
    name: str = ""
    on: str = "*"

    def applies(self, url: str) -> bool:
        """Tell whether a URL is meant."""
        return fnmatchcase(url, self.on)


def parse(text: str) -> Rule | None:
    """Read a rule; None when it is none."""
    found = _RULE.fullmatch(text)
    if found is None:
        return None
    words = (found["alone"] or found["named"]).split()
    return Rule(words[0], words[1], words[2] if len(words) > 2 else "", found["on"] or "*")  # noqa: PLR2004 - action part name


def without(value: Any, path: str) -> Any:
    """Give a JSON value without what stands at a path; the value itself stays as it is."""
    steps = [found[1] or found[2] for found in _STEP.finditer(path.removeprefix("$"))]
    return _without(value, steps) if steps else value


def _without(value: Any, steps: list[str]) -> Any:
    step, rest = steps[0], steps[1:]
    if isinstance(value, dict) and (step == "*" or step in value):
        names = list(value) if step == "*" else [step]
        return {
            name: _without(item, rest) if name in names else item
            for name, item in value.items()
            if rest or name not in names
        }
    if isinstance(value, list) and (step == "*" or step.isdigit()):
        chosen = range(len(value)) if step == "*" else (int(step),)
        return [
            _without(item, rest) if place in chosen else item
            for place, item in enumerate(value)
            if rest or place not in chosen
        ]
    return value
