#!/usr/bin/env python3
"""500 calls of one program: live against an API on loopback, recorded, replayed. Best of three.

usage: session.py [--delay SECONDS]: what the API takes for one answer; an outside one takes milliseconds.
"""

import argparse
import http.server
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

BIN = Path(__file__).resolve().parents[1] / "bin"
CALLS = 500
CLIENT = f"""
import json, sys, urllib.request
for n in range({CALLS}):
    json.load(urllib.request.urlopen(f"{{sys.argv[1]}}/item?n={{n}}"))
"""


class Api(http.server.BaseHTTPRequestHandler):
    """Answers with a small JSON text after a moment."""

    delay = 0.0

    def do_GET(self) -> None:
        """Answer."""
        time.sleep(self.delay)
        body = b'{"ok": true, "items": [1, 2, 3]}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def best(words: list[str]) -> float:
    """Give the shortest of three runs in seconds."""
    took = []
    for _ in range(3):
        began = time.perf_counter()
        subprocess.run(words, check=True, timeout=300)
        took.append(time.perf_counter() - began)
    return min(took)


def main() -> None:
    """Measure and say."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=0.0)
    Api.delay = parser.parse_args().delay
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Api)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = [sys.executable, "-c", CLIENT, f"http://127.0.0.1:{server.server_address[1]}"]
    session = [sys.executable, str(BIN / "mcpeak-session")]
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "x.session")
        live = best(client)
        recorded = best([*session, "record", "--force", file, "--", *client])
        replayed = best([*session, "replay", file, "--", *client])
    sys.stdout.write(
        f"{CALLS} calls: live {live:.2f} s, recorded {recorded:.2f} s, replayed {replayed:.2f} s\n"
    )


main()
