"""The two ports where the child's connections arrive; they exist before anything that serves them is loaded.

Rule of this file: an edge; it opens sockets of the loopback interface and nothing else.
"""

import contextlib
import socket

_BACKLOG = 256


class Doors:
    """Two listening sockets: the proxy's, and the door of the hooks."""

    def __init__(self) -> None:
        self.proxy, self.hooks = (_listen() for _ in range(2))

    @property
    def ports(self) -> tuple[int, int]:
        """Their ports."""
        return self.proxy.getsockname()[1], self.hooks.getsockname()[1]

    def close(self) -> None:
        """Wake whoever waits for connections, and let nobody in any more."""
        for listener in (self.proxy, self.hooks):
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()


def _listen() -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.bind(("127.0.0.1", 0))
    listener.listen(_BACKLOG)
    return listener
