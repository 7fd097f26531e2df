"""The shapes of JSON-RPC and MCP messages, and builders that never reshape what the user or the server wrote.

Rule of this file: raw JSON in, bytes out, by concatenation; decoding looks only at the envelope.
Source: JSON-RPC 2.0; the specification's `schema`; PROTOCOL.md §2.
"""

from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

NOTHING = Raw(b"")
META_VERSION = "io.modelcontextprotocol/protocolVersion"
META_CLIENT = "io.modelcontextprotocol/clientInfo"
META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META_SERVER = "io.modelcontextprotocol/serverInfo"

Id = int | float | str | None


class Message(Struct, gc=False):
    """Any JSON-RPC message; which fields are there tells which kind. Members keep their bytes."""

    id: Id | UnsetType = UNSET
    method: str | None = None
    params: Raw = NOTHING
    result: Raw = NOTHING
    error: Raw = NOTHING


class ClientInfo(NamedTuple):
    """Who we say we are."""

    name: str
    version: str


class ServerInfo(Struct, gc=False):
    """`serverInfo`: what a server calls itself."""

    name: str = ""
    version: str = ""


class InitializeResult(Struct, rename="camel", gc=False):
    """What `initialize` gives (legacy); only the version must be right."""

    protocol_version: str
    capabilities: Raw = Raw(b"{}")
    server_info: Raw = NOTHING
    instructions: Any = None


class DiscoverResult(Struct, rename="camel", gc=False):
    """What `server/discover` gives (modern). `supported_versions` is what makes it one."""

    supported_versions: list[str]
    capabilities: Raw = Raw(b"{}")
    instructions: Any = None
    meta: Raw = msgspec.field(name="_meta", default=NOTHING)


class Supported(Struct, gc=False):
    """`error.data` of -32022 (and of the legacy example error)."""

    supported: list[str] = []


class ResultKind(Struct, rename="camel", gc=False):
    """The one key of a modern result that decides what it is."""

    result_type: Any = "complete"


quoted = msgspec.json.Encoder().encode
decode_message = msgspec.json.Decoder(Message).decode
decode_batch = msgspec.json.Decoder(list[Raw]).decode
decode_initialize = msgspec.json.Decoder(InitializeResult).decode
decode_discover = msgspec.json.Decoder(DiscoverResult).decode
decode_supported = msgspec.json.Decoder(Supported).decode
decode_kind = msgspec.json.Decoder(ResultKind).decode


def request(number: int, method: str, params: bytes | None = None) -> bytes:
    """Build a request; `params` is raw JSON."""
    if params is None:
        return b'{"jsonrpc":"2.0","id":%d,"method":%b}' % (number, quoted(method))
    return b'{"jsonrpc":"2.0","id":%d,"method":%b,"params":%b}' % (number, quoted(method), one_line(params))


def notification(method: str, params: bytes | None = None) -> bytes:
    """Build a notification; `params` is raw JSON."""
    if params is None:
        return b'{"jsonrpc":"2.0","method":%b}' % quoted(method)
    return b'{"jsonrpc":"2.0","method":%b,"params":%b}' % (quoted(method), one_line(params))


def result(peer_id: Id, value: bytes) -> bytes:
    """Build a good answer; `value` is raw JSON."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (quoted(peer_id), one_line(value))


def error(peer_id: Id, code: int, message: str, data: bytes | None = None) -> bytes:
    """Build an error answer; `data` is raw JSON."""
    tail = b"" if data is None else b',"data":' + one_line(data)
    return b'{"jsonrpc":"2.0","id":%b,"error":{"code":%d,"message":%b%b}}' % (
        quoted(peer_id),
        code,
        quoted(message),
        tail,
    )


def call_params(name: bytes, arguments: bytes) -> bytes:
    """Params of tools/call around raw JSON: `name` a JSON string, `arguments` an object, both as written."""
    return b'{"name":%b,"arguments":%b}' % (name, arguments)


def joined(first: bytes, params: bytes | None) -> bytes:
    """Put members (`"a":1`, no braces) before those of a raw JSON object."""
    rest = b"" if params is None else params.strip()[1:-1].strip()
    return b"{%b,%b}" % (first, rest) if rest else b"{%b}" % first


def one_line(raw: bytes) -> bytes:
    """Take line ends out of raw JSON, where they can only be white space: a message is one line."""
    if b"\n" in raw or b"\r" in raw:
        return raw.replace(b"\n", b" ").replace(b"\r", b" ")
    return raw
