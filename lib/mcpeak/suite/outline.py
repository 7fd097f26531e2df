"""What a reader of suite text hands on: the value, and the offsets of fields, cases and assertions."""

import re
from typing import TYPE_CHECKING, Any, Final

from mcpeak.suite.numbers import Numbers

if TYPE_CHECKING:
    from mcpeak.suite.paths import Path

DEEPEST: Final = 10_000  # nesting that a suite may have; what is deeper is a mistake, not a test

_ASTRAL_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


class Outline:
    """A suite's text, read.

    value: what it holds (an integral number such as 1.0 may be an int).
    fields: key → (offset of the key, offset of its value), for the root object.
    cases: offset of each case; assertions: for each case the offsets of its assertions.
    doubles: path of each key that stands twice, its first and its later offset.
    numbers: what is special about the numbers; plain: `canonical` may take its fast way.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.value: Any = None
        self.fields: dict[str, tuple[int, int]] = {}
        self.cases: list[int] = []
        self.assertions: list[list[int]] = []
        self.doubles: list[tuple[Path, int, int]] = []
        self.numbers = Numbers()

    @property
    def plain(self) -> bool:
        """Whether nothing needs the careful canonical writer: no odd number, no letter beyond U+FFFF."""
        text = self.text
        return (
            self.numbers.plain
            and (text.isascii() or len(text.encode("utf-16-le", "surrogatepass")) == 2 * len(text))
            and ("\\u" not in text or _ASTRAL_ESCAPE.search(text) is None)
        )
