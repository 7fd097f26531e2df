"""Real values for fields, from the user's file: {"tool": {"field": value}}; the tool `*` is every tool.

Rule of this file: pure. A fixture wins over what the schema declares; `*` serves required fields only.
"""

from typing import Any

EVERY = "*"


class Misfit(Exception):  # noqa: N818 - about the user's file; the program makes words of it
    """The file is no object of objects. `place`: the tool whose entry is wrong, or None for the whole."""

    def __init__(self, place: str | None) -> None:
        super().__init__(place)
        self.place = place


class Fixtures:
    """The values of one file, and which of them were asked for."""

    def __init__(self, value: object) -> None:
        if not isinstance(value, dict):
            raise Misfit(None)
        for tool, fields in value.items():
            if not isinstance(fields, dict):
                raise Misfit(tool)
        self._values: dict[str, dict[str, Any]] = value
        self._used: set[tuple[str, str]] = set()

    def of(self, tool: str, required: list[str]) -> dict[str, Any]:
        """Give the values for one tool's fields."""
        shared = {name: value for name, value in self._values.get(EVERY, {}).items() if name in required}
        own = self._values.get(tool, {})
        self._used |= {(EVERY, name) for name in shared} | {(tool, name) for name in own}
        return shared | own

    def unused(self) -> list[tuple[str, str]]:
        """Give the (tool, field) pairs that nothing asked for."""
        return [(t, f) for t, fields in self._values.items() for f in fields if (t, f) not in self._used]
