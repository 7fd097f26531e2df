"""Questions to the client before the answer: requests of ours (legacy), or `input_required` (modern).

Rule of this file: pure; what the client said travels in `requestState`, signed: the server stays stateless.
Source: PROTOCOL.md §2, "MRTR"; SEP-2322.
"""

from collections.abc import Generator
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from mcpeak.mock import words
from mcpeak.mock.answers import Refusal
from mcpeak.mock.call import Call
from mcpeak.mock.matching import key
from mcpeak.mock.placeholders import fill
from mcpeak.mock.steps import Ask, Step
from mcpeak.mock.stringify import encode
from mcpeak.protocol.errors import INVALID_PARAMS, MISSING_CLIENT_CAPABILITY

Questions = dict[str, dict[str, Any]]
_NEEDS = {"elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots"}


class Pending(NamedTuple):
    """What is still to be asked: the result that asks it, or nothing, and all answers so far."""

    result: bytes | None
    answers: dict[str, Any]


def needed(method: str) -> str | None:
    """Name the client capability without which a question cannot be asked."""
    return _NEEDS.get(method)


def require(call: Call, capabilities: dict[str, Any]) -> None:
    """Refuse a client that does not declare what the answer needs."""
    declared = call.capabilities
    if declared is None:
        return
    missing = {name: value for name, value in capabilities.items() if name not in declared}
    if missing:
        sentence = words.plain("CAPABILITY_MISSING", names=", ".join(missing))
        raise Refusal(MISSING_CLIENT_CAPABILITY, sentence, {"requiredCapabilities": missing}, 400)


def modern(call: Call, rounds: list[Questions], arguments: dict[str, Any]) -> Pending:
    """Find out which round this request is, and what it still asks."""
    place, answers = _open(call)
    rounds = [fill(questions, arguments) for questions in rounds]
    given = call.params.input_responses
    if given is not UNSET:
        if not isinstance(given, dict):
            raise Refusal(INVALID_PARAMS, words.plain("RESPONSES_NOT_OBJECT"))
        wanted = _askable(call, rounds[place]) if place < len(rounds) else {}
        fitting = {name: given[name] for name in wanted if isinstance(given.get(name), dict)}
        if wanted and len(fitting) == len(wanted):
            answers, place = answers | fitting, place + 1
    if place >= len(rounds):
        return Pending(None, answers)
    members = {"inputRequests": _askable(call, rounds[place]), "requestState": _sealed(call, place, answers)}
    body = encode(members)[1:-1]
    return Pending(b'{"resultType":"input_required",%b%b}' % (body, call.book.tail), answers)


def _askable(call: Call, questions: Questions) -> Questions:
    """Keep the questions that this client can answer; it must be able to answer at least one."""
    declared = call.capabilities or {}
    kept = {name: ask for name, ask in questions.items() if needed(ask["method"]) in (None, *declared)}
    if not kept:
        require(call, {needed(ask["method"]) or "": {} for ask in questions.values()})
    return {name: {"method": ask["method"], "params": ask.get("params", {})} for name, ask in kept.items()}


def legacy(
    call: Call, rounds: list[Questions], arguments: dict[str, Any]
) -> Generator[Step, Any, dict[str, Any]]:
    """Ask by requests of our own, one after the other.

    Raises:
        Refusal: the client answered one of them with an error, or cannot be asked.
    """
    answers: dict[str, Any] = {}
    for questions in rounds:
        for name, ask in fill(questions, arguments).items():
            capability = needed(ask["method"])
            if capability is not None:
                require(call, {capability: {}})
            reply = yield Ask(ask["method"], ask.get("params", {}))
            if "error" in reply:
                shown = words.short(reply["error"])
                raise Refusal(0, words.plain("CLIENT_REFUSED", method=ask["method"], error=shown))
            answers[name] = reply.get("result")
    return answers


def _sealed(call: Call, place: int, answers: dict[str, Any]) -> str:
    import base64  # late, as below: most definitions ask nothing

    told = base64.urlsafe_b64encode(encode([place, answers])).decode().rstrip("=")
    return f"{told}.{_signature(call, told)}"


def _open(call: Call) -> tuple[int, dict[str, Any]]:
    """Read the state that the client brought back; without one it is the first round."""
    state = call.params.request_state
    if state is UNSET or state is None:
        return 0, {}
    told, _, signature = state.partition(".") if isinstance(state, str) else ("", "", "")
    if not told or signature != _signature(call, told):
        raise Refusal(INVALID_PARAMS, words.plain("STATE_CHANGED"))
    import base64
    import binascii

    try:
        place, answers = msgspec.json.decode(base64.urlsafe_b64decode(told + "=" * (-len(told) % 4)))
    except (binascii.Error, msgspec.MsgspecError) as broken:
        raise Refusal(INVALID_PARAMS, words.plain("STATE_CHANGED")) from broken
    return place, answers


def _signature(call: Call, told: str) -> str:
    """Sign a state for exactly this request, so that neither it nor the request can be exchanged."""
    import hashlib
    import hmac

    arguments = call.params.arguments
    asked = key([call.method, call.params.name, {} if arguments in (UNSET, None) else arguments])
    return hmac.new(
        call.book.secret, told.encode("utf-8", "replace") + b"\n" + asked, hashlib.sha256
    ).hexdigest()
