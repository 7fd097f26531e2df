"""Which revisions are served, and in which era a message speaks.

Rule of this file: pure. Source: PROTOCOL.md §1, §3 (probe and era lock), §4 (errors of the modern era).
"""

from msgspec import UNSET

from mcpeak.mock import words
from mcpeak.mock.answers import Refusal
from mcpeak.mock.incoming import Incoming
from mcpeak.mock.peer import Peer
from mcpeak.protocol.errors import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    UNSUPPORTED_PROTOCOL_VERSION,
)
from mcpeak.protocol.messages import META_CAPABILITIES, META_VERSION
from mcpeak.protocol.revisions import LEGACY, MODERN, Wish


class Eras:
    """What `--protocol` leaves of the eras. `modern`, `legacy`: the revisions served, newest first."""

    def __init__(self, wish: Wish) -> None:
        modern = (wish.offered_modern,) if wish.pinned else MODERN
        legacy = (wish.offered_legacy,) if wish.pinned else LEGACY
        self.modern = modern if "modern" in wish.eras else ()
        self.legacy = legacy if "legacy" in wish.eras else ()

    def is_modern(self, message: Incoming) -> bool:
        """Tell the era of a message by what it says itself."""
        told = message.params.meta.version
        if not self.modern or not self.legacy:
            return bool(self.modern) and (message.method != "initialize" or told is not UNSET)
        return told is not UNSET or message.method == "server/discover"

    def check_meta(self, message: Incoming) -> None:
        """Refuse a modern request without a version that is served, or without the client's capabilities."""
        meta = message.params.meta
        if not isinstance(meta.version, str):
            raise Refusal(INVALID_PARAMS, words.plain("META_MISSING", key=META_VERSION), status=400)
        if meta.version not in self.modern:
            raise self.unsupported(meta.version)
        if not isinstance(meta.capabilities, dict):
            raise Refusal(INVALID_PARAMS, words.plain("META_MISSING", key=META_CAPABILITIES), status=400)

    def unsupported(self, version: object, served: tuple[str, ...] = ()) -> Refusal:
        """Name the versions that are served (or of them, `served`) to a client that wants another."""
        data = {"supported": list(served or self.modern or self.legacy), "requested": version}
        sentence = words.plain("UNSUPPORTED_VERSION", version=version)
        return Refusal(UNSUPPORTED_PROTOCOL_VERSION, sentence, data, 400)

    def no_method(self, message: Incoming, *, modern: bool) -> Refusal:
        """Refuse an unknown method; `initialize` where only the modern era is served learns the versions."""
        if message.method == "initialize" and not modern:
            wanted = message.params.protocol_version
            return self.unsupported(None if wanted is UNSET else wanted)
        sentence = words.plain("METHOD_NOT_FOUND", method=message.method)
        return Refusal(METHOD_NOT_FOUND, sentence, status=404 if modern else 200)


def lock(peer: Peer, *, modern: bool) -> None:
    """Behave as servers that stay in the era of the first message (fault `lockEra`)."""
    era = "modern" if modern else "legacy"
    peer.era = peer.era or era
    if peer.era != era:
        code = UNSUPPORTED_PROTOCOL_VERSION if peer.era == "modern" else INVALID_REQUEST
        version = MODERN[0] if peer.era == "modern" else peer.revision or LEGACY[0]
        raise Refusal(code, words.plain("ERA_LOCKED", version=version), {"supported": [version]}, 400)
