"""One client session of either era: a message in, events out.

Rule of this file: the path of an ordinary answer (`received`, `_take`, `_answered`) stays one decode and one
Struct; the handshake lives in `opening`, lines beyond the decoder in `careful` and `rpc`. Raw JSON of users
and servers is never reshaped. Source: PROTOCOL.md §2-4; CONTRACT §4 for unreadable lines.
"""

from msgspec import Raw, UnsetType

from mcpeak.protocol import careful, errors, messages
from mcpeak.protocol.answers import Answering, Answers, Refusal
from mcpeak.protocol.errors import OurMistake
from mcpeak.protocol.events import (
    Answer,
    Asked,
    Event,
    Late,
    Noise,
    Notification,
    Problem,
    RpcError,
    Send,
    UnknownId,
    Unreadable,
)
from mcpeak.protocol.handshake import Server
from mcpeak.protocol.inputs import Rounds
from mcpeak.protocol.ledger import Ledger, Pending
from mcpeak.protocol.messages import ClientInfo, Message, decode_message, quoted
from mcpeak.protocol.opening import Opening
from mcpeak.protocol.revisions import Era, Wish
from mcpeak.protocol.rpc import TROUBLE, is_error, kind_of, message_of, rpc_error
from mcpeak.protocol.states import MAY_ASK, READY, State, Step

MAX_ROUNDS = 10
"""How often one request may be answered with `input_required` before we give up."""
NO_ANSWERS = Answers()
_PING = frozenset({"ping"})


class Session:
    """A client's side of one connection.

    Args:
        wish: which eras and revisions will do (`revisions.wish`).
        transport: `stdio` or `http`: decides how a request is cancelled.
        client: who we say we are.
        answers: what we answer when asked; declares the capabilities.
    """

    def __init__(self, wish: Wish, transport: str, client: ClientInfo, answers: Answers = NO_ANSWERS) -> None:
        self._transport = transport
        self._answering = Answering(answers)
        self._ledger = Ledger()
        self._opening = Opening(wish, client, answers.capabilities(), self._ledger)

    @property
    def state(self) -> State:
        """Where the session stands."""
        return self._opening.state

    @property
    def server(self) -> Server | None:
        """Who answered the handshake; None before it is done."""
        return self._opening.server

    @property
    def era(self) -> Era | None:
        """The era that was settled on; None before."""
        server = self._opening.server
        return None if server is None else server.era

    @property
    def modern_version(self) -> str:
        """The revision that our modern requests name (HTTP repeats it in a header)."""
        return self._opening.version

    @property
    def probing(self) -> bool:
        """Whether the probe is out and unanswered: the time for `silence`."""
        return self._opening.state is State.PROBING

    def open(self) -> list[bytes]:
        """Give the first messages."""
        return self._opening.begin()

    def silence(self) -> list[bytes]:
        """Go on after a probe without an answer (stdio), or with none of the modern era (HTTP)."""
        return self._opening.step(Step.SILENT) if self.state not in READY else []

    def reopen(self) -> list[bytes]:
        """Begin again after the server forgot the session (HTTP 404); waiting requests stay waiting."""
        return self._opening.step(Step.LOST)

    def call(self, name: str, arguments: bytes) -> tuple[int, bytes]:
        """Build a tools/call around raw arguments, which must be a JSON object."""
        return self.request("tools/call", messages.call_params(quoted(name), arguments))

    def request(self, method: str, params: bytes | None = None) -> tuple[int, bytes]:
        """Build a request; `params`: a raw JSON object. Gives its id and its line.

        Raises:
            OurMistake: the handshake is not done.
        """
        if self._opening.state not in READY:
            raise OurMistake(f"{method} in state {self.state.name}")
        number = self._ledger.ask(method, params)
        return number, self._line(number, method, params)

    def cancel(self, number: int, reason: str) -> bytes | None:
        """Give up a request. None: nothing is to be sent (modern HTTP: close its response stream instead)."""
        key = self._ledger.key(number)
        if key is None:
            return None
        self._ledger.cancel(key)
        if self.state is State.MODERN and self._transport == "http":
            return None
        params = b'{"requestId":%d,"reason":%b}' % (key, quoted(reason))
        return messages.notification("notifications/cancelled", params)

    def waits(self, number: int) -> bool:
        """Tell whether this request (by the id that `request` gave) still waits for its answer."""
        return self._ledger.key(number) is not None

    def received(self, line: bytes) -> list[Event]:
        """Say what one message means: a line without its line end, one HTTP body, one SSE event."""
        try:
            message = decode_message(line)
        except TROUBLE:
            return self._beyond(line)
        if not line.isascii() and careful.bad_utf8(line) >= 0:  # the decoder does not look into raw members
            return self._beyond(line)
        return self._take(message, line)

    def _take(self, message: Message, line: bytes) -> list[Event]:
        if message.method is None:
            return self._answered(message, line)
        if isinstance(message.id, UnsetType):
            return [Notification(message.method, message.params)]
        return self._asked(message.id, message.method, message.params)

    def _answered(self, message: Message, line: bytes) -> list[Event]:
        pending = self._ledger.waiting.pop(message.id, None)
        if pending is None:
            return self._stray(message, line)
        error = rpc_error(message.error) if is_error(message) else None
        if error is None and not len(message.result):
            if b"jsonrpc" not in line:  # a log line that has an id of its own
                self._ledger.waiting[message.id] = pending
                return [Noise(line)]
            return self._unreadable(line, pending, "empty", 0)
        if not pending.origin:
            return self._opening.answered(pending, message.result, error)
        if self._opening.state is State.MODERN:
            return self._modern(pending, message.result, error)
        return [Answer(pending.origin, message.result if error is None else None, error)]

    def _stray(self, message: Message, line: bytes) -> list[Event]:
        """Name an answer that nothing waits for."""
        number = message.id
        if isinstance(number, UnsetType) or not (len(message.result) or is_error(message)):
            return [Noise(line)]
        if self._ledger.late(number) and isinstance(number, int | float):
            return [Late(int(number))]
        error = rpc_error(message.error) if is_error(message) else None
        meant = self._ledger.meant(number)
        if meant is not None:
            return self._unreadable(line, meant, "id", 0)
        return [UnknownId(number, self._ledger.again(number), error)]

    def _asked(self, number: messages.Id, method: str, params: Raw) -> list[Event]:
        """Answer the server's own request at once, while ours may wait."""
        allowed = MAY_ASK.get(self.state, _PING)
        reply = self._answering.reply(method, bytes(params)) if method in allowed else _not_served(method)
        if isinstance(reply, Refusal):
            return [Send(messages.error(number, reply.code, reply.message)), Asked(method, refused=True)]
        return [Send(messages.result(number, reply)), Asked(method, refused=False)]

    def _line(self, number: int, method: str, params: bytes | None) -> bytes:
        if self._opening.state is State.MODERN:
            params = messages.joined(self._opening.meta, params)
        return messages.request(number, method, params)

    def _modern(self, pending: Pending, result: Raw, error: RpcError | None) -> list[Event]:
        """Look at what kind a result says it is; some need another round before the caller hears of it."""
        if error is not None:
            if self._opening.other_version(pending, error):
                return [self._again(pending, pending.params)]
            return [Answer(pending.origin, None, error)]
        kind = kind_of(result)
        if kind == "complete":
            return [Answer(pending.origin, result)]
        if kind == "input_required":
            return [self._next_round(pending, result)]
        return [Answer(pending.origin, result, None, Problem("RESULT_TYPE_UNKNOWN", {"kind": kind}))]

    def _next_round(self, pending: Pending, result: Raw) -> Event:
        rounds = Rounds(pending.method, pending.params, self._answering)
        if pending.rounds >= MAX_ROUNDS:
            problem: Problem | None = Problem("INPUT_ROUNDS_EXCEEDED", {"limit": MAX_ROUNDS})
        else:
            problem = rounds.take(bytes(result))
        if problem is not None:
            return Answer(pending.origin, result, None, problem)
        pending.rounds += 1
        return self._again(pending, rounds.params)

    def _again(self, pending: Pending, params: bytes | None) -> Event:
        """Send a waiting request once more, under a new id, for the same caller."""
        number = self._ledger.ask_again(pending)
        return Send(self._line(number, pending.method, params), pending.origin, pending.method)

    def _beyond(self, line: bytes) -> list[Event]:
        """Look carefully at a line that the fast decoder refuses."""
        if not line.strip():
            return []
        seen = careful.scan(line)
        if seen.elements is not None and not seen.why:  # a batch (2025-03-26 and before)
            return [event for part in seen.elements for event in self.received(part)] or [Noise(line)]
        if seen.members is None:
            return [Noise(line)]
        if seen.why:
            return self._broken(line, seen.members, seen.why, seen.at)
        message = message_of(seen.members)
        return [Noise(line)] if message is None else self._take(message, line)

    def _broken(self, line: bytes, members: dict[str, bytes], why: str, at: int) -> list[Event]:
        """Find out whose answer a line that nobody can read was meant to be."""
        message = message_of({"id": members["id"]}) if "id" in members and "method" not in members else None
        pending = None if message is None else self._ledger.waiting.pop(message.id, None)
        return [Noise(line)] if pending is None else self._unreadable(line, pending, why, at)

    def _unreadable(self, line: bytes, pending: Pending, why: str, at: int) -> list[Event]:
        if pending.origin:
            return [Unreadable(line, pending.origin, why, at)]
        return self._opening.unreadable(pending, why)


def _not_served(method: str) -> Refusal:
    return Refusal(errors.METHOD_NOT_FOUND, f"Method not found: {method}")
