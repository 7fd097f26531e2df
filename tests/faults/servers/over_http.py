"""A server that misbehaves over HTTP: each tool in its own way. Standard library only.

Arguments: PORT MODE MARK. MODE `stubborn` ignores SIGTERM, `forks` goes on in a child while its parent
exits; MARK only stands on the command line, so that a test finds what is left. The protocol is 2025-11-25
without a session.
"""

import json
import os
import signal
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT, MODE = int(sys.argv[1]), sys.argv[2]
TOOLS = {}
HELD = []


def tool(function):
    """Register a tool under the function's name, `_` as `-`."""
    TOOLS[function.__name__.replace("_", "-")] = function
    return function


def message(number, result):
    return json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode()


def text(words):
    return {"content": [{"type": "text", "text": words}]}


class Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Stay quiet."""

    def do_GET(self):
        self.body(405, b"")

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method, number, params = asked.get("method"), asked.get("id"), asked.get("params") or {}
        if number is None or method is None:
            self.body(202, b"")
        elif method == "initialize":
            who = {"name": "faults", "version": "1"}
            version = params["protocolVersion"]
            self.answer(
                number, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": who}
            )
        elif method == "tools/list":
            self.answer(
                number, {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]}
            )
        elif method == "tools/call":
            TOOLS[params["name"]](self, number, params.get("arguments", {}))
        else:
            error = {"code": -32601, "message": "no such method"}
            self.body(200, json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode())

    def answer(self, number, result):
        self.body(200, message(number, result))

    def body(self, status, body):
        self.send_response(status)
        if body:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, *messages, ending=b"\n\n"):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for each in messages:
            self.wfile.write(b"data: " + each + ending)
        self.wfile.flush()
        self.close_connection = True


@tool
def echo(request, number, given):
    request.answer(number, text(json.dumps(given)))


@tool
def crash(request, number, given):
    sys.stderr.write("last words\n")
    sys.stderr.flush()
    os._exit(3)


@tool
def hang(request, number, given):
    time.sleep(given.get("seconds", 30))


@tool
def flood(request, number, given):
    for _ in range(given["mib"]):
        os.write(2, (b"y" * 1023 + b"\n") * 1024)
    echo(request, number, given)


@tool
def big(request, number, given):
    request.answer(number, text("x" * given["bytes"]))


@tool
def big_event(request, number, given):
    request.stream(message(number, text("x" * given["bytes"])))


@tool
def close_stdout(request, number, given):
    """End the stream of answers without one: what a closed stdout is over HTTP."""
    request.stream()


@tool
def half_event(request, number, given):
    request.stream(message(number, text("half")), ending=b"")


@tool
def twice(request, number, given):
    request.stream(message(number, text("one")), message(number, text("two")))


@tool
def hold(request, number, given):
    HELD.append(number)
    time.sleep(given.get("seconds", 30))


@tool
def release(request, number, given):
    request.stream(*(message(held, text("late")) for held in HELD), message(number, text("now")))


@tool
def wrong_id(request, number, given):
    request.stream(message(number + 1000, text("whose?")))


@tool
def latin1(request, number, given):
    request.body(200, message(number, text("caf@")).replace(b"@", b"\xe9"))


@tool
def child(request, number, given):
    """Leave a process behind, and exit or answer."""
    if os.fork() == 0:
        os.setsid()
        os.closerange(0, 20)
        time.sleep(300)
        os._exit(0)
    if given.get("crash"):
        os._exit(4)
    echo(request, number, given)


if __name__ == "__main__":
    if MODE == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if MODE == "forks" and os.fork():
        os._exit(0)
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Request)
    server.daemon_threads = True
    server.serve_forever()
