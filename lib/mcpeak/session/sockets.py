"""Small services around sockets: looking without taking, ending hard, waiting for the other side to go.

Rule of this file: an edge; it knows sockets and nothing of HTTP.
"""

import contextlib
import select
import socket
import struct
import threading

from mcpeak.session.tables import is_held, tables

_TLS_ALERT = 0x15  # RFC 8446 §5.1
_GONE = select.POLLHUP | select.POLLERR | select.POLLNVAL


def ready(descriptors: list[int], seconds: float | None) -> list[int]:
    """Wait until one of the descriptors can be read or is at its end; give those."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    limit = None if seconds is None else int(seconds * 1000)
    return [descriptor for descriptor, _ in poll.poll(limit)]


def peek(connection: socket.socket, size: int, *, wait: bool = False, whole: bool = False) -> bytes:
    """Look at what has arrived without taking it; b"" when the other side is done, or nothing is there.

    Args:
        connection: where.
        size: bytes at most.
        wait: until there is something.
        whole: until there is as much as that, or the other side is done.
    """
    flags = socket.MSG_PEEK | (0 if wait else socket.MSG_DONTWAIT) | (socket.MSG_WAITALL if whole else 0)
    try:
        return connection.recv(size, flags)
    except OSError:
        return b""


def begins(connection: socket.socket, mark: bytes) -> bool:
    """Wait until it is clear whether what the other side says begins with `mark`; nothing is taken."""
    seen = peek(connection, 1, wait=True)
    while seen and len(seen) < len(mark) and mark.startswith(seen):
        longer = peek(connection, len(seen) + 1, wait=True, whole=True)
        if len(longer) <= len(seen):
            break
        seen = longer
    return seen == mark


def is_gone(raw: socket.socket) -> bool:
    """Tell whether the other side has closed its end, and not only shut it down after its last word.

    `raw`: the plain socket, also under TLS.
    """
    poll = select.poll()
    try:
        poll.register(raw, select.POLLIN)
    except (OSError, ValueError):
        return True
    events = [event for _, event in poll.poll(0)]
    if not events:
        return False
    if events[0] & _GONE:
        return True
    first = peek(raw, 1)
    return first == bytes([_TLS_ALERT]) or (first == b"" and not _is_held(raw))


def _is_held(raw: socket.socket) -> bool:
    try:
        return is_held(raw.getpeername()[1], raw.getsockname()[1], tables())
    except OSError:
        return False


def wait_gone(raw: socket.socket, seconds: float | None = None) -> None:
    """Wait until the other side closes; what it still sends is not looked at."""
    with contextlib.suppress(OSError, ValueError):
        poll = select.poll()
        poll.register(raw, getattr(select, "POLLRDHUP", select.POLLIN))
        poll.poll(None if seconds is None else int(seconds * 1000))


def linger(connection: socket.socket) -> None:
    """See to it that closing this connection is a reset for the other side, not an end."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def close(connection: socket.socket) -> None:
    """Close a socket, whatever state it is in."""
    with contextlib.suppress(OSError):
        connection.close()


def shut(connection: socket.socket) -> None:
    """Wake whoever waits on a socket of ours."""
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def pump(one: socket.socket, other: socket.socket) -> None:
    """Carry bytes both ways until both sides are done."""
    back = threading.Thread(target=_carry, args=(other, one), daemon=True)
    back.start()
    _carry(one, other)
    back.join()


def _carry(source: socket.socket, sink: socket.socket) -> None:
    try:
        while data := source.recv(1 << 16):
            sink.sendall(data)
    except OSError:
        pass
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)
