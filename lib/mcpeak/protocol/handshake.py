"""Reading the two answers that open a session: InitializeResult and DiscoverResult.

Rule of this file: tolerant in everything but the protocol version, without which nothing can follow.
"""

import msgspec
from msgspec import Raw, Struct

from mcpeak.protocol import messages
from mcpeak.protocol.careful import without_lone_surrogates
from mcpeak.protocol.messages import ServerInfo
from mcpeak.protocol.revisions import Era

_TROUBLE = (msgspec.DecodeError, ValueError, RecursionError)


class Server(Struct, gc=False, frozen=True):
    """Who answered the handshake. `capabilities`: raw, as advertised."""

    name: str
    version: str
    protocol_version: str
    era: Era
    capabilities: Raw
    instructions: str | None = None


def initialized(result: Raw) -> Server | None:
    """Read an InitializeResult; None: it has no protocol version or is none at all."""
    try:
        seen = messages.decode_initialize(without_lone_surrogates(bytes(result)))
    except _TROUBLE:
        return None
    if not seen.protocol_version:
        return None
    who = _info(seen.server_info)
    return Server(
        who.name, who.version, seen.protocol_version, "legacy", seen.capabilities, _text(seen.instructions)
    )


def discovered(result: Raw, names: tuple[str, ...]) -> Server | None:
    """Read a DiscoverResult; None: it is none, or none of `names` (best first) is supported."""
    try:
        seen = messages.decode_discover(without_lone_surrogates(bytes(result)))
    except _TROUBLE:
        return None
    version = next((name for name in names if name in seen.supported_versions), None)
    if version is None:
        return None
    who = _info(_meta(seen.meta))
    return Server(who.name, who.version, version, "modern", seen.capabilities, _text(seen.instructions))


def supported(data: Raw) -> list[str]:
    """Read the versions that a refusal names; empty when it names none."""
    try:
        return messages.decode_supported(data).supported
    except _TROUBLE:
        return []


def _meta(raw: Raw) -> Raw:
    try:
        return msgspec.json.decode(raw, type=dict[str, Raw]).get(messages.META_SERVER, messages.NOTHING)
    except _TROUBLE:
        return messages.NOTHING


def _info(raw: Raw) -> ServerInfo:
    try:
        seen = msgspec.json.decode(raw, type=dict[str, object])
    except _TROUBLE:
        return ServerInfo()
    name, version = seen.get("name"), seen.get("version")
    return ServerInfo(name if isinstance(name, str) else "", version if isinstance(version, str) else "")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
