"""Seeded hostile messages: valid ones with parts exchanged, cut, doubled or replaced by nonsense."""

import json
import os
import random
from collections.abc import Callable, Iterator
from typing import Any

FEW, MANY = 4_000, 100_000
"""How many messages a run makes: few by default, many with MCPEAK_FUZZ=full (`make test-fuzz`)."""

META_VERSION = "io.modelcontextprotocol/protocolVersion"
META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
METHODS = (
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "server/discover",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "logging/setLevel",
    "subscriptions/listen",
    "notifications/cancelled",
    "notifications/initialized",
    "no/such",
    "",
    "__class__",
)
SCALARS: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1.5,
    1e308,
    2**70,
    "",
    "x",
    "{{a}}",
    "한글\u0000\u2028",
    "\ud800",
    "../..",
    "a" * 300,
]
KEYS = (
    "name",
    "arguments",
    "uri",
    "cursor",
    "level",
    "_meta",
    "ref",
    "argument",
    "notifications",
    "requestId",
)


def amount() -> int:
    """How many messages this run makes."""
    return MANY if os.environ.get("MCPEAK_FUZZ") == "full" else FEW


def messages(seed: int, tools: list[str]) -> Iterator[bytes]:
    """Yield hostile lines without end; `tools`: names worth calling."""
    chance = random.Random(seed)
    number = 0
    while True:
        number += 1
        line = json.dumps(_message(chance, number, tools), ensure_ascii=chance.random() < 0.7)
        yield _mutated(chance, line.encode("utf-8", "surrogatepass")).replace(b"\n", b" ")


def _message(chance: random.Random, number: int, tools: list[str]) -> Any:
    if chance.random() < 0.05:
        return [_message(chance, number * 1000 + n, tools) for n in range(chance.randrange(4))]
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": number, "method": chance.choice(METHODS)}
    if chance.random() < 0.8:
        message["params"] = _params(chance, tools)
    for key in list(message):
        if chance.random() < 0.06:
            message[key] = _value(chance, 3)
        elif chance.random() < 0.04:
            del message[key]
    if chance.random() < 0.05:
        message[chance.choice(("result", "error", "extra"))] = _value(chance, 2)
    return message


def _params(chance: random.Random, tools: list[str]) -> dict[str, Any]:
    params: dict[str, Any] = {
        "name": chance.choice(tools),
        "arguments": {"city": "Seoul", "n": chance.randrange(9)},
    }
    if chance.random() < 0.5:
        params["_meta"] = {META_VERSION: "2026-07-28", META_CAPABILITIES: {}}
    for key in KEYS:
        if chance.random() < 0.1:
            params[key] = _value(chance, 4)
    return params


def _value(chance: random.Random, depth: int) -> Any:
    kind = chance.random()
    if depth == 0 or kind < 0.6:
        return chance.choice(SCALARS)
    if kind < 0.8:
        return [_value(chance, depth - 1) for _ in range(chance.randrange(4))]
    return {
        chance.choice((*KEYS, "", "a", "\ud800")): _value(chance, depth - 1)
        for _ in range(chance.randrange(4))
    }


def _mutated(chance: random.Random, line: bytes) -> bytes:
    """Leave most lines as they are; do one thing to the others."""
    if chance.random() < 0.6:
        return line
    place = chance.randrange(len(line) + 1)
    change = chance.choice(CHANGES)
    return change(chance, line, place)


def _nested(chance: random.Random, _line: bytes, _place: int) -> bytes:
    depth = chance.choice((10, 400, 3000))
    opened, closed = b"[" * depth, b"]" * chance.choice((depth, depth - 1))
    return b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":%b%b}}}' % (
        opened,
        closed,
    )


CHANGES: list[Callable[[random.Random, bytes, int], bytes]] = [
    lambda _, line, place: line[:place],
    lambda chance, line, place: line[:place] + chance.randbytes(chance.randrange(1, 6)) + line[place:],
    lambda chance, line, place: line[:place] + line[place + chance.randrange(1, 9) :],
    lambda _, line, __: line + line,
    lambda chance, _, __: chance.randbytes(chance.randrange(80)),
    lambda chance, line, _: line.replace(
        b"2.0", chance.choice((b"1e999", b"NaN", b"2.0\\ud800", b"-0", b"00"))
    ),
    _nested,
]
