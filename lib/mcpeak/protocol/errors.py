"""JSON-RPC and MCP error codes, and the two kinds of mistake: ours and the peer's.

Source: JSON-RPC 2.0 §5.1; the specification's `schema` and PROTOCOL.md §2, "Error codes".
"""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002  # legacy; modern servers answer INVALID_PARAMS with data.uri
URL_ELICITATION_REQUIRED = -32042  # 2025-11-25 only
HEADER_MISMATCH = -32020
MISSING_CLIENT_CAPABILITY = -32021
UNSUPPORTED_PROTOCOL_VERSION = -32022
USER_REJECTED = -1

MODERN_CODES = frozenset({HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION})
"""Codes that only a server of the modern era gives: they tell the era when a probe is refused."""

NAMES = {
    PARSE_ERROR: "PARSE_ERROR",
    INVALID_REQUEST: "INVALID_REQUEST",
    METHOD_NOT_FOUND: "METHOD_NOT_FOUND",
    INVALID_PARAMS: "INVALID_PARAMS",
    INTERNAL_ERROR: "INTERNAL_ERROR",
    RESOURCE_NOT_FOUND: "RESOURCE_NOT_FOUND",
    URL_ELICITATION_REQUIRED: "URL_ELICITATION_REQUIRED",
    HEADER_MISMATCH: "HEADER_MISMATCH",
    MISSING_CLIENT_CAPABILITY: "MISSING_CLIENT_CAPABILITY",
    UNSUPPORTED_PROTOCOL_VERSION: "UNSUPPORTED_PROTOCOL_VERSION",
    USER_REJECTED: "USER_REJECTED",
}
"""A catalogue code (`messages/*/protocol.toml`) for each; what is not here has no words of ours."""


class OurMistake(Exception):  # noqa: N818 - named for whose it is
    """The caller asked for something that the session's state does not allow: a bug of ours."""


class PeerMistake(Exception):  # noqa: N818 - named for whose it is
    """The peer sent what the protocol forbids. `code`: of the catalogue; `values`: its placeholders."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code, values)
        self.code = code
        self.values = values
