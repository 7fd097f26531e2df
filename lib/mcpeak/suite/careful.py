"""Reading a suite's text token by token: any depth up to a limit, duplicate keys, the place of everything."""

from typing import Any, Final

from mcpeak.suite.outline import DEEPEST, Outline
from mcpeak.suite.paths import ROOT, Path
from mcpeak.wire.scan import Event, end_of_text, scan

_FIELD, _CASE, _CASE_FIELD, _ASSERTION = 1, 2, 3, 4  # how many brackets are open around each
_CASES: Final[Path] = (ROOT, "cases")


def read_carefully(text: str) -> Outline:
    """Read a suite's text; of a key that stands twice the last value counts.

    Raises:
        JsonError: it is no JSON, or nested deeper than DEEPEST.
    """
    return _Careful(text).outline


class _Open:
    """An object or array whose end has not come yet."""

    __slots__ = ("key", "key_at", "path", "seen", "value")

    def __init__(self, value: Any, path: Path) -> None:
        self.value = value
        self.path = path
        self.seen: dict[str, int] = {}
        self.key = ""
        self.key_at = 0


class _Careful:
    """The reader that knows the place of everything, one Python step a token."""

    def __init__(self, text: str) -> None:
        self.outline = Outline(text)
        self._open: list[_Open] = []
        end = 0
        for event in scan(text, infinite=True, limit=DEEPEST):
            end = event.end
            if event.kind == "key":
                self._key(event)
            elif event.kind in "]}":
                self._open.pop()
            else:
                self._begin(event)
        end_of_text(text, end)

    def _key(self, event: Event) -> None:
        holder = self._open[-1]
        holder.key, holder.key_at = event.value, event.offset
        first = holder.seen.setdefault(event.value, event.offset)
        if first != event.offset:
            self.outline.doubles.append(((holder.path, event.value), first, event.offset))

    def _begin(self, event: Event) -> None:
        value = self._made(event)
        path = ROOT
        if not self._open:
            self.outline.value = value
        else:
            holder = self._open[-1]
            if type(holder.value) is list:
                path = (holder.path, len(holder.value))
                holder.value.append(value)
            else:
                path = (holder.path, holder.key)
                holder.value[holder.key] = value
            self._note(holder, event.offset)
        if event.kind in "{[":
            self._open.append(_Open(value, path))

    def _made(self, event: Event) -> Any:
        if event.kind != "value":
            return {} if event.kind == "{" else []
        if type(event.value) not in (int, float):
            return event.value
        number = self.outline.text[event.offset : event.end]
        numbers = self.outline.numbers
        return numbers.fraction(number) if set(number) & set(".eE") else numbers.integer(number)

    def _note(self, holder: _Open, at: int) -> None:
        """Keep the offsets that an outline has; of a key that stands twice the last value counts."""
        outline = self.outline
        depth = len(self._open)
        if depth == _FIELD and type(holder.value) is dict:
            outline.fields[holder.key] = (holder.key_at, at)
            if holder.key == "cases":
                outline.cases, outline.assertions = [], []
        if depth < _CASE or self._open[1].path != _CASES or type(self._open[1].value) is not list:
            return
        if depth == _CASE:
            outline.cases.append(at)
            outline.assertions.append([])
        elif depth == _CASE_FIELD and holder.key == "assertions":
            outline.assertions[-1] = []
        elif depth == _ASSERTION and self._open[2].key == "assertions" and type(holder.value) is list:
            outline.assertions[-1].append(at)
