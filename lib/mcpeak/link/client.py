"""The one face of a server, whatever it is reached by: open, ask, wait, close.

A program asks (`call`, `request`), does its own work while the server does its, and waits. Everything is
synchronous; a transport that needs an event loop hides it. Events that answer nothing go to a listener.
"""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from types import MappingProxyType
from typing import NamedTuple, Protocol

from mcpeak.link.child import Ended
from mcpeak.link.tail import Tail
from mcpeak.protocol.answers import Answers
from mcpeak.protocol.events import Answer, Event, Unreadable
from mcpeak.protocol.handshake import Server
from mcpeak.protocol.revisions import Wish
from mcpeak.protocol.revisions import wish as read_wish
from mcpeak.wire.records import ProcessEnd


class Halt(Enum):
    """Why a request has no answer although the server lives."""

    TIMED_OUT = auto()
    INTERRUPTED = auto()


class Died(NamedTuple):
    """The server can no longer answer.

    `why`: exited, forked (others of its tree hold its pipes), stdout, stdin (it closed that one), or for HTTP
    a code of the http room such as HTTP_SESSION_LOST, with its `values`. `ended`: how its process ended, None
    while it runs or is not ours.
    """

    why: str
    ended: Ended | None = None
    values: Mapping[str, object] = MappingProxyType({})


class Failed(NamedTuple):
    """One exchange over HTTP went wrong; the next may go well. `words`: a sentence of the http room."""

    code: str
    words: str
    values: dict[str, object]


class TooLong(NamedTuple):
    """A line beyond the limit: its beginning and size. `id`: the waiting request that it plainly answers."""

    line: bytes
    size: int
    id: int | None


Outcome = Answer | Unreadable | TooLong | Failed | Died | Halt
Listener = Callable[[Event | TooLong], None]


class Manner(NamedTuple):
    """How to speak: which eras, and what to answer when the server asks.

    For HTTP: `ca`, a file of more certificates to trust; `proxy`, the URL of a proxy.
    """

    wish: Wish = read_wish("auto")
    answers: Answers = Answers()
    ca: str | None = None
    proxy: str | None = None


class Closed(NamedTuple):
    """How a connection ended.

    `answered_late`: what we waited for came only after the server's input had ended, and then at once;
    `forked`: the command had ended before, while processes that it started went on with its pipes.
    """

    process: ProcessEnd | None = None
    left_behind: tuple[str, ...] = ()
    answered_late: bool = False
    forked: bool = False


class ConnectFailed(Exception):  # noqa: N818 - named for what happened
    """The server cannot be reached (CONTRACT §4, connection errors).

    `detail`: PROCESS_START_FAILED, HANDSHAKE_TIMEOUT, HTTP_CONNECT_FAILED, …; the words are the sentence
    `words` (a code of `room`, `detail` itself if not given) with `values`.
    """

    def __init__(
        self,
        detail: str,
        *,
        room: str = "link",
        words: str | None = None,
        process: ProcessEnd | None = None,
        **values: object,
    ) -> None:
        super().__init__(detail, words, values)
        self.detail = detail
        self.room = room
        self.word = words or detail
        self.process = process
        self.values = values


class Interrupted(Exception):  # noqa: N818 - as ConnectFailed
    """A signal came before the server was ready."""


class Client(Protocol):
    """A connection to one server.

    `server`: who answered, once open; `opening`: the lines that opened it.
    """

    server: Server
    opening: list[bytes]

    @property
    def tail(self) -> Tail | None:
        """What the server writes to stderr; None where there is no process of ours."""

    def open(self, limit: float) -> None:
        """Do the handshake within `limit` seconds; raises ConnectFailed, Interrupted."""

    def call(self, name: str, arguments: bytes) -> int:
        """Send a tools/call around raw arguments; give the number to wait for."""

    def request(self, method: str, params: bytes | None = None) -> int:
        """Send a request; give the number to wait for."""

    def wait(self, number: int, limit: float) -> Outcome:
        """Wait for the answer; after `limit` seconds the request is cancelled."""

    def close(self) -> Closed:
        """End the connection and whatever was started for it; may be called twice."""
