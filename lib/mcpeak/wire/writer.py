"""The writing end of a pipe: one function owns stdout; every record leaves whole and at once."""

import os
from collections.abc import Callable
from typing import Protocol

import msgspec

from mcpeak.wire.json import dumps_line
from mcpeak.wire.records import COUNTED, STREAM, AnyRecord, Begin, Counts, End, Unknown

_PIPE = 1 << 16  # bytes that a pipe takes at once (pipe(7))
_encode = msgspec.json.Encoder().encode


class StdoutClosed(Exception):  # noqa: N818 - the reader went away; the boundary ends the program with 141
    """Whoever read our records has gone."""


class StdoutFailed(StdoutClosed):
    """Stdout cannot be written for another reason, such as a full disk. `why`: the system's words."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Sink(Protocol):
    """Where bytes go: all of them, or an exception."""

    def __call__(self, data: bytes, /) -> None: ...


def to_descriptor(descriptor: int) -> Sink:
    """Make a sink of a file descriptor; what goes wrong becomes StdoutClosed here and nowhere else."""

    def write(data: bytes, /) -> None:
        try:
            written = os.write(descriptor, data)
            while written < len(data):
                data = data[written:]
                written = os.write(descriptor, data)
        except BrokenPipeError as gone:
            raise StdoutClosed from gone
        except OSError as refused:
            raise StdoutFailed(os.strerror(refused.errno or 0)) from refused

    return write


def encode(record: object) -> bytes:
    """Encode a record or a part of one as one line without newline; msgspec's no goes to the ASCII writer."""
    try:
        return _encode(record)
    except (UnicodeEncodeError, OverflowError, RecursionError, msgspec.EncodeError, TypeError):
        return dumps_line(record)


class Writer:
    """Writes a stage's records between its `begin` and its `end`, counting what it wrote.

    Args:
        stage: the program's name in the stream, such as `run`.
        sink: where the bytes go.
        heard: told of every record that passes, for a program that also speaks to people.
    """

    def __init__(self, stage: str, sink: Sink, heard: Callable[[AnyRecord], None] | None = None) -> None:
        self.stage = stage
        self._sink = sink
        self._heard = heard
        self._counts = dict.fromkeys(COUNTED.values(), 0)
        sink(encode(Begin(stage=stage, stream=STREAM)) + b"\n")

    def write(self, *records: AnyRecord) -> None:
        """Write records, all in one system call; what no pipe takes at once is not copied for a newline."""
        lines = []
        for record in records:
            self._pass(record)
            lines.append(encode(record))
        if len(lines) == 1 and len(lines[0]) > _PIPE:
            self._sink(lines[0])
            lines = [b""]
        lines.append(b"")
        self._sink(b"\n".join(lines))

    def forward(self, record: AnyRecord | Unknown, line: bytes) -> None:
        """Pass a record on as it came."""
        if not isinstance(record, Unknown):
            self._pass(record)
        self._sink(line if line.endswith(b"\n") else line + b"\n")

    def end(self) -> None:
        """Write the `end` record: without it, whoever reads knows that something is missing."""
        self._sink(encode(End(stage=self.stage, counts=Counts(**self._counts))) + b"\n")

    def _pass(self, record: AnyRecord) -> None:
        if self._heard is not None:
            self._heard(record)
        counter = COUNTED.get(type(record))
        if counter is not None:
            self._counts[counter] += 1
