"""A small Streamable HTTP server whose every answer a test can bend; no MCP library behind it.

`HttpServer(era)` speaks `initialize` (legacy, with a session), `server/discover` (modern), or both. `script`
maps a method to a function that writes the response itself: `script["tools/call"] = lambda request: …`.
"""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from support.protocol_server import PureServer

HABITS = {"legacy": "ts1", "modern": "modern", "dual": "ts2"}


class Request(BaseHTTPRequestHandler):
    """One HTTP request, and the means to answer it in any way."""

    protocol_version = "HTTP/1.1"
    server: "HttpServer"

    def log_message(self, *_: Any) -> None:
        """Stay quiet."""

    def do_POST(self) -> None:
        self.body = self.rfile.read(int(self.headers["content-length"]))
        self.message: dict[str, Any] = json.loads(self.body)
        self.server.seen.append((self.message.get("method", "reply"), dict(self.headers), self.message))
        self.server.handle_message(self)

    def do_GET(self) -> None:
        self.server.seen.append(("GET", dict(self.headers), None))
        self.server.on_get(self)

    def do_DELETE(self) -> None:
        self.server.seen.append(("DELETE", dict(self.headers), None))
        self.answer(200)

    def answer(
        self, status: int, body: bytes = b"", kind: str | None = "application/json", **headers: str
    ) -> None:
        """Answer with a whole body."""
        self.send_response(status)
        if body and kind is not None:
            self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def result(self, result: Any, **headers: str) -> None:
        """Answer with a JSON-RPC result."""
        self.answer(200, rpc(self.message["id"], result=result), **headers)

    def error(self, code: int, message: str, status: int = 200, data: Any = None) -> None:
        """Answer with a JSON-RPC error."""
        error = {"code": code, "message": message, **({} if data is None else {"data": data})}
        self.answer(status, rpc(self.message["id"], error=error))

    def stream(self, *parts: bytes, end: bool = True, **headers: str) -> None:
        """Answer with a chunked stream of events, part by part; `end`: with its last chunk."""
        self.begin_stream(**headers)
        for part in parts:
            self.chunk(part)
        if end:
            self.wfile.write(b"0\r\n\r\n")
            self.wfile.flush()

    def begin_stream(self, **headers: str) -> None:
        """Send the head of a chunked stream."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def chunk(self, part: bytes) -> None:
        """Send one chunk."""
        self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
        self.wfile.flush()

    def drop(self) -> None:
        """Close the connection without a word more."""
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def reset(self) -> None:
        """Break the connection with a TCP reset."""
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True

    def finish(self) -> None:
        """Close, whatever state the connection is in."""
        with suppress(OSError):
            super().finish()


Script = Callable[[Request], None]


class HttpServer(ThreadingHTTPServer):
    """The server. `seen`: (method, headers, message) of every request; `script`: answers by method."""

    daemon_threads = True

    def __init__(self, era: str = "legacy", *, session: bool = True, port: int = 0, **pure: Any) -> None:
        super().__init__(("127.0.0.1", port), Request)
        self.pure = PureServer(HABITS[era], **pure)
        self.era = era
        self.sessions: set[str] = set()
        self.with_session = session and era != "modern"
        self.seen: list[tuple[str, dict[str, str], Any]] = []
        self.script: dict[str, Script] = {}
        self.on_get: Script = lambda request: request.answer(405)
        self.replied = threading.Event()
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/mcp"

    def handle_error(self, *_: Any) -> None:
        """A client that goes away is part of the tests."""

    def methods(self) -> list[str]:
        return [method for method, _, _ in self.seen]

    def handle_message(self, request: Request) -> None:
        method = request.message.get("method", "")
        if not method:
            request.answer(202)
            self.replied.set()
        elif method in self.script:
            self.script[method](request)
        elif "id" not in request.message:
            request.answer(202)
        elif self.forgotten(request):
            request.answer(404, rpc(None, error={"code": -32001, "message": "Session not found"}))
        else:
            self.ordinary(request)

    def forgotten(self, request: Request) -> bool:
        session = request.headers.get("mcp-session-id")
        return session is not None and session not in self.sessions

    def ordinary(self, request: Request) -> None:
        """Answer as a good server would."""
        with self._lock:
            self.pure.era = "modern" if "mcp-method" in request.headers and self.era != "legacy" else "legacy"
            (answer,) = self.pure.take(request.body)
        headers = {}
        if request.message["method"] == "initialize" and self.with_session:
            headers["Mcp_Session_Id"] = f"session-{len(self.sessions) + 1}"
            self.sessions.add(headers["Mcp_Session_Id"])
        status = 404 if b'"code": -32601' in answer else 400 if b'"code": -32022' in answer else 200
        request.answer(status, answer, **headers)


def rpc(number: object, **members: Any) -> bytes:
    """Make a JSON-RPC message."""
    return json.dumps({"jsonrpc": "2.0", "id": number, **members}).encode()


def event(data: bytes, name: str = "message", end: bytes = b"\n", number: str | None = None) -> bytes:
    """Make one event."""
    lines = [
        b"event: " + name.encode(),
        *([] if number is None else [b"id: " + number.encode()]),
        b"data: " + data,
        b"",
    ]
    return end.join([*lines, b""])


@contextmanager
def serving(era: str = "legacy", **options: Any) -> Iterator[HttpServer]:
    """Run a server for one test."""
    server = HttpServer(era, **options)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
