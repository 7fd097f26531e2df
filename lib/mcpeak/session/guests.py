"""A connection of the child whose target is known, on its way to an answer.

Rule of this file: shapes only.
"""

import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from mcpeak.session.url import target_of

if TYPE_CHECKING:
    from mcpeak.session.line import Line

Tell = Callable[[str], None]
"""Tells a hook how its connection went: an error, or "" where there is none."""


class Guest:
    """A connection of the child.

    Args:
        connection: it.
        host: where it was meant to go.
        port: where there.

    `line`: what answers; None: to be opened. `heard`: what was read from it and belongs to a request that is
    not answered yet; `unsent`: the rest of an answer that the child was too slow to take;
    `closes`: that answer is the last.
    """

    __slots__ = ("closes", "connection", "heard", "host", "line", "port", "target", "unsent")

    def __init__(self, connection: socket.socket, host: str, port: int) -> None:
        self.connection = connection
        self.host, self.port = host, port
        self.target = target_of(host, port)
        self.line: Line | None = None
        self.heard = self.unsent = b""
        self.closes = False


class HandOver(NamedTuple):
    """Who takes what cannot be answered at once, and may wait.

    `proxied`: a client of the proxy; `other`: one of a proxy of the user's; `targeted`: a connection to a
    target; `failed`: one that the child shall end by itself.
    """

    proxied: Callable[[socket.socket], None]
    other: Callable[[socket.socket], None]
    targeted: Callable[[Guest, Tell], None]
    failed: Callable[[socket.socket], None]
