"""Hostile input: nothing crashes the mock, nothing hangs it, and no request gets two answers."""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from mcpeak.mock.book import Book
from mcpeak.mock.definition import Definition, read
from mcpeak.mock.http import App, Manner
from mcpeak.mock.player import Player
from mcpeak.mock.server import Server
from mcpeak.wire.json import parse
from support.fuzz import MANY, amount, messages
from support.programs import BIN, ROOT, environment

pytestmark = pytest.mark.timeout(900)
PATH = ROOT / "examples" / "conformance.mock.json"


def definition() -> Definition:
    found = read(PATH.read_bytes(), "conformance.mock.json")
    assert isinstance(found, Definition)
    return found


TOOLS = [*(tool["name"] for tool in definition().value["tools"]), "t", "nope"]


def server() -> Server:
    return Server(Book(definition()))


def answered(out: list[Any]) -> Counter[str]:
    """Count the answers in what was written, by id."""
    told = [parse(message) for message in out]
    flat = [one for message in told for one in (message if isinstance(message, list) else [message])]
    return Counter(json.dumps(one["id"]) for one in flat if "method" not in one)


def test_lines() -> None:
    """Each line is read to the end, its output is JSON lines, and an id in it is answered once at most."""
    now = [0.0]
    player = Player(server(), lambda: now[0], lambda *_: None)
    for line in islice(messages(1, TOOLS), amount()):
        out = [message for message in player.received(line) if isinstance(message, bytes)]
        assert all(b"\n" not in message for message in out)
        assert not [
            number for number, times in answered(out).items() if times > 1 and line.count(b'"id"') < 2
        ], line
        now[0] += 1
        player.due()


def test_a_process_survives_them_all_and_answers_afterwards(tmp_path: Path) -> None:
    """The program itself: everything through the pipe, then a ping, then the end."""
    lines = [*islice(messages(2, TOOLS), amount()), b'{"jsonrpc":"2.0","id":"last","method":"ping"}', b""]
    done = subprocess.run(
        [sys.executable, str(BIN / "mcpeak-mock"), str(PATH)],
        input=b"\n".join(lines),
        capture_output=True,
        env=environment(),
        timeout=800,
        check=False,
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert [
        one
        for one in map(parse, done.stdout.splitlines())
        if isinstance(one, dict) and one.get("id") == "last"
    ]


HEADERS = [
    {},
    {"mcp-protocol-version": "2025-11-25"},
    {"mcp-protocol-version": "2025-03-26"},
    {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "t"},
    {"mcp-protocol-version": "\xff", "mcp-session-id": "x" * 99},
    {"accept": "text/event-stream", "origin": "http://[::1"},
    {"content-type": "text/json"},
    {"host": "[::1"},
    {"host": "evil.example", "origin": "null"},
]


async def exchange(app: App, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
    """Send one request through the application; the client goes away once it has been answered, or soon."""
    told = {"host": "localhost", "accept": "*/*", "content-type": "application/json"} | headers
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "query_string": b"",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in told.items()],
    }
    sent: list[dict[str, Any]] = []
    asked = [{"type": "http.request", "body": body, "more_body": False}]
    gone = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if asked:
            return asked.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.get_running_loop().call_later(0.2, gone.set)
    await asyncio.wait_for(app({**scope}, receive, send), 20)
    pieces = b"".join(message.get("body", b"") for message in sent[1:])
    return sent[0]["status"], pieces


@pytest.mark.parametrize("sessions", [False, True], ids=["stateless", "sessions"])
def test_bodies(sessions: bool) -> None:
    """Each body gets a status below 500 and, where it is answered as JSON, one answer."""

    async def all_of_them() -> None:
        app = App(server(), Manner(sessions=sessions))
        for place, body in enumerate(islice(messages(3, TOOLS), amount() // 2)):
            headers = HEADERS[place % len(HEADERS)] if place % 3 == 0 else {}
            status, text = await exchange(app, body, headers)
            assert 200 <= status < 500, body
            if text.startswith(b"{"):
                assert "jsonrpc" in parse(text)

    asyncio.run(all_of_them())


def test_the_full_run_is_as_long_as_promised() -> None:
    assert MANY >= 100_000
