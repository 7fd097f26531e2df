"""One client session of either era: a line in, events out; the handshake follows `states.TABLE`.

Rule of this file: the path of an ordinary answer (`received` → `_answered`) stays one decode and one Struct;
whatever is rare lives below or in a file of its own. Raw JSON of users and servers is never reshaped.
Source: PROTOCOL.md §2-4; CONTRACT §4 for unreadable lines.
"""

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

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
    Ready,
    Refused,
    RpcError,
    Send,
    UnknownId,
    Unreadable,
)
from mcpeak.protocol.handshake import Server, discovered, initialized, supported
from mcpeak.protocol.inputs import Rounds
from mcpeak.protocol.messages import ClientInfo, Message, decode_message, quoted
from mcpeak.protocol.revisions import LEGACY, MODERN, Era, Wish
from mcpeak.protocol.states import READY, TABLE, State, Step

NO_ANSWERS = Answers()
MAX_ROUNDS = 10
"""How often one request may be answered with `input_required` before we give up."""


class Pending(Struct, gc=False):
    """A request that waits. `origin`: the id that the caller knows; `rounds`: answers that asked for more."""

    origin: int
    method: str
    params: bytes | None
    rounds: int = 0
    retried: bool = False


class Session:
    """A client's side of one connection.

    Args:
        wish: which eras and revisions will do (`revisions.wish`).
        transport: `stdio` or `http`: decides how a request is cancelled.
        client_info: who we say we are.
        answers: what we answer when asked; declares the capabilities.

    Attributes:
        state: where the handshake stands.
        server: who answered; None until then.
    """

    def __init__(
        self, wish: Wish, transport: str, client_info: ClientInfo, answers: Answers = NO_ANSWERS
    ) -> None:
        self.state = State.NEW
        self.server: Server | None = None
        self._wish = wish
        self._transport = transport
        self._answering = Answering(answers)
        self._capabilities = answers.capabilities()
        self._client = b'{"name":%b,"version":%b}' % (quoted(client_info.name), quoted(client_info.version))
        self._waiting: dict[messages.Id | UnsetType, Pending] = {}
        self._cancelled: set[messages.Id | UnsetType] = set()
        self._last = 0
        self._meta = b""
        self._offer_modern(wish.offered_modern)
        self._found: Server | None = None  # what a late DiscoverResult told while initialize is on its way

    # -- opening

    @property
    def probing(self) -> bool:
        """Whether the first message is out and nothing was answered: the time for `silence`."""
        return self.state is State.PROBING

    @property
    def era(self) -> Era | None:
        """The era that was settled on, None before."""
        return self.server.era if self.server is not None else None

    def open(self) -> list[bytes]:
        """Give the first messages."""
        if self._wish.eras == {"legacy"}:
            return self._step(Step.OPEN_LEGACY)
        return self._step(Step.OPEN_AUTO if "legacy" in self._wish.eras else Step.OPEN_MODERN)

    def silence(self) -> list[bytes]:
        """Go on after a probe without an answer (stdio), or with none of the modern era (HTTP)."""
        return self._step(Step.SILENT) if self.state not in READY else []

    def reopen(self) -> list[bytes]:
        """Begin the session again after the server forgot it (HTTP 404); waiting requests stay waiting."""
        return self._step(Step.LOST)

    # -- asking

    def call(self, name: str, arguments: bytes) -> tuple[int, bytes]:
        """Build a tools/call around raw arguments, which must be a JSON object."""
        return self.request("tools/call", messages.call_params(quoted(name), arguments))

    def request(self, method: str, params: bytes | None = None) -> tuple[int, bytes]:
        """Build a request; `params`: a raw JSON object. Gives its id and its line.

        Raises:
            OurMistake: the handshake is not done.
        """
        if self.state not in READY:
            raise OurMistake(f"{method} in state {self.state.name}")
        number = self._last = self._last + 1
        self._waiting[number] = Pending(number, method, params)
        return number, self._line(number, method, params)

    def cancel(self, number: int, reason: str) -> bytes | None:
        """Give up a request. None: nothing is to be sent (modern HTTP: close its response stream instead)."""
        key = next((key for key, pending in self._waiting.items() if pending.origin == number), None)
        if key is None:
            return None
        del self._waiting[key]
        self._cancelled.add(key)
        if self.state is State.MODERN and self._transport == "http":
            return None
        params = b'{"requestId":%b,"reason":%b}' % (quoted(key), quoted(reason))
        return messages.notification("notifications/cancelled", params)

    def waits(self, number: int) -> bool:
        """Whether this request (by the id that `request` gave) still waits for its answer."""
        return any(pending.origin == number for pending in self._waiting.values())

    # -- hearing

    def received(self, line: bytes) -> list[Event]:
        """Say what one message means: a line without its line end, one HTTP body, one SSE event."""
        try:
            message = decode_message(line)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return self._refused_by_decoder(line)
        if not line.isascii() and careful.bad_utf8(line) >= 0:  # the decoder does not look into raw members
            return self._refused_by_decoder(line)
        return self._take(message, line)

    def _take(self, message: Message, line: bytes) -> list[Event]:
        if message.method is None:
            return self._answered(message, line)
        if message.id is UNSET:
            return [Notification(message.method, message.params)]
        return self._asked(message)

    def _answered(self, message: Message, line: bytes) -> list[Event]:
        number = message.id
        pending = self._waiting.pop(number, None)
        if pending is None:
            return self._stray(message, line)
        failed = bytes(message.error) not in (b"", b"null")
        if not failed and not bytes(message.result):
            return self._unreadable(line, pending, "empty", 0)
        error = rpc_error(message.error) if failed else None
        if pending.method in ("initialize", "server/discover") and pending.origin == 0:
            return self._handshake(pending, message.result, error)
        if self.state is State.MODERN:
            return self._modern(pending, message.result, error)
        if error is not None:
            return [Answer(pending.origin, None, error)]
        return [Answer(pending.origin, message.result)]

    def _stray(self, message: Message, line: bytes) -> list[Event]:
        number = message.id
        if number is UNSET or not (bytes(message.result) or bytes(message.error)):
            return [Noise(line)]
        if number in self._cancelled:
            self._cancelled.discard(number)
            return [Late(int(number))]  # type: ignore[arg-type] # equal to an int of ours, so it is a number
        again = isinstance(number, int | float) and 0 < number <= self._last
        error = rpc_error(message.error) if bytes(message.error) not in (b"", b"null") else None
        return [UnknownId(number, again, error)]

    def _asked(self, message: Message) -> list[Event]:
        """Answer the server's own request at once, while ours may wait."""
        method = str(message.method)
        reply = self._answering.reply(method, bytes(message.params)) if self._may_ask(method) else _FORBIDDEN
        if isinstance(reply, Refusal):
            data = messages.error(message.id, reply.code, reply.message)  # type: ignore[arg-type] # not UNSET here
        else:
            data = messages.result(message.id, reply)  # type: ignore[arg-type] # not UNSET here
        return [Send(data), Asked(method, isinstance(reply, Refusal))]

    def _may_ask(self, method: str) -> bool:
        """Modern servers may ask nothing this way; before the handshake only `ping` is in order."""
        return method == "ping" or self.state is State.LEGACY

    # -- the handshake

    def _step(self, step: Step) -> list[bytes]:
        """Follow the table; give what is to be sent. The state tells the rest."""
        before = self.state
        try:
            self.state = TABLE[before, step]
        except KeyError:
            raise OurMistake(f"{step.name} in state {before.name}") from None
        if self.state is before:
            return []
        if self.state is State.HEDGING or (self.state is State.INITIALIZING and before is not State.HEDGING):
            return [self._initialize()]
        if self.state in (State.PROBING, State.DISCOVERING):
            return [self._discover()]
        if self.state is State.LEGACY:
            return [messages.notification("notifications/initialized")]
        return []

    def _initialize(self) -> bytes:
        params = b'{"protocolVersion":%b,"capabilities":%b,"clientInfo":%b}' % (
            quoted(self._wish.offered_legacy),
            self._capabilities,
            self._client,
        )
        return self._own("initialize", params)

    def _discover(self) -> bytes:
        return self._own("server/discover", messages.joined(self._meta, None))

    def _own(self, method: str, params: bytes) -> bytes:
        number = self._last = self._last + 1
        self._waiting[number] = Pending(0, method, params)
        return messages.request(number, method, params)

    def _handshake(self, pending: Pending, result: Raw, error: RpcError | None) -> list[Event]:
        if self.state in READY or self.state is State.FAILED:
            return []  # the other half of a hedge, too late to matter
        if pending.method == "initialize":
            return self._on_initialize(result, error)
        return self._on_discover(pending, result, error)

    def _on_discover(self, pending: Pending, result: Raw, error: RpcError | None) -> list[Event]:
        if error is not None and error.code == errors.UNSUPPORTED_PROTOCOL_VERSION and not pending.retried:
            version = self._speakable(supported(error.data))
            if version is not None:
                self._offer_modern(version)
                again = self._discover()
                self._waiting[self._last].retried = True
                return [Send(again, 0, "server/discover")]
        server = discovered(result, self._modern_names()) if error is None else None
        if server is None:
            refused = Refused("HANDSHAKE_FAILED", *_why_not_modern(error))
            return self._moved(Step.DECLINED, refused)
        self._found = server
        self._offer_modern(server.protocol_version)
        return self._moved(Step.DISCOVERED, None)

    def _on_initialize(self, result: Raw, error: RpcError | None) -> list[Event]:
        if error is not None:
            if error.code == errors.UNSUPPORTED_PROTOCOL_VERSION and "modern" in self._wish.eras:
                return self._moved(Step.LOCKED, None)
            values = {"code": error.code, "text": error.message}
            return self._moved(Step.REFUSED, Refused("HANDSHAKE_FAILED", "refused_error", values))
        server = initialized(result)
        if server is None:
            return self._moved(
                Step.REFUSED, Refused("HANDSHAKE_FAILED", "refused_shape", {"method": "initialize"})
            )
        wanted = (self._wish.offered_legacy,) if self._wish.pinned else LEGACY
        if server.protocol_version not in wanted:
            values = {
                "answered": server.protocol_version,
                "offered": self._wish.offered_legacy,
                "known": ", ".join(wanted),
            }
            return self._moved(Step.REFUSED, Refused("HANDSHAKE_FAILED", "refused_version", values))
        self._found = server
        return self._moved(Step.ACCEPTED, None)

    def _moved(self, step: Step, refused: Refused | None) -> list[Event]:
        """Take a step and tell its outcome."""
        events: list[Event] = [Send(line) for line in self._step(step)]
        if self.state is State.DISCOVERING and self._found is not None:  # locked, and the probe was answered
            self._waiting.clear()
            self.state = TABLE[self.state, Step.DISCOVERED]
            events = []
        if self.state in READY:
            self.server = self._found
            events.append(Ready())
        elif self.state is State.FAILED and refused is not None:
            events.append(refused)
        return events

    def _modern_names(self) -> tuple[str, ...]:
        return (self._wish.offered_modern,) if self._wish.pinned else MODERN

    def _speakable(self, names: list[str]) -> str | None:
        return next((name for name in self._modern_names() if name in names), None)

    def _offer_modern(self, version: str) -> None:
        self._meta = b'"_meta":{%b:%b,%b:%b,%b:%b}' % (
            quoted(messages.META_VERSION),
            quoted(version),
            quoted(messages.META_CLIENT),
            self._client,
            quoted(messages.META_CAPABILITIES),
            self._capabilities,
        )

    # -- the modern era

    def _line(self, number: int, method: str, params: bytes | None) -> bytes:
        if self.state is State.MODERN:
            params = messages.joined(self._meta, params)
        return messages.request(number, method, params)

    def _modern(self, pending: Pending, result: Raw, error: RpcError | None) -> list[Event]:
        """Look at what kind a result says it is; some need another round before the caller hears of it."""
        if error is not None:
            again = self._other_version(pending, error)
            return [again] if again is not None else [Answer(pending.origin, None, error)]
        kind = _kind(result)
        if kind == "complete":
            return [Answer(pending.origin, result)]
        if kind != "input_required":
            return [Answer(pending.origin, result, None, Problem("RESULT_TYPE_UNKNOWN", {"kind": kind}))]
        return self._next_round(pending, result)

    def _other_version(self, pending: Pending, error: RpcError) -> Event | None:
        if error.code != errors.UNSUPPORTED_PROTOCOL_VERSION or pending.retried:
            return None
        version = self._speakable(supported(error.data))
        if version is None:
            return None
        self._offer_modern(version)
        return self._again(pending, pending.params, retried=True)

    def _next_round(self, pending: Pending, result: Raw) -> list[Event]:
        rounds = Rounds(pending.method, pending.params, self._answering)
        if pending.rounds >= MAX_ROUNDS:
            problem: Problem | None = Problem("INPUT_ROUNDS_EXCEEDED", {"limit": MAX_ROUNDS})
        else:
            problem = rounds.take(bytes(result))
        if problem is not None:
            return [Answer(pending.origin, result, None, problem)]
        return [self._again(pending, rounds.params, rounds=pending.rounds + 1)]

    def _again(
        self, pending: Pending, params: bytes | None, *, rounds: int = 0, retried: bool = False
    ) -> Event:
        """Send a waiting request once more, under a new id, for the same caller."""
        number = self._last = self._last + 1
        self._waiting[number] = Pending(
            pending.origin,
            pending.method,
            pending.params,
            rounds or pending.rounds,
            retried or pending.retried,
        )
        return Send(self._line(number, pending.method, params), pending.origin, pending.method)

    # -- what the fast decoder refuses

    def _refused_by_decoder(self, line: bytes) -> list[Event]:
        if not line.strip():
            return []
        seen = careful.scan(line)
        if seen.elements is not None and not seen.why:
            return [event for part in seen.elements for event in self.received(part)] or [Noise(line)]
        if seen.members is None:
            return [Noise(line)]
        if seen.why:
            return self._broken(line, seen)
        message = careful_message(seen.members)
        return self._take(message, line) if message is not None else [Noise(line)]

    def _broken(self, line: bytes, seen: careful.Scan) -> list[Event]:
        """Find out whose answer a line that nobody can read was meant to be."""
        try:
            number = msgspec.json.decode((seen.members or {}).get("id", b"null"), type=messages.Id)
        except (msgspec.DecodeError, ValueError):
            number = None
        pending = self._waiting.pop(number, None) if "method" not in (seen.members or {}) else None
        return [Noise(line)] if pending is None else self._unreadable(line, pending, seen.why, seen.at)

    def _unreadable(self, line: bytes, pending: Pending, why: str, at: int) -> list[Event]:
        if pending.origin:
            return [Unreadable(line, pending.origin, why, at)]
        refused = Refused("HANDSHAKE_FAILED", "refused_unreadable", {"method": pending.method})
        step = Step.REFUSED if pending.method == "initialize" else Step.DECLINED
        return self._moved(step, refused)


def _why_not_modern(error: RpcError | None) -> tuple[str, dict[str, object]]:
    if error is None:
        return "refused_shape", {"method": "server/discover"}
    return "refused_error", {"code": error.code, "text": error.message}


_FORBIDDEN = Refusal(
    errors.METHOD_NOT_FOUND, "Method not found: this connection allows no requests from the server"
)


def careful_message(members: dict[str, bytes]) -> Message | None:
    """Make a message of members that the careful walk found."""
    try:
        number = msgspec.json.decode(members["id"], type=messages.Id) if "id" in members else UNSET
        method = msgspec.json.decode(members.get("method", b"null"), type=str | None)
    except (msgspec.DecodeError, ValueError):
        return None
    raw = {key: Raw(members.get(key, b"")) for key in ("params", "result", "error")}
    return Message(number, method, **raw)


class _Error(Struct, gc=False):
    code: object = 0
    message: object = ""
    data: Raw = messages.NOTHING


def rpc_error(raw: Raw) -> RpcError:
    """Read an error object, whatever its shape: a bad one is still an error."""
    try:
        seen = msgspec.json.decode(raw, type=_Error)
    except (msgspec.DecodeError, ValueError, RecursionError):
        members = careful.scan(bytes(raw)).members or {}
        if not members:
            return RpcError(0, bytes(raw).decode("utf-8", "replace"))
        scrubbed = {
            key: careful.without_lone_surrogates(value) for key, value in members.items() if key != "data"
        }
        try:
            seen = msgspec.convert(
                {key: msgspec.json.decode(value) for key, value in scrubbed.items()}, _Error
            )
        except (msgspec.DecodeError, ValueError, RecursionError):
            return RpcError(0, bytes(raw).decode("utf-8", "replace"))
        seen.data = Raw(members.get("data", b""))
    code = seen.code if isinstance(seen.code, int) and not isinstance(seen.code, bool) else 0
    return RpcError(code, seen.message if isinstance(seen.message, str) else "", seen.data)


def _kind(result: Raw) -> object:
    try:
        return messages.decode_kind(result).result_type
    except (msgspec.DecodeError, ValueError, RecursionError):
        members = careful.scan(bytes(result)).members
        if members is None or "resultType" not in members:
            return "complete"
        return members["resultType"].decode("utf-8", "replace").strip('"')
