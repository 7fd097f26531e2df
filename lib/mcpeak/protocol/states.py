"""The session tables: (state, event) → state. Anything absent is somebody's mistake.

Why `auto` never sends `initialize` before the answer to `server/discover`: a server of the Python SDK 2 locks
its era at the first message and would merely refuse the second, but one of the TypeScript SDK 2 takes a
pipelined `initialize` as the client's last word and speaks legacy from then on (PROTOCOL.md §3). The probe
costs a legacy server one round trip, and that while nothing else is to be done. Silence is another matter:
after PROBE_SECONDS both are on their way, and whichever answer comes says which era the server took.
"""

from enum import Enum, auto

PROBE_SECONDS = 5.0
"""How long a server may keep silent on `server/discover` before `initialize` follows (seconds)."""


class State(Enum):
    """Where a session stands."""

    NEW = auto()
    PROBING = auto()  # server/discover sent; the server may be of either era
    DISCOVERING = auto()  # server/discover sent; only a modern server will do
    INITIALIZING = auto()  # initialize sent
    HEDGING = auto()  # initialize sent after a silent probe; either may be answered
    LEGACY = auto()  # ready, handshake done
    MODERN = auto()  # ready, stateless
    FAILED = auto()


class Step(Enum):
    """What can happen to a session during its handshake."""

    OPEN_AUTO = auto()
    OPEN_LEGACY = auto()
    OPEN_MODERN = auto()
    SILENT = auto()  # PROBE_SECONDS passed, or HTTP said that nothing modern is there
    DISCOVERED = auto()  # a DiscoverResult with a revision that we speak
    DECLINED = auto()  # any other answer to server/discover
    ACCEPTED = auto()  # an InitializeResult with a revision that we speak
    LOCKED = auto()  # initialize refused because the connection is modern (-32022)
    REFUSED = auto()  # initialize refused otherwise, or answered with what we cannot speak
    LOST = auto()  # the server forgot the session (HTTP 404)


_S, _T = State, Step
Table = dict[tuple[State, Step], State]

LEGACY_TABLE: Table = {
    (_S.NEW, _T.OPEN_LEGACY): _S.INITIALIZING,
    (_S.INITIALIZING, _T.ACCEPTED): _S.LEGACY,
    (_S.INITIALIZING, _T.REFUSED): _S.FAILED,
    (_S.LEGACY, _T.LOST): _S.INITIALIZING,
}
MODERN_TABLE: Table = {
    (_S.NEW, _T.OPEN_MODERN): _S.DISCOVERING,
    (_S.DISCOVERING, _T.DISCOVERED): _S.MODERN,
    (_S.DISCOVERING, _T.DECLINED): _S.FAILED,
    (_S.DISCOVERING, _T.SILENT): _S.DISCOVERING,
}
AUTO_TABLE: Table = {
    **LEGACY_TABLE,
    **MODERN_TABLE,
    (_S.NEW, _T.OPEN_AUTO): _S.PROBING,
    (_S.PROBING, _T.DISCOVERED): _S.MODERN,
    (_S.PROBING, _T.DECLINED): _S.INITIALIZING,
    (_S.PROBING, _T.SILENT): _S.HEDGING,
    (_S.HEDGING, _T.DISCOVERED): _S.HEDGING,
    (_S.HEDGING, _T.DECLINED): _S.INITIALIZING,
    (_S.HEDGING, _T.SILENT): _S.HEDGING,
    (_S.HEDGING, _T.ACCEPTED): _S.LEGACY,
    (_S.HEDGING, _T.LOCKED): _S.DISCOVERING,
    (_S.HEDGING, _T.REFUSED): _S.FAILED,
    (_S.INITIALIZING, _T.LOCKED): _S.DISCOVERING,
}
TABLES: dict[frozenset[str], tuple[Step, Table]] = {
    frozenset({"legacy"}): (_T.OPEN_LEGACY, LEGACY_TABLE),
    frozenset({"modern"}): (_T.OPEN_MODERN, MODERN_TABLE),
    frozenset({"legacy", "modern"}): (_T.OPEN_AUTO, AUTO_TABLE),
}
"""The eras that will do → how a session opens, and its table."""

READY = frozenset({State.LEGACY, State.MODERN})
MAY_ASK: dict[State, frozenset[str]] = {
    State.LEGACY: frozenset({"ping", "roots/list", "sampling/createMessage", "elicitation/create"})
}
"""What a server may ask of us in a state; `ping` goes in every other (legacy servers greet with it)."""
