"""Line and column of what is wrong: only the parts of a text that hold a problem are read again.

Rule of this file: lines end with a line feed, columns count code points, both begin with 1.
"""

from bisect import bisect_right
from collections.abc import Iterable

from mcpeak.suite.outline import Outline
from mcpeak.suite.paths import Path, steps
from mcpeak.wire.scan import scan, skip_space

Place = tuple[int, int]  # line, column


class _Wanted:
    """A node of the tree of wanted paths; offsets are None until found."""

    __slots__ = ("at", "key_at", "parts")

    def __init__(self) -> None:
        self.at: int | None = None
        self.key_at: int | None = None
        self.parts: dict[str | int, _Wanted] = {}


class Places:
    """The places of some paths in one text."""

    def __init__(self, outline: Outline, paths: Iterable[Path]) -> None:
        self._outline = outline
        self._lines: list[int] = []
        self._root = _Wanted()
        for path in paths:
            node = self._root
            for step in steps(path):
                node = node.parts.setdefault(step, _Wanted())
        self._find()

    def value(self, path: Path) -> Place:
        """Place a value; one that is missing is where its holder is."""
        return self.line_column(self._last(path).at or 0)

    def key(self, path: Path) -> Place:
        """Place the key of a member."""
        node = self._last(path)
        return self.line_column(node.at or 0 if node.key_at is None else node.key_at)

    def offset(self, path: Path) -> int | None:
        """Give the offset of a value; None if it is not there."""
        node = self._root
        for step in steps(path):
            inner = node.parts.get(step)
            if inner is None:
                return None
            node = inner
        return node.at

    def line_column(self, offset: int) -> Place:
        """Turn an offset into line and column."""
        if not self._lines:
            self._lines = line_starts(self._outline.text)
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def _last(self, path: Path) -> _Wanted:
        """Find the deepest node on a path that is really in the text."""
        node = self._root
        for step in steps(path):
            inner = node.parts.get(step)
            if inner is None or inner.at is None:
                break
            node = inner
        return node

    def _find(self) -> None:
        outline, root = self._outline, self._root
        root.at = skip_space(outline.text, 0)
        for step, field in root.parts.items():
            if step not in outline.fields:
                continue
            field.key_at, field.at = outline.fields[str(step)]
            if step == "cases" and outline.cases:
                for index, case in field.parts.items():
                    if isinstance(index, int) and index < len(outline.cases):
                        case.at = outline.cases[index]
                        self._search(case, case.at)
            else:
                self._search(field, field.at)

    def _search(self, wanted: _Wanted, at: int) -> None:
        """Walk through one value and note where its wanted parts are; the last of two equal keys counts."""
        if not wanted.parts:
            return
        holders: list[
            tuple[_Wanted | None, bool]
        ] = []  # the node of an open bracket, if wanted; is it a list
        counts: list[int] = []
        node: _Wanted | None = wanted
        for kind, offset, _, value in scan(self._outline.text, at, infinite=True):
            if kind in ("}", "]"):
                holders.pop()
                counts.pop()
                continue
            holder, listed = holders[-1] if holders else (None, False)
            if kind == "key":
                node = holder.parts.get(value) if holder else None
                if node:
                    node.key_at = offset
                continue
            if listed:
                node = holder.parts.get(counts[-1]) if holder else None
                counts[-1] += 1
            if node:
                node.at = offset
            if kind in ("{", "["):
                holders.append((node, kind == "["))
                counts.append(0)


def line_starts(text: str) -> list[int]:
    """List the offsets where lines begin."""
    starts = [0]
    at = text.find("\n") + 1
    while at:
        starts.append(at)
        at = text.find("\n", at) + 1
    return starts


def positions(outline: Outline) -> dict[str, Place]:
    """Place every case and every assertion (`SuiteRecord.positions`)."""
    text = outline.text
    found: dict[str, Place] = {}
    line, start, last = 1, 0, 0
    for path, offset in _in_order(outline):
        ends = text.count("\n", last, offset)
        if ends:
            line += ends
            start = text.rfind("\n", last, offset) + 1
        last = offset
        found[path] = (line, offset - start + 1)
    return found


def _in_order(outline: Outline) -> Iterable[tuple[str, int]]:
    for index, case_at in enumerate(outline.cases):
        yield f"cases[{index}]", case_at
        for number, at in enumerate(outline.assertions[index]):
            yield f"cases[{index}].assertions[{number}]", at
