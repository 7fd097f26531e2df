"""The run records' way out: held until there is time to write, whole even when suites run side by side."""

import threading

from mcpeak.wire.records import AnyRecord, Error, Notice, Unknown
from mcpeak.wire.writer import Writer

FULL = 64
"""Records that are held at most while answers come faster than anybody reads."""


class Outlet:
    """Writes for one suite. `failed`: whether something went by that turns the verdict red."""

    _one_at_a_time = threading.Lock()

    def __init__(self, writer: Writer, source: str | None = None) -> None:
        self._writer = writer
        self._source = source
        self._held: list[AnyRecord] = []
        self.failed = False

    def hold(self, record: AnyRecord) -> None:
        """Keep a record until the next `flush`: after a request went out, while the server works."""
        self._held.append(record)

    @property
    def full(self) -> bool:
        """Whether enough is held to be written at once."""
        return len(self._held) >= FULL

    def flush(self) -> None:
        """Write what is held, in one system call."""
        if self._held:
            held, self._held = self._held, []
            with self._one_at_a_time:
                self._writer.write(*held)

    def notice(self, notice: Notice) -> None:
        """Hold a notice of this suite."""
        notice.source = self._source
        self.failed = self.failed or notice.severity == "failure"
        self.hold(notice)

    def error(self, error: Error) -> None:
        """Write an error of this suite."""
        error.source = self._source
        self.failed = True
        self.hold(error)
        self.flush()

    def forward(self, record: AnyRecord | Unknown, line: bytes) -> None:
        """Pass a record on as it came."""
        self.flush()
        with self._one_at_a_time:
            self._writer.forward(record, line)
