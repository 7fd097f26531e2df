"""The mock as a server without I/O: one message in; its answer, the script of its answer, or nothing out.

Rule of this file: pure; methods and the order of the checks live here. Source: PROTOCOL.md §1-3.
"""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from mcpeak.mock import tools, words
from mcpeak.mock.answers import Refusal, bad, good
from mcpeak.mock.book import Book
from mcpeak.mock.call import Call
from mcpeak.mock.eras import Eras, lock
from mcpeak.mock.faults import Fault
from mcpeak.mock.incoming import MALFORMED, Incoming, proper_id
from mcpeak.mock.peer import Peer
from mcpeak.mock.steps import Commit, Script
from mcpeak.mock.vocabulary import LEVELS
from mcpeak.protocol.errors import INVALID_PARAMS, INVALID_REQUEST
from mcpeak.protocol.revisions import Wish, wish

Handler = Callable[[Call], bytes | Script]

_LISTEN = "subscriptions/listen"
_LEGACY_ONLY = ("resources/subscribe", "resources/unsubscribe")
BATCHES = frozenset({"2025-03-26"})
"""Revisions in which a server must take batches."""


class Server:
    """A mock. `book` may be replaced while it serves."""

    def __init__(self, book: Book, asked: Wish | None = None) -> None:
        """Serve a definition. `asked`: which eras and revisions (`--protocol`), both by default."""
        self.eras = Eras(asked or wish())
        self.open(book)

    def open(self, book: Book) -> None:
        """Serve this definition from now on."""
        self.book = book
        self._locking = "lockEra" in book.definition.value.get("faults", {})
        both = {"tools/list": tools.list_tools, "tools/call": tools.call_tool} | _more(book.capabilities)
        self._modern: dict[str, Handler] = both | {"server/discover": self._discover, _LISTEN: _listen}
        for name in _LEGACY_ONLY:
            self._modern.pop(name, None)
        self._legacy: dict[str, Handler] = {}
        if self.eras.legacy:
            self._legacy = both | {"initialize": self._initialize, "ping": _nothing}
        if self.eras.legacy and "logging" in book.capabilities:
            self._legacy["logging/setLevel"] = _set_level

    def answer(self, message: Incoming, peer: Peer) -> bytes | Script | None:
        """Answer one message; a notification and an answer of the client's own get nothing."""
        try:
            return self.respond(message, peer)
        except Refusal as wrong:
            return bad(bytes(message.id), wrong)

    def respond(self, message: Incoming, peer: Peer, *, modern: bool | None = None) -> bytes | Script | None:
        """Answer one message.

        Args:
            message: what came.
            peer: who sent it.
            modern: what an HTTP header says of the era; None where only the message tells.

        Raises:
            Refusal: the answer is a JSON-RPC error.
        """
        request_id = bytes(message.id)
        if message.jsonrpc != "2.0" or not (message.method is not None or _is_answer(message)):
            raise Refusal(INVALID_REQUEST, words.plain("INVALID_REQUEST"), status=400)
        if message.method is None or not request_id:
            return None
        if not proper_id(request_id):
            raise Refusal(INVALID_REQUEST, words.plain("INVALID_REQUEST"), status=400)
        if modern is None:
            modern = self.eras.is_modern(message)
        if message.params is MALFORMED:
            raise Refusal(INVALID_PARAMS, words.plain("PARAMS_NOT_OBJECT"), status=400 if modern else 200)
        if self._locking:
            lock(peer, modern=modern)
        if modern:
            self.eras.check_meta(message)
        handler = (self._modern if modern else self._legacy).get(message.method)
        if handler is None:
            raise self.eras.no_method(message, modern=modern)
        call = Call(request_id, message.method, message.params, modern, self.book, peer)
        fault = self.book.faults.get(message.method)
        if fault is not None and tools.passed(call, message.method) >= fault.after:
            return _faulty(fault, handler, call)
        answer = handler(call)
        return good(request_id, answer) if type(answer) is bytes else answer

    def _initialize(self, call: Call) -> bytes:
        served = self.eras.legacy
        wanted = served[0] if call.params.protocol_version is UNSET else call.string("protocol_version")
        call.peer.revision = wanted if wanted in served else served[0]
        told = call.params.capabilities
        call.peer.capabilities = told if isinstance(told, dict) else {}
        members: dict[str, Any] = {
            "protocolVersion": call.peer.revision,
            "capabilities": self.book.capabilities,
            "serverInfo": self.book.server,
        }
        return call.result(members | self.book.instructions)

    def _discover(self, call: Call) -> bytes:
        members = {"supportedVersions": list(self.eras.modern), "capabilities": self.book.capabilities}
        return call.result(members | self.book.instructions, cached=True)


def _more(capabilities: dict[str, Any]) -> dict[str, Handler]:
    """Give the methods of what a definition has besides tools."""
    if not capabilities.keys() & {"resources", "prompts", "completions"}:
        return {}
    from mcpeak.mock import library  # late: most definitions have tools only

    return {
        m: handler
        for name, of in library.METHODS.items()
        if name in capabilities
        for m, handler in of.items()
    }


def _listen(call: Call) -> bytes | Script:
    from mcpeak.mock.listen import listen  # late, as above

    return listen(call)


def _nothing(call: Call) -> bytes:
    return call.result({})


def _set_level(call: Call) -> bytes:
    if call.params.level not in LEVELS:
        raise Refusal(INVALID_PARAMS, words.plain("BAD_LEVEL", levels=", ".join(LEVELS)))
    call.peer.level = call.params.level
    return call.result({})


def _is_answer(message: Incoming) -> bool:
    return bool(bytes(message.result) or bytes(message.error))


def _faulty(fault: Fault, handler: Handler, call: Call) -> Script:
    """Commit a fault before the answer of a method."""
    yield Commit(fault)
    answer = handler(call)
    if isinstance(answer, bytes):
        return good(call.id, answer)
    return (yield from answer)
