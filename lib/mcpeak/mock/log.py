"""`--log`: what was heard and what was written, a record a line, redacted; several mocks may share a file.

Rule of this file: an edge; it appends whole lines and reads nothing.
"""

import os
from typing import Any, Protocol

from mcpeak.command.failure import Failure
from mcpeak.command.redact import Redactor
from mcpeak.mock.definition import Definition
from mcpeak.mock.player import Out, Player
from mcpeak.mock.stringify import encode
from mcpeak.wire.json import JsonError, parse

_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT


class Transcript(Protocol):
    """Whoever wants to know what is said."""

    def heard(self, message: bytes, /) -> None:
        """Keep what a client sent."""

    def wrote(self, message: bytes, /) -> None:
        """Keep what was answered."""


class Log:
    """A log file. Its records: mockStarted, mockHeard, mockWrote, mockEnded (docs/mock.md)."""

    def __init__(self, path: str, definition: Definition, transport: str) -> None:
        """Open the file and write the first record.

        Raises:
            Failure: it cannot be written.
        """
        try:
            self._file = os.open(path, _FLAGS, 0o600)
        except OSError as wrong:
            raise Failure("FILE_UNWRITABLE", room="mock", path=path, reason=wrong.strerror) from wrong
        self._redact = Redactor().value
        tools = definition.value["tools"]
        self._write(
            {"type": "mockStarted", "source": definition.source, "transport": transport, "tools": tools}
        )

    def heard(self, message: bytes) -> None:
        """Keep what a client sent."""
        self._write({"type": "mockHeard"} | self._shown(message))

    def wrote(self, message: bytes) -> None:
        """Keep what was answered."""
        self._write({"type": "mockWrote"} | self._shown(message))

    def close(self) -> None:
        """Write the last record."""
        self._write({"type": "mockEnded"})
        os.close(self._file)

    def _shown(self, message: bytes) -> dict[str, object]:
        try:
            return {"message": self._redact(parse(message))}
        except JsonError:
            return {"line": message.decode("utf-8", "replace").rstrip("\r\n")}

    def _write(self, record: dict[str, object]) -> None:
        os.write(self._file, encode(record | {"process": os.getpid()}) + b"\n")


class Recorded:
    """A player whose client is recorded."""

    def __init__(self, player: Player, log: Transcript) -> None:
        self._player = player
        self._log = log
        self.wait = player.wait
        self.too_long = player.too_long

    def received(self, line: bytes) -> Out:
        """Take one line."""
        if line.strip():
            self._log.heard(line)
        return self._kept(self._player.received(line))

    def due(self) -> Out:
        """Give what has become due."""
        return self._kept(self._player.due())

    def publish(self, method: str, params: dict[str, Any]) -> list[bytes]:
        """Tell the client news."""
        return self._player.publish(method, params)

    def _kept(self, out: Out) -> Out:
        for message in out:
            if isinstance(message, bytes):
                self._log.wrote(message)
        return out
