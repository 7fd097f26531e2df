"""The outside of a server: a loopback API without any delay, and programs that call it 500 times.

usage: outside.py   serves, and says its port on stdout
"""

import http.server
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

CALLS = 500
PYTHON = f"""
import json, sys, urllib.request
for n in range({CALLS}):
    json.load(urllib.request.urlopen(f"{{sys.argv[1]}}/item?n={{n}}"))
"""
NODE = f"""
for (let n = 0; n < {CALLS}; n++) await (await fetch(process.argv[1] + "/item?n=" + n)).json();
"""


class Api(http.server.BaseHTTPRequestHandler):
    """Answers with a small JSON text."""

    def do_GET(self) -> None:
        """Answer."""
        body = b'{"ok": true, "items": [1, 2, 3]}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def api() -> Iterator[str]:
    """Run the API in a process of its own; give its URL."""
    words = [sys.executable, __file__]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None  # noqa: S101 - it was asked for
        try:
            yield f"http://127.0.0.1:{serving.stdout.readline().strip()}"
        finally:
            serving.kill()


@contextmanager
def fast_http() -> Iterator[str]:
    """Run the fast MCP server over HTTP; give its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("fast_http_server.py")), str(port)]
    ) as serving:
        try:
            while True:
                with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
                    break
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            serving.kill()


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
    sys.stdout.write(f"{server.server_address[1]}\n")
    sys.stdout.flush()
    server.serve_forever()
