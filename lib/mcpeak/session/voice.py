"""Where the wrapper's own words go: to mcpeak-run as records, or to people on stderr.

Rule of this file: an edge; stdin, stdout and stderr belong to the child while it runs.
"""

import contextlib
import os
import re
import socket
import stat
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from mcpeak.command.failure import Failure
from mcpeak.link.spawn import RECORDS_FD

if TYPE_CHECKING:
    from mcpeak.wire.records import AnyRecord


class Voice:
    """Tells records to whoever listens.

    Args:
        environ: names the descriptor in MCPEAK_RECORDS_FD, if mcpeak-run gave us one.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._descriptor = _descriptor(environ.get(RECORDS_FD, ""))

    @property
    def is_heard(self) -> bool:
        """Whether a program listens, rather than a person."""
        return self._descriptor is not None

    def tell(self, records: "Iterable[AnyRecord]") -> None:
        """Tell records; a listener that has gone is no reason to fail."""
        for record in records:
            if self._descriptor is None:
                from mcpeak.command.stage import tell_record

                tell_record(record)
            else:
                self._write(record)

    def fail(self, failure: Failure) -> None:
        """Tell a failure as a record; where nobody listens for records, the boundary says it."""
        if self._descriptor is not None:
            from mcpeak.wire.records import Error

            words = failure.words
            self._write(
                Error(
                    stage="session",
                    code=failure.code,
                    detail=failure.detail,
                    message=words.message,
                    hint=words.hint,
                )
            )

    def verdict(self) -> str | None:
        """Give the status of the run, if mcpeak-run has told it by now: passed, failed, aborted."""
        if self._descriptor is None or not stat.S_ISSOCK(os.fstat(self._descriptor).st_mode):
            return None
        heard = b""
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(self._descriptor)) as listener:
            while piece := listener.recv(1 << 16, socket.MSG_DONTWAIT):
                heard += piece
        found = re.findall(rb'^\{"type":"runFinished",.*?"status":"(\w+)"', heard, re.MULTILINE)
        return found[-1].decode() if found else None

    def _write(self, record: "AnyRecord") -> None:
        from mcpeak.wire.writer import StdoutClosed, encode, to_descriptor

        assert self._descriptor is not None  # noqa: S101 - both callers have looked
        with contextlib.suppress(StdoutClosed, OSError):
            to_descriptor(self._descriptor)(encode(record) + b"\n")


def _descriptor(text: str) -> int | None:
    if not text.isdigit():
        return None
    try:
        os.fstat(int(text))
    except OSError:
        return None
    return int(text)
