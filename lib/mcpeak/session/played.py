"""Replaying: the recording answers, and what it does not have fails; no network is ever reached from here.

Rule of this file: an edge towards the child only. The one way out is `fresh`, which `--allow-new` gives.
"""

import json
import socket
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from mcpeak.messages import say
from mcpeak.session import clean
from mcpeak.session.exchange import MISS_HEADER, MISS_STATUS, Exchange, Request
from mcpeak.session.ledger import Ledger
from mcpeak.session.line import Desk, Line, Unreached
from mcpeak.session.plain import write
from mcpeak.session.redact import Redactor
from mcpeak.session.url import target_of

if TYPE_CHECKING:
    from mcpeak.session.reply import Reply


class PlayedDesk:
    """Opens lines to the recording.

    Args:
        ledger: gives the answers.
        redactor: takes the secrets out of what is asked, as they were taken out of what was recorded.
        fresh: where a request goes that was not recorded (`--allow-new`); None: nowhere.
        pause: waits for seconds, for answers in their own time (`--real-time`); None: at full speed.
    """

    def __init__(
        self,
        ledger: Ledger,
        redactor: Redactor,
        fresh: Desk | None = None,
        pause: Callable[[float], None] | None = None,
    ) -> None:
        self.ledger = ledger
        self.redactor = redactor
        self.fresh = fresh
        self.pause = pause
        self.refused: dict[tuple[str, str], None] = {}
        self._lock = threading.Lock()

    @property
    def is_quick(self) -> bool:
        """Whether answers come from the recording alone, at full speed."""
        return self.pause is None and self.fresh is None

    def is_sure(self, host: str, port: int) -> bool:
        """Tell whether every connection to there was made when it was recorded."""
        return self.is_quick and not self.ledger.has_failure(target_of(host, port))

    def open(self, host: str, port: int, waits: Callable[[], bool] = lambda: True) -> "PlayedLine":
        """Open a line; it fails where it failed when it was recorded.

        Raises:
            Unreached: as recorded.
        """
        del waits
        error = self.ledger.connect(target_of(host, port))
        if error not in (None, "tls", "handshake"):
            raise Unreached(error or "unreachable")
        return PlayedLine(self, host, port, error)

    def refuse(self, target: str, protocol: str) -> None:
        """Note a connection that cannot be played."""
        with self._lock:
            self.refused[target, protocol] = None


class PlayedLine:
    """A line to the recording."""

    descriptor = None

    def __init__(self, desk: PlayedDesk, host: str, port: int, error: str | None) -> None:
        self._desk = desk
        self._host, self._port = host, port
        self._error = error
        self._name: str | None = None
        self._fresh: Line | None = None

    def secure(self, name: str) -> bool:
        """Tell whether the API's certificate could be trusted when it was recorded.

        Raises:
            OSError: there was no TLS with it.
        """
        self._name = name
        if self._error == "handshake":
            raise OSError
        return self._error is None

    def insecure(self) -> None:
        """Nothing to note: it is as recorded."""

    def ask(self, request: Request, reply: "Reply") -> None:
        """Answer from the recording, or say that it has no answer."""
        asked = redacted(request, self._desk.redactor)
        exchange = self._desk.ledger.answer(asked)
        if exchange is not None:
            self._play(exchange, reply)
        elif self._desk.fresh is not None:
            self._ask_api(request, reply, self._desk.fresh)
        else:
            _miss(asked, reply)

    def _play(self, exchange: Exchange, reply: "Reply") -> None:
        import h11  # late: only who answers through a `Reply` comes here, and that has it

        try:
            play(exchange, reply, self._desk.pause)
        except h11.LocalProtocolError:  # the file was changed by hand
            self._desk.refuse(target_of(self._host, self._port), "unsendable")
            reply.cut()

    def at_once(self, request: Request, *, closes: bool) -> bytes | None:
        """Give a plain answer of the recording; None where there is none, or it is not plain."""
        asked = redacted(request, self._desk.redactor)
        return self._desk.ledger.take(asked, lambda exchange: write(exchange, closes=closes))

    def raw(self, connection: socket.socket, protocol: str, said: bytes = b"") -> None:
        """End a connection that speaks no HTTP/1: what it says was not recorded."""
        del connection, said
        self._desk.refuse(target_of(self._host, self._port), protocol)

    def unreadable(self) -> None:
        """Note that a request was not looked for."""
        self._desk.refuse(target_of(self._host, self._port), "broken")

    def close(self) -> None:
        """Let go of the API, if there was one."""
        if self._fresh is not None:
            self._fresh.close()

    def _ask_api(self, request: Request, reply: "Reply", desk: Desk) -> None:
        if self._fresh is None:
            try:
                self._fresh = desk.open(self._host, self._port)
                if self._name is not None:
                    self._fresh.secure(self._name)
            except (Unreached, OSError):
                reply.cut()
                return
        self._fresh.ask(request, reply)


def redacted(request: Request, redactor: Redactor) -> Request:
    """Redact a request with all that it tells about its own secrets, and what is known anyway."""
    own = redactor.own()
    with own.learning():
        once = clean.request(request, own)
    return clean.request(request, own) if own.knows_values else once


def play(
    exchange: Exchange,
    reply: "Reply",
    pause: Callable[[float], None] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Answer as recorded; with `pause` at the times of its chunks by `clock` (seconds)."""
    response = exchange.response
    if response is None:
        _fail(exchange.error, reply)
        return
    began = clock()
    if pause and response.chunks:
        pause(response.chunks[0].at_ms / 1000)
    reply.begin(response.status, response.reason, response.headers)
    for chunk in response.chunks:
        if pause:
            reply.flush()
            pause(chunk.at_ms / 1000 - (clock() - began))
        reply.data(chunk.data)
    if response.complete:
        reply.end(response.trailers)
    else:
        _fail(exchange.error or "timeout", reply)


def _fail(error: str | None, reply: "Reply") -> None:
    """Break off as the API did; where it was the child that had read enough, wait for it to do so again."""
    if error == "timeout":
        reply.hold()
    elif error == "reset":
        reply.reset()
    else:
        reply.cut()


def _miss(asked: Request, reply: "Reply") -> None:
    words = say("session", "SESSION_MISS_BODY", method=asked.method, url=asked.url)
    body = {
        "error": "REPLAY_MISS",
        "message": words.message,
        "hint": words.hint,
        "method": asked.method,
        "url": asked.url,
    }
    data = json.dumps(body, ensure_ascii=False).encode()
    headers = (("Content-Type", "application/json"), (MISS_HEADER, "miss"), ("Connection", "close"))
    reply.whole(MISS_STATUS, "Not Recorded", headers, data)
