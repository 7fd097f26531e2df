"""Talking to mcpeak-mock over stdio and HTTP: a definition and messages in, answers out."""

import http.client
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from support.programs import BIN, environment, run

BOTH = "application/json, text/event-stream"

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
    """Run mcpeak-mock on a definition (value or JSON text), send messages (values or bytes), close stdin."""
    text = definition if isinstance(definition, str) else json.dumps(definition)
    lines = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in messages]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.mock.json")
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        done = run("mcpeak-mock", str(path), *options, stdin=b"".join(line + b"\n" for line in lines), **env)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    answers = {one["id"]: one for one in said if "id" in one and "method" not in one}
    return Played(answers, said, done.returncode, done.stderr.decode())


class Served(NamedTuple):
    """A mock on HTTP. `url`: where; `process`: its process, for tests that end it themselves."""

    url: str
    process: "subprocess.Popen[bytes]"

    def send(self, method: str, body: Any = None, headers: dict[str, str | None] | None = None) -> "Reply":
        """Send one HTTP request; a header that is None is left out."""
        place = urlsplit(self.url)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=20)
        given: dict[str, str | None] = {"Accept": BOTH, "Content-Type": "application/json"} | (headers or {})
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        try:
            connection.request(method, place.path, data, {k: v for k, v in given.items() if v is not None})
            response = connection.getresponse()
            told = {name.lower(): value for name, value in response.getheaders()}
            streams = method == "GET" and "event-stream" in told.get("content-type", "")
            return Reply(response.status, told, b"" if streams else response.read())
        finally:
            connection.close()

    def post(self, body: Any, **headers: str | None) -> "Reply":
        """POST; header names with `_` for `-`."""
        return self.send("POST", body, {name.replace("_", "-"): value for name, value in headers.items()})


class Reply(NamedTuple):
    """What came back. `text`: the body."""

    status: int
    headers: dict[str, str]
    text: bytes

    @property
    def json(self) -> Any:
        """The body as JSON, or the data of its last event."""
        if "event-stream" in self.headers.get("content-type", ""):
            return self.events[-1]
        return json.loads(self.text)

    @property
    def events(self) -> list[Any]:
        """The messages of an event stream."""
        lines = self.text.decode().splitlines()
        return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


@contextmanager
def serving(definition: Any, *options: str, **env: str) -> Iterator[Served]:
    """Serve a definition on HTTP for a while."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.mock.json")
        path.write_text(definition if isinstance(definition, str) else json.dumps(definition))
        command = [sys.executable, str(BIN / "mcpeak-mock"), str(path), "--http", *options]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(**env)
        )
        try:
            assert process.stdout is not None
            yield Served(process.stdout.readline().decode().strip(), process)
        finally:
            process.terminate()
            process.communicate(timeout=20)
