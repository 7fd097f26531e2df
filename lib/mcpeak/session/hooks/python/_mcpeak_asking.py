"""The part of the Python hook for http.client: it asks the recorder on a line that stays.

Neither a connection nor TLS for each call, but only for targets of which the recorder said that they never
fail; what it cannot answer on the line goes the long way. It must run on any Python 3.
"""

import io
import os

_PIECE = 65536  # bytes
_given = {}  # what the hook shares with us
_lines = []


def patch(module, ours, sure, alone):
    """Patch http.client.

    Args:
        module: it.
        ours: the variables of the session.
        sure: targets (host, port) that never fail; it grows.
        alone: tells whether a target is left alone.
    """
    import socket

    _given.update(ours=ours, sure=sure, alone=alone, socket=socket.socket, create=socket.create_connection)
    for kind, scheme in (
        (module.HTTPConnection, "http"),
        (getattr(module, "HTTPSConnection", None), "https"),
    ):
        if kind is not None:
            kind.connect = _asking(kind, scheme, kind.connect)


def _asking(kind, scheme, real):
    def connect(self):
        where = _known(self.host, self.port)
        if where is None or type(self) is not kind or self._tunnel_host or not _is_usual(self):
            return real(self)
        self.sock = _Asked(self, real, scheme, where)
        return None

    return connect


def _is_usual(client):
    """Tell whether a client would connect as http.client does, and nobody has put something else there."""
    import socket

    create = getattr(client, "_create_connection", _given["create"])
    is_usual = (create, socket.create_connection, socket.socket) == (
        _given["create"],
        _given["create"],
        _given["socket"],
    )
    return is_usual and not client.source_address


def _known(host, port):
    """Give the target, if it never fails."""
    names = (host, "127.0.0.1") if host == "localhost" else (host,)
    known = [(name, port) for name in names if (name, port) in _given["sure"]]
    return None if not known or _given["alone"](host, port) else known[0]


class _Asked:
    """What http.client takes for a socket: requests are collected, and asked for once an answer is wanted."""

    def __init__(self, client, connect, scheme, where):
        self._client, self._connect, self._scheme, self._where = client, connect, scheme, where
        self._said, self._size, self._real = [], 0, None

    def sendall(self, data, *rest):
        """Collect a piece of a request."""
        if self._real is not None:
            return self._real.sendall(data, *rest)
        self._said.append(bytes(data))
        self._size += len(self._said[-1])
        if self._size > 1 << 20:
            self._go()
        return None

    def makefile(self, mode="r", *rest, **more):
        """Give the answer as a file."""
        if self._real is None and mode == "rb":
            answer = _answer(self._where, self._scheme, b"".join(self._said))
            if answer is not None:
                self._said, self._size = [], 0
                return _File(answer)
        return self._go().makefile(mode, *rest, **more)

    def close(self):
        """Close the connection, if there is one; what was said and nobody wanted an answer to is asked."""
        said, self._said = self._said, []
        if said and _answer(self._where, self._scheme, b"".join(said)) is None:
            self._said = said
            self._go()
        if self._real is not None:
            self._real.close()

    def _go(self):
        """Go the long way: connect, and say what was said."""
        if self._real is None:
            self._connect(self._client)
            self._real, said, self._said = self._client.sock, self._said, []
            for data in said:
                self._real.sendall(data)
        return self._real

    def __getattr__(self, name):
        return getattr(self._go(), name)


class _File(io.BytesIO):
    """An answer as a file that has a descriptor, too, should anybody wait for it."""

    _ends = None

    def fileno(self):
        if self._ends is None:
            import contextlib
            import socket

            self._ends = socket.socketpair()
            self._ends[1].setblocking(False)
            with contextlib.suppress(BlockingIOError):
                self._ends[1].send(self.getbuffer()[self.tell() :])  # what has no room there is read here
            self._ends[1].close()
        return self._ends[0].fileno()

    def close(self):
        super().close()
        if self._ends is not None:
            self._ends[0].close()


def _answer(where, scheme, request):
    """Ask the recorder; None where it has no plain answer, or the line is no more."""
    try:
        own, line = _lines.pop()
    except IndexError:
        own, line = 0, None
    try:
        if own != os.getpid():  # a line of our parent is our parent's
            line = _line()
        head = f"{len(request)} {where[0]} {where[1]} {scheme}\n".encode()
        line.sendall(head + request)
        answer = _read(line)
    except OSError:
        return None
    if answer is not None:
        _lines.append((os.getpid(), line))
    return answer or None


def _line():
    import socket

    line = socket.socket()
    line.settimeout(None)
    line.connect(("127.0.0.1", int(_given["ours"]["MCPEAK_SESSION_ADDRESS"].split(":")[1])))
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    line.sendall(("MCPEAK " + _given["ours"]["MCPEAK_SESSION_TOKEN"] + " =\n").encode())
    return line


def _read(line):
    size, mark, answer = line.recv(_PIECE).partition(b"\n")
    while not mark or len(answer) < int(size):
        piece = line.recv(_PIECE)
        if not piece:
            return None
        if mark:
            answer += piece
        else:
            size, mark, answer = (size + piece).partition(b"\n")
    return answer
