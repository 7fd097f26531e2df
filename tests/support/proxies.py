"""A small proxy of the user's: plain HTTP in absolute form, CONNECT, with a password or without; loopback.

Names are its own: whatever it is asked for is found at `aim`, so no name has to exist.
"""

import base64
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Seen:
    """What a proxy saw. `port`: where it is; `lines`: request lines; `headers`: of each of them."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.lines: list[str] = []
        self.headers: list[dict[str, str]] = []


@contextmanager
def proxy(aim: int, password: str = "", refuses: bool = False) -> Iterator[Seen]:
    """Run a proxy before the API at port `aim`; `password`: `user:password` that it wants."""
    wanted = "Basic " + base64.b64encode(password.encode()).decode() if password else None

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while head := self._head():
                line, headers = head
                seen.lines.append(line)
                seen.headers.append(headers)
                if refuses:
                    return self._say("403 Forbidden")
                if wanted and headers.get("proxy-authorization") != wanted:
                    return self._say("407 Proxy Authentication Required")
                if line.startswith("CONNECT "):
                    return self._carry()
                self._forward(line, headers)
            return None

        def _head(self) -> tuple[str, dict[str, str]] | None:
            lines = list(iter(lambda: self.rfile.readline().decode("latin-1").rstrip("\r\n"), ""))
            fields = [line.partition(": ") for line in lines[1:]]
            return (lines[0], {name.lower(): value for name, _, value in fields}) if lines else None

        def _say(self, status: str) -> None:
            self.wfile.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())

        def _carry(self) -> None:
            with socket.create_connection(("127.0.0.1", aim), 10) as api:
                self.wfile.write(b"HTTP/1.1 200 Connected\r\n\r\n")
                threading.Thread(target=_copy, args=(api, self.connection), daemon=True).start()
                _copy(self.connection, api)

        def _forward(self, line: str, headers: dict[str, str]) -> None:
            method, url, version = line.split(" ")
            path = "/" + url.split("/", 3)[3]
            kept = [f"{name}: {value}" for name, value in headers.items() if not name.startswith("proxy-")]
            told = "\r\n".join([f"{method} {path} {version}", *kept, "connection: close", "", ""])
            body = self.rfile.read(int(headers.get("content-length", 0)))
            with socket.create_connection(("127.0.0.1", aim), 10) as api:
                api.sendall(told.encode() + body)
                _copy(api, self.connection, ends=False)
            self.connection.shutdown(socket.SHUT_RDWR)

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = allow_reuse_address = True

        def handle_error(self, *_: object) -> None:
            pass

    with Server(("127.0.0.1", 0), Handler) as server:
        seen = Seen(server.server_address[1])
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield seen
        finally:
            server.shutdown()


def _copy(source: socket.socket, sink: socket.socket, ends: bool = True) -> None:
    try:
        while data := source.recv(1 << 16):
            sink.sendall(data)
        if ends:
            sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass
