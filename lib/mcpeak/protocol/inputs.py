"""Input-required rounds (MRTR, 2026-07-28): the next try of a request, answered from the declared answers.

Rule of this file: `requestState` goes back byte for byte; what cannot be answered is the server's mistake,
because it asked for what we did not declare.
Source: the specification, "Multi Round-Trip Requests" (SEP-2322); PROTOCOL.md §2.
"""

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from mcpeak.protocol.answers import Answering, Refusal
from mcpeak.protocol.careful import scan
from mcpeak.protocol.events import Problem
from mcpeak.protocol.messages import joined, quoted

METHODS = frozenset({"tools/call", "prompts/get", "resources/read"})


class _Input(Struct, gc=False):
    method: str
    params: Raw = Raw(b"{}")


class _InputRequired(Struct, rename="camel", gc=False):
    input_requests: dict[str, _Input] | None = None
    request_state: Raw | UnsetType = UNSET


_decode = msgspec.json.Decoder(_InputRequired).decode


class Rounds:
    """Makes the params of the next try. `params`: those of the first until `take` succeeds, then the next."""

    def __init__(self, method: str, params: bytes | None, answering: Answering) -> None:
        self.method = method
        self.params = params
        self._answering = answering

    def take(self, result: bytes) -> Problem | None:
        """Read one `input_required` result; give what makes it impossible to go on, or None."""
        if self.method not in METHODS:
            return Problem("INPUT_REQUIRED_NOT_ALLOWED", {"method": self.method})
        try:
            asked = _decode(result)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return Problem("INPUT_REQUIRED_INVALID", {"why": scan(result).why or "shape"})
        members = []
        responses = []
        for key, request in (asked.input_requests or {}).items():
            reply = self._answering.reply(request.method, bytes(request.params))
            if isinstance(reply, Refusal):
                return Problem("INPUT_REQUIRED_UNDECLARED", {"method": request.method, "key": key})
            responses.append(quoted(key) + b":" + reply)
        if asked.input_requests is not None:
            members.append(b'"inputResponses":{%b}' % b",".join(responses))
        if not isinstance(asked.request_state, UnsetType) and bytes(asked.request_state) != b"null":
            members.append(b'"requestState":' + bytes(asked.request_state))
        if not members:
            return Problem("INPUT_REQUIRED_INVALID", {"why": "shape"})
        self.params = joined(b",".join(members), self.params)
        return None
