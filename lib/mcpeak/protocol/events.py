"""What a session tells its driver; one small Struct an event, no behaviour."""

from typing import Any

from msgspec import Raw, Struct


class RpcError(Struct, gc=False, frozen=True):
    """A JSON-RPC error as the peer gave it. `code`: 0 when it named none; `data`: empty when absent."""

    code: int
    message: str
    data: Raw = Raw(b"")


class Problem(Struct, gc=False, frozen=True):
    """A rule that the peer broke. `code`: of `messages/*/protocol.toml`; `values`: its placeholders."""

    code: str
    values: dict[str, Any]


class Ready(Struct, gc=False):
    """The handshake is done; `session.server` tells with whom."""


class Refused(Struct, gc=False):
    """No handshake. `code`: HANDSHAKE_FAILED; `why`, `values`: a label of the protocol room."""

    code: str
    why: str
    values: dict[str, Any]


class Answer(Struct, gc=False):
    """A request has its answer: `result`, or `error`, or `result` and the `problem` that spoils it.

    `id` is what `request` gave, however many messages it took. `result` is raw JSON that may hold what a
    strict parser refuses (lone surrogates, numbers beyond a double); it need not be an object.
    """

    id: int
    result: Raw | None
    error: RpcError | None = None
    problem: Problem | None = None


class Send(Struct, gc=False):
    """A message that must go out now.

    `id`: the request whose next round it is, 0 for one of the handshake, None for a reply (no `method`) or a
    notification.
    """

    data: bytes
    id: int | None = None
    method: str = ""


class Noise(Struct, gc=False):
    """A line that is no JSON-RPC message."""

    line: bytes


class Unreadable(Struct, gc=False):
    """A line that cannot be read but plainly holds the `id` of a waiting request, which it thereby ends.

    `why`: `encoding`, `number` (NaN, Infinity), `cut`, `syntax`, `empty` (no result, no error), `id` (a
    string where a number was asked), `unended` (no line end came); `at`: byte.
    """

    line: bytes
    id: int
    why: str
    at: int


class Late(Struct, gc=False):
    """An answer to a request that was cancelled: dropped."""

    id: int


class UnknownId(Struct, gc=False):
    """An answer to nothing. `again`: that request was answered before; `error`: what it said, if one."""

    id: int | float | str | None
    again: bool
    error: RpcError | None = None


class Notification(Struct, gc=False):
    """The peer tells something. `params`: raw, empty when absent."""

    method: str
    params: Raw


class Asked(Struct, gc=False):
    """The peer asked something of us and has its reply. `refused`: the reply was an error."""

    method: str
    refused: bool


class Dropped(Struct, gc=False):
    """A tool that a client must leave out of a list. `why`: a label of the protocol room (`header_…`)."""

    tool: str
    why: str


Event = (
    Ready | Refused | Answer | Send | Noise | Unreadable | Late | UnknownId | Notification | Asked | Dropped
)
