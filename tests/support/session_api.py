"""The outside API of the session tests: loopback only, HTTP or HTTPS with a CA of its own."""

import gzip
import hashlib
import json
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class Api:
    """A running API. `url`: where; `hits`: what was asked, `METHOD PATH`, in order."""

    def __init__(self, server: ThreadingHTTPServer, scheme: str, host: str) -> None:
        self.server = server
        self.port = server.server_address[1]
        self.url = f"{scheme}://{host}:{self.port}"
        self.hits: list[str] = []
        self.bodies: list[bytes] = []
        self.headers: list[dict[str, str]] = []


@contextmanager
def api(certificates: Any = None, host: str = "127.0.0.1") -> Iterator[Api]:
    """Run the API; with a trustme CA in HTTPS."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    running = Api(server, "https" if certificates else "http", host)
    server.api = running  # type: ignore[attr-defined]  # the test API hangs itself on the server object
    if certificates:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificates.issue_cert(host, "127.0.0.1").configure_cert(context)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()


def write_ca(certificates: Any, folder: Path) -> Path:
    """Write a CA's certificate."""
    path = folder / "ca.pem"
    certificates.cert_pem.write_to_path(str(path))
    return path


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def _any(self) -> None:
        body = self._body()
        running: Api = self.server.api  # type: ignore[attr-defined]  # the test API hangs itself on the server object
        running.hits.append(f"{self.command} {self.path}")
        running.bodies.append(body)
        running.headers.append(dict(self.headers.items()))
        name = self.path.partition("?")[0].strip("/").replace("-", "_") or "json"
        getattr(self, f"_{name}", self._json)(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = _any  # noqa: N815 - http.server's names

    def _body(self) -> bytes:
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            pieces = []
            while size := int(self.rfile.readline(), 16):
                pieces.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(pieces)
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _send(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _json(self, body: bytes) -> None:
        told = {
            "n": len(self.server.api.hits),
            "path": self.path,
            "sent": hashlib.sha256(body).hexdigest()[:8],
        }  # type: ignore[attr-defined]  # the test API hangs itself on the server object
        self._send(200, json.dumps(told).encode(), ("Content-Type", "application/json"))

    def _mirror(self, body: bytes) -> None:
        kind = self.headers.get("X-Answer-Type", "application/json")
        self._send(200, body, ("Content-Type", kind), ("X-Sum", hashlib.sha256(body).hexdigest()))

    def _gzip(self, _: bytes) -> None:
        packed = gzip.compress(b'{"packed": true, "token": "gz-secret-123"}', mtime=0)
        self._send(200, packed, ("Content-Type", "application/json"), ("Content-Encoding", "gzip"))

    def _br(self, _: bytes) -> None:
        import brotli

        packed = brotli.compress(b'{"packed": true, "token": "br-secret-123"}')
        self._send(200, packed, ("Content-Type", "application/json"), ("Content-Encoding", "br"))

    def _zstd(self, _: bytes) -> None:
        import zstandard

        packed = zstandard.ZstdCompressor().compress(b'{"packed": true, "token": "zs-secret-123"}')
        self._send(200, packed, ("Content-Type", "application/json"), ("Content-Encoding", "zstd"))

    def _redirect(self, _: bytes) -> None:
        self._send(302, b"", ("Location", "/json?page=2"))

    def _empty(self, _: bytes) -> None:
        self.send_response(204)
        self.end_headers()

    def _repeated(self, _: bytes) -> None:
        self._send(
            200, b"ok", ("X-Many", "a"), ("X-Many", "b"), ("Set-Cookie", "one=1"), ("Set-Cookie", "two=2")
        )

    def _broken(self, _: bytes) -> None:
        self._send(500, b'{"e": 1}', ("Content-Type", "application/problem+json"))

    def _chunked(self, _: bytes) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in (b"one", b"two", b"three"):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def _events(self, _: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for number in range(1000):
                self.wfile.write(b"data: %d\n\n" % number)
                self.wfile.flush()
                time.sleep(0.02)
        except OSError:
            pass

    def _close(self, _: bytes) -> None:
        self.close_connection = True

    def _reset(self, _: bytes) -> None:
        import socket
        import struct

        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def _half(self, _: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "100")
        self.end_headers()
        self.wfile.write(b"half")
        self.close_connection = True

    def _silent(self, _: bytes) -> None:
        time.sleep(5)
        self.close_connection = True
