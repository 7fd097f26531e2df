"""Which requests wait, under which id: the session's memory, and nothing about what messages mean.

A request may need several messages (input-required rounds, another version): each has an id of its own, and
`origin` is the id that the caller knows.
"""

from msgspec import UNSET, Struct, UnsetType

from mcpeak.protocol.messages import Id


class Pending(Struct, gc=False):
    """A request that waits. `origin`: 0 for our own handshake; `rounds`: answers that asked for more."""

    origin: int
    method: str
    params: bytes | None
    rounds: int = 0
    retried: bool = False


class Ledger:
    """Ids given out, requests that wait for an answer, requests that no longer do."""

    def __init__(self) -> None:
        self.last = 0
        self.waiting: dict[Id | UnsetType, Pending] = {}
        self._cancelled: set[Id | UnsetType] = set()

    def ask(self, method: str, params: bytes | None, *, own: bool = False) -> int:
        """Enter a new request; give its id. `own`: it belongs to the handshake."""
        self.last += 1
        self.waiting[self.last] = Pending(0 if own else self.last, method, params)
        return self.last

    def ask_again(self, pending: Pending) -> int:
        """Enter the next message of a request that was taken; give its id."""
        self.last += 1
        self.waiting[self.last] = pending
        return self.last

    def key(self, origin: int) -> int | None:
        """Find the id under which the request that the caller knows as `origin` waits now."""
        if origin in self.waiting and self.waiting[origin].origin == origin:
            return origin
        return next(
            (int(str(key)) for key, pending in self.waiting.items() if pending.origin == origin), None
        )

    def meant(self, number: Id | UnsetType) -> Pending | None:
        """Take the request whose id a server wrote as a string (`"4"` for 4)."""
        if not isinstance(number, str):
            return None
        return next((self.waiting.pop(key) for key in list(self.waiting) if str(key) == number), None)

    def cancel(self, key: int) -> None:
        """Give a request up; its answer will be late."""
        del self.waiting[key]
        self._cancelled.add(key)

    def late(self, number: Id | UnsetType) -> bool:
        """Tell, once, whether this answers a request that was given up."""
        if number not in self._cancelled:
            return False
        self._cancelled.discard(number)
        return True

    def again(self, number: Id | UnsetType) -> bool:
        """Tell whether this id was given out before."""
        return number is not UNSET and isinstance(number, int | float) and 0 < number <= self.last
