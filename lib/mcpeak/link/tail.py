"""The last lines that a server wrote to stderr: bounded whatever it writes, and counted.

Kept are at most `LINES` lines and `BYTES` bytes, each line cut at `WIDTH` characters (CONTRACT §5). Pure.
"""

from collections import deque

LINES = 1000
BYTES = 256 * 1024
WIDTH = 1000
_HELD = 4 * WIDTH  # bytes of one line that can matter: a character has at most four


class Tail:
    """Collects stderr. `total`: lines seen so far, those that are gone included."""

    def __init__(self) -> None:
        self.total = 0
        self._kept: deque[bytes] = deque()
        self._size = 0
        self._open = b""  # the line that has not ended yet

    def feed(self, chunk: bytes) -> None:
        """Take what was read."""
        lines = (self._open + chunk).split(b"\n")
        self._open = lines.pop()[:_HELD]
        self.total += len(lines)
        for line in lines[-LINES:]:
            self._keep(line[:_HELD])

    def _keep(self, line: bytes) -> None:
        kept = self._kept
        kept.append(line)
        self._size += len(line)
        while len(kept) > LINES or self._size > BYTES:
            self._size -= len(kept.popleft())

    def close(self) -> None:
        """Take a last line without its end as a line."""
        if self._open:
            self.feed(b"\n")

    @property
    def dropped(self) -> int:
        """How many lines are gone."""
        return self.total - len(self._kept)

    def lines(self) -> list[str]:
        """Give what is kept, oldest first."""
        return [_text(line) for line in self._kept]

    def since(self, total: int, limit: int) -> tuple[list[str], int]:
        """Give the last lines (at most `limit`) after the first `total`, and how many are left out."""
        wanted = min(self.total - total, limit, len(self._kept))
        lines = list(self._kept)[len(self._kept) - wanted :]
        return [_text(line) for line in lines], self.total - total - wanted


def _text(line: bytes) -> str:
    text = line.removesuffix(b"\r").decode("utf-8", "replace")
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
