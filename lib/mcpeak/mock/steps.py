"""The steps of an answer that takes time, for whoever can wait: the stdio player and the HTTP stream.

Rule of this file: shapes only. A script yields steps and returns the answer, or None where none will come.
"""

from collections.abc import Generator
from typing import Any, NamedTuple

from mcpeak.mock.faults import Fault


class Send(NamedTuple):
    """A message that belongs to this request: progress, a log line."""

    data: bytes


class Wait(NamedTuple):
    """A pause. `ms`: milliseconds."""

    ms: int


class Ask(NamedTuple):
    """A request to the client (legacy); the script gets its answer: {"result": …} or {"error": …}."""

    method: str
    params: dict[str, Any]


class Publish(NamedTuple):
    """A notification for whoever listens."""

    method: str
    params: dict[str, Any]


class Listen(NamedTuple):
    """The rest of the script is what is published; it ends when the client cancels (modern).

    `wanted`: the notification methods and resource URIs asked for; `tag`: the `_meta` of what is sent.
    """

    wanted: frozenset[str]
    uris: frozenset[str]
    tag: dict[str, Any]

    def wants(self, method: str, params: dict[str, Any]) -> bool:
        """Tell whether news are among what was asked for."""
        return method in self.wanted or params.get("uri") in self.uris


class Commit(NamedTuple):
    """A fault, committed by the edge."""

    fault: Fault


Step = Send | Wait | Ask | Publish | Listen | Commit
Script = Generator[Step, Any, bytes | None]
