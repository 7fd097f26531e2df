"""The handshake: which era and revision a connection speaks; follows `states.TABLES` and nothing else.

Rule of this file: it decides, the session sends. Source: PROTOCOL.md §3 (probe, era lock), §2 (shapes).
"""

from msgspec import Raw

from mcpeak.protocol import errors, messages
from mcpeak.protocol.errors import OurMistake
from mcpeak.protocol.events import Event, Ready, Refused, RpcError, Send
from mcpeak.protocol.handshake import Server, discovered, initialized, supported
from mcpeak.protocol.ledger import Ledger, Pending
from mcpeak.protocol.messages import ClientInfo, quoted
from mcpeak.protocol.revisions import LEGACY, MODERN, Wish
from mcpeak.protocol.states import READY, TABLES, State, Step


class Opening:
    """Brings a connection from NEW to LEGACY, MODERN or FAILED.

    Attributes:
        state: where it stands.
        server: who answered, once the state is ready.
        version: the modern revision that we name.
        meta: the `"_meta": …` member that every modern request carries.
    """

    def __init__(self, wish: Wish, client: ClientInfo, capabilities: bytes, ledger: Ledger) -> None:
        self.state = State.NEW
        self.server: Server | None = None
        self._wish = wish
        self._first, self._table = TABLES[frozenset(wish.eras)]
        self._client = b'{"name":%b,"version":%b}' % (quoted(client.name), quoted(client.version))
        self._capabilities = capabilities
        self._ledger = ledger
        self._found: Server | None = None
        self.meta = b""
        self.offer(wish.offered_modern)

    def begin(self) -> list[bytes]:
        """Give the first messages."""
        return self.step(self._first)

    def step(self, step: Step) -> list[bytes]:
        """Follow the table; give what must be sent on entering the new state.

        Raises:
            OurMistake: the table has no such step.
        """
        before = self.state
        try:
            self.state = self._table[before, step]
        except KeyError:
            raise OurMistake(f"{step.name} in state {before.name}") from None
        if self.state is before or (before, self.state) == (State.HEDGING, State.INITIALIZING):
            return []
        if self.state in (State.PROBING, State.DISCOVERING):
            return [self._discover()]
        if self.state in (State.INITIALIZING, State.HEDGING):
            return [self._initialize()]
        return [messages.notification("notifications/initialized")] if self.state is State.LEGACY else []

    def answered(self, pending: Pending, result: Raw, error: RpcError | None) -> list[Event]:
        """Take the answer to one of our own requests."""
        if self.state in READY or self.state is State.FAILED:
            return []  # the other half of a hedge, too late to matter
        if pending.method == "initialize":
            return self._on_initialize(result, error)
        return self._on_discover(pending, result, error)

    def unreadable(self, pending: Pending, why: str) -> list[Event]:
        """Take an answer to one of our own requests that nobody can read."""
        step = Step.REFUSED if pending.method == "initialize" else Step.DECLINED
        label = "refused_id" if why == "id" else "refused_unreadable"
        return self._move(step, _refused(label, method=pending.method))

    def offer(self, version: str) -> None:
        """Name this modern revision from now on."""
        self.version = version
        self.meta = b'"_meta":{%b:%b,%b:%b,%b:%b}' % (
            quoted(messages.META_VERSION),
            quoted(version),
            quoted(messages.META_CLIENT),
            self._client,
            quoted(messages.META_CAPABILITIES),
            self._capabilities,
        )

    def other_version(self, pending: Pending, error: RpcError) -> bool:
        """Settle on a modern revision that a refusal names; False: there is none, or it was tried."""
        if error.code != errors.UNSUPPORTED_PROTOCOL_VERSION or pending.retried:
            return False
        offered = supported(error.data)
        version = next((name for name in self._modern() if name in offered), None)
        if version is not None:
            pending.retried = True
            self.offer(version)
        return version is not None

    def _modern(self) -> tuple[str, ...]:
        return (self._wish.offered_modern,) if self._wish.pinned else MODERN

    def _initialize(self) -> bytes:
        params = b'{"protocolVersion":%b,"capabilities":%b,"clientInfo":%b}' % (
            quoted(self._wish.offered_legacy),
            self._capabilities,
            self._client,
        )
        return messages.request(self._ledger.ask("initialize", params, own=True), "initialize", params)

    def _discover(self) -> bytes:
        number = self._ledger.ask("server/discover", None, own=True)
        return messages.request(number, "server/discover", messages.joined(self.meta, None))

    def _on_discover(self, pending: Pending, result: Raw, error: RpcError | None) -> list[Event]:
        if error is not None and self.other_version(pending, error):
            number = self._ledger.ask_again(pending)
            params = messages.joined(self.meta, None)
            return [Send(messages.request(number, "server/discover", params), 0, "server/discover")]
        server = discovered(result, self._modern()) if error is None else None
        if server is None:
            return self._move(Step.DECLINED, _why("server/discover", error))
        self._found = server
        self.offer(server.protocol_version)
        return self._move(Step.DISCOVERED)

    def _on_initialize(self, result: Raw, error: RpcError | None) -> list[Event]:
        if error is not None:
            modern = error.code == errors.UNSUPPORTED_PROTOCOL_VERSION or self._found is not None
            locked = modern and (self.state, Step.LOCKED) in self._table
            return self._move(Step.LOCKED if locked else Step.REFUSED, _why("initialize", error))
        server = initialized(result)
        if server is None:
            return self._move(Step.REFUSED, _why("initialize", None))
        wanted = (self._wish.offered_legacy,) if self._wish.pinned else LEGACY
        if server.protocol_version not in wanted:
            offered, answered = self._wish.offered_legacy, server.protocol_version
            why = _refused("refused_version", answered=answered, offered=offered, known=", ".join(wanted))
            return self._move(Step.REFUSED, why)
        self._found = server
        return self._move(Step.ACCEPTED)

    def _send(self, line: bytes) -> Send:
        if self.state is State.LEGACY:
            return Send(line, None, "notifications/initialized")
        return Send(line, 0, "server/discover" if self.state is State.DISCOVERING else "initialize")

    def _move(self, step: Step, refused: Refused | None = None) -> list[Event]:
        """Take a step and tell its outcome."""
        if step is Step.LOCKED and self._found is not None:  # the probe was answered after all
            self.state = self._table[self._table[self.state, step], Step.DISCOVERED]
            events: list[Event] = []
        else:
            events = [self._send(line) for line in self.step(step)]
        if self.state in READY:
            self.server = self._found
            events.append(Ready())
        elif self.state is State.FAILED and refused is not None:
            events.append(refused)
        return events


def _refused(label: str, **values: object) -> Refused:
    return Refused("HANDSHAKE_FAILED", label, values)


def _why(method: str, error: RpcError | None) -> Refused:
    if error is None:
        return _refused("refused_shape", method=method)
    return _refused("refused_error", code=error.code, text=error.message)
