"""The two ends that meet in the middle: a child's connection, and what answers it.

Rule of this file: the shape of the far end only; live.py reaches the API, played.py has the recording.
"""

import socket
from typing import TYPE_CHECKING, Protocol

from mcpeak.session.exchange import Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcpeak.session.reply import Reply


class Unreached(Exception):  # noqa: N818 - named for what happened
    """No connection: `error` is refused, unreachable, dns, timeout, abandoned."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


class Line(Protocol):
    """What stands behind one connection of the child."""

    @property
    def descriptor(self) -> int | None:
        """What to wait on for an API that speaks first; None where there is none."""

    def secure(self, name: str) -> bool:
        """Begin TLS with the API as `name`; tell whether its certificate may be trusted."""

    def insecure(self) -> None:
        """Note that the child did not take the certificate that it was shown."""

    def ask(self, request: Request, reply: "Reply") -> None:
        """Answer one request."""

    def at_once(self, request: Request, *, closes: bool) -> bytes | None:
        """Give the answer as it is written, if it is there and plain; else None, and nothing has happened."""

    def raw(self, connection: socket.socket, protocol: str, said: bytes = b"") -> None:
        """Deal with what is no HTTP/1: `http2`, `websocket`, `other`; `said`: what was read of it."""

    def unreadable(self) -> None:
        """Note that the child said something that is no HTTP, where it had begun with HTTP."""

    def close(self) -> None:
        """Let go of the API."""


class Desk(Protocol):
    """Where lines come from."""

    @property
    def is_quick(self) -> bool:
        """Whether opening a line takes no time, and its answers may be there at once."""

    def is_sure(self, host: str, port: int) -> bool:
        """Tell whether no line to there will ever fail to open."""

    def open(self, host: str, port: int, waits: "Callable[[], bool]" = lambda: True) -> Line:
        """Open a line.

        Args:
            host: where.
            port: where there.
            waits: tells whether the child still waits for it.

        Raises:
            Unreached: the API cannot be reached, or could not when it was recorded.
        """
