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
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """Take what was read; give the lines that it completes, without their ends."""
        if not self._parts and chunk.endswith(b"\n"):
            lines = chunk.split(b"\n")
            lines.pop()
        else:
            lines = chunk.split(b"\n")
            rest = lines.pop()
            if lines:
                lines[0] = self._joined(lines[0])
            self._hold(rest)
        return [line for line in lines if line and not line.isspace()]

    def end(self) -> list[bytes]:
        """Give a last line that has no end."""
        line = self._joined(b"")
        return [line] if line and not line.isspace() else []

    def _hold(self, part: bytes) -> None:
        if not part:
            return
        self._size += len(part)
        if self._size <= self._limit:
            self._parts.append(part)
        elif len(self._parts) > 1:  # too long: only its beginning is worth keeping
            self._parts = [b"".join(self._parts)[:QUOTED]]

    def _joined(self, last: bytes) -> bytes:
        if not self._size:
            return last
        size = self._size + len(last)
        parts, self._parts, self._size = self._parts, [], 0
        if size > self._limit:
            self.too_long.append((b"".join(parts)[:QUOTED], size))
            return b""
        parts.append(last)
        return b"".join(parts)
