"""What this client answers when the server asks: declared only where an answer was given.

Rule of this file: canned answers as raw JSON, chosen in order; nothing here depends on who asks or when.
Source: PROTOCOL.md §2, "Client answers" (roots/list, sampling/createMessage, elicitation/create, ping).
"""

from typing import NamedTuple

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from mcpeak.protocol import errors
from mcpeak.protocol.messages import quoted


class Elicitation(Struct, rename="camel", forbid_unknown_fields=True, gc=False, frozen=True):
    """One canned answer to elicitation/create. `defaults`: fill in those of the schema that was sent."""

    action: str
    content: dict[str, Raw] | UnsetType = UNSET
    defaults: bool = False
    mode: str = "form"


class Answers(NamedTuple):
    """The answers given by the user; `None` or empty: that capability is not declared.

    `roots`: a raw JSON array; `sampling`: raw results, the last one repeated; `elicitation`: as sampling.
    """

    roots: bytes | None = None
    sampling: tuple[bytes, ...] = ()
    elicitation: tuple[Elicitation, ...] = ()

    def capabilities(self) -> bytes:
        """Give the client capabilities as raw JSON: exactly those that can be answered."""
        declared = []
        if self.roots is not None:
            declared.append(b'"roots":{}')
        if self.sampling:
            declared.append(b'"sampling":{}')
        if self.elicitation:
            modes = dict.fromkeys(answer.mode for answer in self.elicitation)
            declared.append(b'"elicitation":{%b}' % b",".join(quoted(mode) + b":{}" for mode in modes))
        return b"{%b}" % b",".join(declared)


class Refusal(NamedTuple):
    """A request that this client does not serve: JSON-RPC code and message."""

    code: int
    message: str


class _Property(Struct, gc=False):
    default: Raw | UnsetType = UNSET


class _Schema(Struct, gc=False):
    properties: dict[str, _Property] = {}


class _Asked(Struct, rename="camel", gc=False):
    mode: str = "form"
    requested_schema: _Schema = msgspec.field(default_factory=_Schema)


_asked = msgspec.json.Decoder(_Asked).decode


class Answering:
    """Answers one session's questions, counting which canned answer is next."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self._sampled = 0
        self._elicited: dict[str, int] = {}

    def reply(self, method: str, params: bytes) -> bytes | Refusal:
        """Give the raw result for a request of the server, or the refusal."""
        if method == "ping":
            return b"{}"
        if method == "roots/list" and self.answers.roots is not None:
            return b'{"roots":%b}' % self.answers.roots
        if method == "sampling/createMessage" and self.answers.sampling:
            self._sampled += 1
            return self.answers.sampling[min(self._sampled, len(self.answers.sampling)) - 1]
        if method == "elicitation/create" and self.answers.elicitation:
            return self._elicit(params)
        return Refusal(errors.METHOD_NOT_FOUND, f"Method not found: {method}")

    def _elicit(self, params: bytes) -> bytes | Refusal:
        try:
            asked = _asked(params or b"{}")
        except (msgspec.DecodeError, ValueError, RecursionError):
            return Refusal(errors.INVALID_PARAMS, "elicitation/create: params not understood")
        fitting = [answer for answer in self.answers.elicitation if answer.mode == asked.mode]
        if not fitting:
            return Refusal(errors.INVALID_PARAMS, f"elicitation mode not declared: {asked.mode}")
        turn = self._elicited[asked.mode] = self._elicited.get(asked.mode, 0) + 1
        return _elicited(fitting[min(turn, len(fitting)) - 1], asked.requested_schema)


def _elicited(answer: Elicitation, schema: _Schema) -> bytes:
    """Lay out one elicitation result; content belongs to accepted forms only."""
    if answer.action != "accept" or answer.mode != "form":
        return b'{"action":%b}' % quoted(answer.action)
    content: dict[str, Raw] = {}
    if answer.defaults:
        content = {name: p.default for name, p in schema.properties.items() if isinstance(p.default, Raw)}
    if isinstance(answer.content, dict):
        content |= answer.content
    return b'{"action":"accept","content":%b}' % quoted(content)
