"""Server-sent events from bytes: no I/O, any cut, LF, CRLF and CR.

Source: WHATWG HTML, "Parsing an event stream". An event without data is no message, though its id counts
(a server primes a stream with one); an event that the stream's end cuts is none.
"""

from typing import NamedTuple

LIMIT = 64 * 1024 * 1024
"""The largest event (bytes), as for lines on stdio."""
_BOM = b"\xef\xbb\xbf"


class Message(NamedTuple):
    """One event that carries data. `event`: its type, `message` unless named."""

    event: str
    data: bytes


class TooLarge(Exception):  # noqa: N818 - named for what it is
    """An event beyond LIMIT."""


class EventStream:
    """Cuts one stream into events.

    Attributes:
        last_id: what a resumption must name, None when no event had an id.
        retry: how long to wait before a reconnection (milliseconds), None when the server did not say.
        within: whether an event has begun and not ended.
    """

    def __init__(self, last_id: str | None = None) -> None:
        self.last_id = last_id
        self.retry: int | None = None
        self._id = last_id
        self._event = ""
        self._data: list[bytes] = []
        self._open = bytearray()  # a line that is not complete (whole memory goes back, a list's would not)
        self._size = 0
        self._after_cr = False
        self._begun = False

    @property
    def within(self) -> bool:
        """Tell whether the stream stands within an event."""
        return bool(self._data or self._open)

    def feed(self, chunk: bytes) -> list[Message]:
        """Take what came; give the events that it completes.

        Raises:
            TooLarge: the event under way is beyond LIMIT.
        """
        if self._after_cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        self._after_cr = chunk.endswith(b"\r")
        messages: list[Message] = []
        for line in chunk.splitlines(keepends=True):
            body = line.rstrip(b"\r\n")
            if len(body) == len(line):
                self._grow(body)
                self._open += body
            else:
                self._line(self._whole(body), messages)
        return messages

    def _grow(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > LIMIT:
            raise TooLarge

    def _whole(self, last: bytes) -> bytes:
        if self._open:
            self._size -= len(self._open)  # it counts again as what it turns out to be
            self._open += last
            last = bytes(self._open)
            self._open = bytearray()
        if not self._begun:
            self._begun = True
            last = last.removeprefix(_BOM)
        return last

    def _line(self, line: bytes, messages: list[Message]) -> None:
        if not line:
            self._dispatch(messages)
            return
        if line.startswith(b"data:"):  # the one that may be huge: a single copy
            value = line[6:] if line[5:6] == b" " else line[5:]
            self._grow(value)
            self._data.append(value)
            return
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(b"")
        elif name == b"event":
            self._event = value.decode("utf-8", "replace")
        elif name == b"id" and b"\0" not in value:
            self._id = value.decode("utf-8", "replace")
        elif name == b"retry" and value.isdigit():
            self.retry = int(value)

    def _dispatch(self, messages: list[Message]) -> None:
        self.last_id = self._id
        data = b"\n".join(self._data)
        if data:
            messages.append(Message(self._event or "message", data))
        self._data = []
        self._event = ""
        self._size = 0
