"""The two ends that meet in the middle: a child's connection, and what answers it.

Rule of this file: the shape of the far end only; live.py reaches the API, played.py has the recording.
"""

import socket
from typing import Protocol

from mcpeak.session.exchange import Request
from mcpeak.session.reply import Reply


class Unreached(Exception):  # noqa: N818 - named for what happened
    """No connection: `error` is refused, unreachable, dns, timeout."""

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

    def ask(self, request: Request, reply: Reply) -> None:
        """Answer one request."""

    def raw(self, connection: socket.socket, protocol: str) -> None:
        """Deal with a connection that speaks no HTTP/1: `http2`, `websocket`, `other`."""

    def close(self) -> None:
        """Let go of the API."""


class Desk(Protocol):
    """Where lines come from."""

    def open(self, host: str, port: int) -> Line:
        """Open a line.

        Raises:
            Unreached: the API cannot be reached, or could not when it was recorded.
        """
