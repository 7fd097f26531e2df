#!/usr/bin/env python3
"""A small Streamable HTTP MCP server (legacy, JSON answers, no session) for throughput measurements.

One tool, add(a, b). usage: fast_http_server.py PORT   Needs nothing but the standard library.
"""

import json
import socket
import sys
import threading


def serve(connection: socket.socket) -> None:
    """Answer one connection until it ends."""
    with connection, connection.makefile("rb") as lines:
        while request := lines.readline():
            length = 0
            while (line := lines.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            status, body = answer(request, lines.read(length))
            head = b"HTTP/1.1 %b\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            connection.sendall(head % (status, len(body)) + body)


def answer(request: bytes, body: bytes) -> tuple[bytes, bytes]:
    """Give status and body."""
    if not request.startswith(b"POST"):
        return b"405 Method Not Allowed", b""
    message = json.loads(body)
    number = message.get("id")
    if number is None:
        return b"202 Accepted", b""
    method = message["method"]
    if method == "initialize":
        info = {"name": "fast", "version": "0"}
        result = {
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": info,
        }
    elif method == "tools/list":
        result = {"tools": [{"name": "add", "inputSchema": {"type": "object"}}]}
    elif method == "tools/call":
        given = message["params"]["arguments"]
        result = {"content": [{"type": "text", "text": json.dumps({"sum": given["a"] + given["b"]})}]}
    else:
        error = {"code": -32601, "message": "Method not found"}
        return b"404 Not Found", json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode()
    return b"200 OK", json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode()


def main() -> None:
    """Listen until killed."""
    with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listening:
        while True:
            connection, _ = listening.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=serve, args=(connection,), daemon=True).start()


main()
