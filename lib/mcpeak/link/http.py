"""A server behind a URL, with the same face as one behind pipes: Streamable HTTP of every revision, HTTP+SSE.

Rule of this file: it opens, waits and closes, and says what a failure means for who asked. How messages
travel is `http_exchange`'s business. Source: PROTOCOL.md §4; CONTRACT §4.
"""

from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

import httpcore
import httpx

from mcpeak.command.redact import Redactor
from mcpeak.command.target import Target, described
from mcpeak.link.client import (
    Closed,
    ConnectFailed,
    Died,
    Failed,
    Halt,
    Interrupted,
    Listener,
    Manner,
    Outcome,
)
from mcpeak.link.http_exchange import Call
from mcpeak.link.http_mirror import Mirror
from mcpeak.link.http_net import Backend, Watch
from mcpeak.link.http_open import NotAccepted, Opener
from mcpeak.link.http_served import Served
from mcpeak.link.http_transport import HttpOptions, make_client
from mcpeak.link.http_trouble import CONNECT, LOST, HttpTrouble
from mcpeak.link.interrupt import Interrupts
from mcpeak.link.tail import Tail
from mcpeak.messages import label
from mcpeak.protocol.answers import Answers
from mcpeak.protocol.events import Answer, Refused, Unreadable
from mcpeak.protocol.handshake import Server
from mcpeak.protocol.messages import call_params, quoted

AGAIN = 0.05  # seconds between two looks at a server that we started and that does not listen yet
NOT_YET = frozenset({502, 503, 504})  # what a server (or a proxy before it) says that is still starting
FAREWELL = 2.0  # seconds for cancelling or for ending a session
SETTLE = 5.0  # seconds that the server's own stream may take to open
_UNTOLD = (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, Interrupted)


class HttpClient:
    """One server behind a URL.

    Args:
        opener: brings the session about.
        manner: how to speak.
        hear: told of every event that answers nothing.
        watch: limits and interrupts every wait.
        redactor: keeps secrets out of what is said.
        served: the process that serves it, if it is ours; `target`: its command for people.
    """

    server: Server

    def __init__(
        self,
        opener: Opener,
        manner: Manner,
        hear: Listener,
        *,
        watch: Watch,
        redactor: Redactor,
        served: Served | None = None,
        target: str = "",
    ) -> None:
        self.opening: list[bytes] = []
        self._opener = opener
        self._manner = manner
        self._hear = hear
        self._watch = watch
        self._redactor = redactor
        self._served = served
        self._target = target
        self._asked: dict[int, tuple[bytes, Call]] = {}
        self._closed: Closed | None = None
        watch.also = self._also

    @property
    def tail(self) -> Tail | None:
        """The log of the process that serves it, if it is ours."""
        return None if self._served is None else self._served.tail

    def _also(self) -> dict[int, Callable[[], None]]:
        more = {} if self._served is None else self._served.served()
        return {**self._opener.exchange.served(), **more}

    # -- opening

    def open(self, limit: float) -> None:
        """Do the handshake within `limit` seconds; a server that we started may take its time to listen."""
        self._watch.deadline = self._watch.clock() + limit
        refused: HttpTrouble | None = None
        try:
            while (refused := self._not_yet()) is not None:
                self._watch.pause(AGAIN)
        except HttpTrouble as trouble:
            raise self._unreached(trouble, limit) from trouble
        except httpcore.TimeoutException as late:
            raise self._too_late(refused, limit) from late
        except NotAccepted as answer:
            raise self._not_accepted(answer.refused) from answer
        opener = self._opener
        assert opener.session.server is not None  # noqa: S101 - opened means answered
        self.server = opener.session.server
        self.opening = opener.lines
        self._mirror = Mirror(opener.session, opener.exchange, self._hear)
        if self.server.era == "legacy" and opener.exchange.listener is None:
            self._listen()

    def _not_yet(self) -> HttpTrouble | None:
        """Try once; give what shows that the process that we started does not listen yet."""
        try:
            self._opener.handshake()
        except HttpTrouble as trouble:
            if self._served is None or self._served.over():
                raise
            if trouble.code != CONNECT and trouble.status not in NOT_YET:
                raise
            self._opener.exchange.client.close()
            self._opener.begin()
            return trouble
        return None

    def _listen(self) -> None:
        """Open the server's own stream; wait for it if we said that the server may ask something.

        A server that asks on a stream that is not there yet may wait for ever (PROTOCOL.md §4).
        """
        self._opener.exchange.listen()
        listener = self._opener.exchange.listener
        if listener is None or self._manner.answers == Answers():
            return
        self._watch.deadline = self._watch.clock() + SETTLE
        with suppress(httpcore.ReadTimeout):
            while not listener.settled:
                self._watch.wait(None)

    def _too_late(self, refused: HttpTrouble | None, limit: float) -> ConnectFailed:
        if refused is not None:
            return self._unreached(refused, limit)
        process = self.close().process
        told = self._opener.exchange.poster.told
        return ConnectFailed(
            "HANDSHAKE_TIMEOUT", room="http", process=process, url=told, seconds=f"{limit:g}"
        )

    def _not_accepted(self, refused: Refused) -> ConnectFailed:
        reason = self._redactor.text(label("protocol", refused.why, **refused.values))
        process = self.close().process
        return ConnectFailed("HANDSHAKE_FAILED", room="protocol", process=process, reason=reason)

    def _unreached(self, trouble: HttpTrouble, limit: float) -> ConnectFailed:
        """Say why the server is not reached; a process that ended says more than its closed port."""
        ended = None if self._served is None else self._served.linger()
        process = self.close().process
        if ended is not None:
            from mcpeak.link.ends import how

            last = process.stderr[-1].strip() if process is not None and process.stderr else ""
            words = "PROCESS_EXITED_STDERR" if last else None
            return ConnectFailed(
                "PROCESS_EXITED", words=words, process=process, how=how(ended), last=last, target=self._target
            )
        values = self._clean(trouble)
        words = trouble.words
        if self._served is not None and trouble.code == CONNECT:
            words, values["seconds"] = "HTTP_NOT_READY", f"{limit:g}"
        return ConnectFailed(trouble.code, room="http", words=words, process=process, **values)

    def _clean(self, trouble: HttpTrouble) -> dict[str, object]:
        text = self._redactor.text
        return {
            key: text(value) if isinstance(value, str) else value for key, value in trouble.values.items()
        }

    # -- asking

    def call(self, name: str, arguments: bytes) -> int:
        """Take a tools/call; it is sent when it is waited for."""
        return self.request("tools/call", call_params(quoted(name), arguments))

    def request(self, method: str, params: bytes | None = None) -> int:
        """Take a request; it is sent when it is waited for."""
        number, line = self._opener.session.request(method, params)
        self._asked[number] = (line, Call(number, method, params))
        return number

    def wait(self, number: int, limit: float) -> Outcome:
        """Send the request and wait for its answer."""
        line, call = self._asked.pop(number)
        self._watch.deadline = self._watch.clock() + limit
        try:
            self._opener.exchange.run(line, call)
            if not isinstance(call.outcome, Answer | Unreadable):
                raise TypeError(call.outcome)
            if self.server.era == "legacy" or isinstance(call.outcome, Unreadable):
                return call.outcome
            return self._mirror.settled(call, call.outcome)
        except httpcore.TimeoutException:
            self._give_up(number, "timed out")
            return Halt.TIMED_OUT
        except Interrupted:
            self._give_up(number, "interrupted")
            return Halt.INTERRUPTED
        except HttpTrouble as trouble:
            self._opener.session.cancel(number, "failed")
            return self._lost(trouble)

    def _give_up(self, number: int, reason: str) -> None:
        """Tell a legacy server; a modern one saw its stream close."""
        line = self._opener.session.cancel(number, reason)
        self._watch.deadline = self._watch.clock() + FAREWELL
        if line is not None and reason != "interrupted":
            with suppress(*_UNTOLD):
                self._opener.exchange.tell(line, "notifications/cancelled")

    def _lost(self, trouble: HttpTrouble) -> Outcome:
        values = self._clean(trouble)
        if trouble.code not in (CONNECT, LOST):
            return Failed(trouble.code, trouble.words, values)
        ended = None if self._served is None else self._served.linger()
        if ended is not None:
            return Died("exited", ended)
        if trouble.broken:
            return Failed(trouble.code, trouble.words, values)
        return Died(trouble.words, None, values)

    # -- closing

    def close(self) -> Closed:
        """End the session, the connection, and the process if it is ours."""
        if self._closed is None:
            exchange = self._opener.exchange
            exchange.stop_listening()
            self._watch.deadline = self._watch.clock() + FAREWELL
            if exchange.poster.session_id is not None:
                with suppress(*_UNTOLD):
                    exchange.poster.delete()
            exchange.client.close()
            self._closed = Closed() if self._served is None else self._served.end()
        return self._closed


def http_client(
    target: Target,
    manner: Manner,
    hear: Listener,
    *,
    redactor: Redactor,
    interrupts: Interrupts | None = None,
) -> HttpClient:
    """Make a client for a target with a URL, and start its command if it has one.

    Raises:
        ConnectFailed: the command cannot be started, or the URL is none.
    """
    url = _checked(str(target.url))
    options = HttpOptions(manner.ca, manner.proxy)
    watch = Watch(interrupts.soon if interrupts else None)
    tls = urlsplit(url).scheme == "https"

    def make(backend: Backend) -> httpx.Client:
        return make_client(backend, options, target.headers, tls=tls)

    served = _served(target, url, watch, redactor, interrupts)
    opener = Opener(url, make, manner, watch, hear)
    words = described(target)
    return HttpClient(opener, manner, hear, watch=watch, redactor=redactor, served=served, target=words)


def _checked(url: str) -> str:
    """Look whether a URL can be one of a server at all."""
    try:
        urlsplit(url)  # it refuses what httpx lets pass, such as half an IPv6 address
        parts = httpx.URL(url)
        reason = "" if parts.scheme in ("http", "https") and parts.host else (parts.scheme or "http://?")
    except (httpx.InvalidURL, ValueError) as wrong:
        reason = str(wrong)
    if reason:
        raise ConnectFailed(CONNECT, room="http", words="HTTP_URL_INVALID", url=url, reason=reason)
    return url


def _served(
    target: Target, url: str, watch: Watch, redactor: Redactor, interrupts: Interrupts | None
) -> Served | None:
    if target.command is None:
        return None
    from mcpeak.link import process
    from mcpeak.link.http_port import Port
    from mcpeak.link.spawn import StartFailed
    from mcpeak.link.unstarted import not_started

    port = Port(url)
    port.take(watch)
    try:
        pipes = process.start(target.command, interrupts.soon if interrupts else None)
    except StartFailed as wrong:
        port.leave()
        raise not_started(wrong) from wrong
    return Served(pipes, redactor, interrupts.hard if interrupts else None, port=port)
