"""Talking to mcpeak-mock over stdio: a definition and messages in, answers by id out."""

import json
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from support.programs import run

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
WEATHER: dict[str, Any] = {
    "tools": [{"name": "get_weather", "inputSchema": {"type": "object", "required": ["city"]}}],
    "responses": [{"tool": "get_weather", "args": {"city": "Seoul"}, "result": {"tempC": 21}}],
}


class Played(NamedTuple):
    """What a mock said. `answers`: by id; `messages`: everything in order."""

    answers: dict[Any, dict[str, Any]]
    messages: list[dict[str, Any]]
    exit: int
    stderr: str


def request(number: Any, method: str, params: Any = None, **more: Any) -> dict[str, Any]:
    """Build a request."""
    return (
        {"jsonrpc": "2.0", "id": number, "method": method}
        | ({} if params is None else {"params": params})
        | more
    )


def modern(number: Any, method: str, meta: dict[str, Any] | None = None, **params: Any) -> dict[str, Any]:
    """Build a request of revision 2026-07-28."""
    return request(number, method, params | {"_meta": META | (meta or {})})


def call(number: Any, tool: str, arguments: Any = None) -> dict[str, Any]:
    """Build a tools/call."""
    return request(
        number, "tools/call", {"name": tool} | ({} if arguments is None else {"arguments": arguments})
    )


def play(definition: Any, messages: list[Any], *options: str, **env: str) -> Played:
    """Run mcpeak-mock on a definition (value or JSON text), send messages (values or bytes), close its stdin."""
    text = definition if isinstance(definition, str) else json.dumps(definition)
    lines = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in messages]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.mock.json")
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        done = run("mcpeak-mock", str(path), *options, stdin=b"".join(line + b"\n" for line in lines), **env)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    answers = {one["id"]: one for one in said if "id" in one and "method" not in one}
    return Played(answers, said, done.returncode, done.stderr.decode())
