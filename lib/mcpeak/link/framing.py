"""Bytes of a pipe cut into lines: at most `LIMIT` bytes a line, no quadratic joins, no blank lines. Pure."""

LIMIT = 64 * 1024 * 1024
"""The longest line that is read (CONTRACT §4)."""
QUOTED = 4096
"""What is kept of a longer one, to quote it."""


class Lines:
    """Cuts a stream into lines. `too_long`: beginning and size of lines beyond the limit, to be taken."""

    def __init__(self, limit: int = LIMIT) -> None:
        self.too_long: list[tuple[bytes, int]] = []
        self._limit = limit
        self._held = bytearray()  # the line that has not ended; its memory goes back whole
        self._size = 0  # its length, also where only its beginning is held

    def feed(self, chunk: bytes) -> list[bytes]:
        """Take what was read; give the lines that it completes, without their ends."""
        lines = chunk.split(b"\n")
        rest = lines.pop()
        if self._size and lines:
            lines[0] = self._joined(lines[0])
        if rest:
            self._hold(rest)
        return [line for line in lines if line and not line.isspace()]

    def end(self) -> list[bytes]:
        """Give a last line that has no end."""
        line = self._joined(b"") if self._size else b""
        return [line] if line and not line.isspace() else []

    @property
    def held(self) -> int:
        """Bytes of the line that has not ended."""
        return self._size

    def unended(self) -> bytes:
        """Look at a line that lacks its end and might be a whole message; nothing where more must come."""
        return bytes(self._held) if self._held.rstrip().endswith(b"}") and self._size <= self._limit else b""

    def _hold(self, part: bytes) -> None:
        self._size += len(part)
        if self._size <= self._limit:
            self._held += part
        elif len(self._held) > QUOTED:  # too long: only its beginning is worth keeping
            self._held = self._held[:QUOTED]

    def _joined(self, last: bytes) -> bytes:
        held, size = self._held, self._size + len(last)
        self._held, self._size = bytearray(), 0
        if size > self._limit:
            self.too_long.append((bytes(held[:QUOTED]), size))
            return b""
        held += last
        return bytes(held)
