"""The stdio edge: reads lines, writes answers, sleeps where a script does; a plain loop, as fast as the pipe.

Rule of this file: the only one with the descriptors of the stdio transport. Source: PROTOCOL.md §3.
"""

import os
import select
import signal
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from mcpeak.command import exits
from mcpeak.mock.faults import Fault
from mcpeak.mock.player import Out, Player
from mcpeak.wire.writer import Sink, to_descriptor

if TYPE_CHECKING:
    from mcpeak.mock.log import Recorded

LONGEST = 64 << 20
"""Bytes of the longest line that is kept (CONTRACT §4 allows servers as much)."""

LAST = 1.5
"""Seconds that delayed answers still have after stdin has closed; the process must end within 2."""

_CHUNK = 1 << 16


class Lines:
    """Cuts what was read into lines; a line that grows beyond all bounds is dropped whole."""

    def __init__(self, too_long: Callable[[], None]) -> None:
        self._pieces: list[bytes] = []
        self._size = 0
        self._too_long = too_long

    def feed(self, chunk: bytes) -> list[bytes]:
        """Take bytes; give the lines that they complete."""
        if b"\n" not in chunk:
            self._keep(chunk)
            return []
        lines = chunk.split(b"\n")
        self._keep(lines[0])
        lines[0] = self.rest()
        self._keep(lines.pop())
        return lines

    def rest(self) -> bytes:
        """Give the line that is not complete yet."""
        line = b"".join(self._pieces) if self._size <= LONGEST else b""
        self._pieces, self._size = [], 0
        return line

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= LONGEST:
            self._pieces.append(piece)
        elif self._pieces:
            self._pieces = []
            self._too_long()


def serve(
    player: "Player | Recorded", faults: dict[str, Any], changed: Callable[[], list[str]] | None = None
) -> int:
    """Serve until stdin closes.

    Args:
        player: the client's player.
        faults: the definition's `faults`.
        changed: asked twice a second for news, where the definition is watched.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN if faults.get("ignoreSigterm") else _end)
    time.sleep(faults.get("startDelayMs", 0) / 1000)
    write = to_descriptor(1)
    for noise in faults.get("noise", []):
        write(f"{noise}\n".encode("utf-8", "replace"))
    lines = Lines(player.too_long)
    while True:
        _pause(player, write, changed)
        chunk = os.read(0, _CHUNK)
        if not chunk:
            break
        out: Out = []
        for line in lines.feed(chunk):
            out += player.received(line)
        _write(write, out)
    _write(write, player.received(lines.rest()))
    _finish(player, write)
    while faults.get("ignoreEof"):
        signal.pause()
    return exits.GOOD


def _pause(player: "Player | Recorded", write: Sink, changed: Callable[[], list[str]] | None) -> None:
    """Wait for input, writing meanwhile what becomes due."""
    while True:
        wait = player.wait()
        if wait is None and changed is None:
            return
        ready = select.select(
            [0], [], [], min(0.5 if changed is not None else 3600.0, 3600.0 if wait is None else wait)
        )
        _write(write, player.due())
        if changed is not None:
            _write(write, [message for method in changed() for message in player.publish(method, {})])
        if ready[0]:
            return


def _finish(player: "Player | Recorded", write: Sink) -> None:
    """Write the delayed answers that are due soon after the client has closed our stdin."""
    end = time.monotonic() + LAST
    while (wait := player.wait()) is not None and time.monotonic() + wait <= end:
        time.sleep(wait)
        _write(write, player.due())


def _write(write: Sink, out: Out) -> None:
    """Write messages in one system call; commit a fault where it stands among them."""
    ready: list[bytes] = []
    for one in out:
        if isinstance(one, Fault):
            _flush(write, ready)
            _commit(one)
        else:
            ready.append(one)
    _flush(write, ready)


def _flush(write: Sink, ready: list[bytes]) -> None:
    if ready:
        ready.append(b"")
        write(b"\n".join(ready))
        ready.clear()


def _commit(fault: Fault) -> None:
    if fault.kind == "crash":
        os._exit(fault.exit_code)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)


def _end(*_: object) -> NoReturn:
    """End cleanly on SIGTERM: nothing is buffered, nothing is left behind."""
    os._exit(exits.GOOD)
