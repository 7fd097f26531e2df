"""Many connections in one thread: whoever has something to say is heard, nobody is waited for.

Rule of this file: an edge; it knows sockets and nothing of what is said on them.
"""

import selectors
import socket
import threading
from collections.abc import Callable
from typing import Any

from mcpeak.session.sockets import close, shut

Ready = Callable[[socket.socket], None]
"""Called with a connection that can be read; an error ends that connection, and no other."""


class Loop:
    """Watches connections until it is closed.

    Args:
        each: called after each round; gives the longest time (seconds) until the next, None: no limit.
    """

    def __init__(self, each: Callable[[], float | None]) -> None:
        self._each = each
        self._selector = selectors.DefaultSelector()
        self._ready: dict[Any, Ready] = {}
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._waker, self._woken = socket.socketpair()
        self._over = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self.watch(self._woken, self._end)
        self._thread.start()

    def close(self) -> None:
        """Stop watching, and end all connections that were let in and are still open."""
        self._waker.send(b"x")
        self._thread.join()
        self._selector.close()
        for end in (self._waker, self._woken):
            end.close()
        with self._lock:
            left = list(self._open)
        for connection in left:
            shut(connection)

    def accept(self, listener: socket.socket) -> tuple[socket.socket, int]:
        """Let a connection in; give the port from which it comes, too."""
        connection, address = listener.accept()
        with self._lock:
            self._open.add(connection)
        return connection, address[1]

    def watch(self, connection: socket.socket, ready: Ready) -> None:
        """Watch a connection, or call something else from now on."""
        if connection not in self._ready:
            self._selector.register(connection, selectors.EVENT_READ)
        self._ready[connection] = ready

    def unwatch(self, connection: socket.socket) -> None:
        """Leave a connection to somebody else."""
        if self._ready.pop(connection, None) is not None:
            self._selector.unregister(connection)

    def drop(self, connection: socket.socket) -> None:
        """Close a connection that may be watched."""
        self.unwatch(connection)
        self.leave(connection)

    def leave(self, connection: socket.socket) -> None:
        """Close a connection that is not watched; from any thread."""
        with self._lock:
            self._open.discard(connection)
        close(connection)

    def _run(self) -> None:
        while not self._over:
            for key, _ in self._selector.select(self._each()):
                self._call(key.fileobj)  # type: ignore[arg-type] # only sockets are watched

    def _call(self, connection: socket.socket) -> None:
        try:
            self._ready[connection](connection)
        except Exception:  # noqa: BLE001 - whatever breaks one connection must not end all others
            if connection in self._open:  # not one that listens
                self.drop(connection)

    def _end(self, _: socket.socket) -> None:
        self._over = True
