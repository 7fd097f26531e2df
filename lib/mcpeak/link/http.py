"""A server behind a URL, with the same face as one behind pipes: Streamable HTTP of every revision, HTTP+SSE.

Rule of this file: it opens, waits and closes, and says what a failure means for who asked. How messages
travel is `http_exchange`'s business. Source: PROTOCOL.md §4; CONTRACT §4.
"""

from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

import httpcore
import httpx
from msgspec import Raw

from mcpeak import __version__
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
from mcpeak.link.http_exchange import Call, Exchange
from mcpeak.link.http_net import Backend, Watch
from mcpeak.link.http_served import Served
from mcpeak.link.http_transport import HttpOptions, make_client
from mcpeak.link.http_trouble import CONNECT, LOST, STATUS, UNAUTHORIZED, HttpTrouble
from mcpeak.link.interrupt import Interrupts
from mcpeak.link.tail import Tail
from mcpeak.messages import label
from mcpeak.protocol import errors
from mcpeak.protocol.events import Answer, Dropped, Ready, Refused, Unreadable
from mcpeak.protocol.handshake import Server
from mcpeak.protocol.headers import sift, tool_name
from mcpeak.protocol.messages import ClientInfo, call_params, quoted
from mcpeak.protocol.pages import Pages
from mcpeak.protocol.revisions import wish
from mcpeak.protocol.session import Session
from mcpeak.protocol.states import PROBE_SECONDS

AGAIN = 0.05  # seconds between two looks at a server that we started and that does not listen yet
NOT_YET = frozenset({502, 503, 504})  # what a server (or a proxy before it) says that is still starting
OLD_TRANSPORT = frozenset({400, 404, 405})  # what an HTTP+SSE server says to a POST (specification)
FAREWELL = 2.0  # seconds for cancelling or for ending a session
SETTLE = 0.25  # seconds that the server's own stream may take to open before we ask something


class HttpClient:
    """One server behind a URL.

    Args:
        url: its endpoint.
        make: makes the HTTP client over a network.
        manner: how to speak.
        hear: told of every event that answers nothing.
        watch: limits and interrupts every wait.
        redactor: keeps secrets out of what is said.
        served: the process that serves it, if it is ours.
    """

    server: Server

    def __init__(
        self,
        url: str,
        make: Callable[[Backend], httpx.Client],
        manner: Manner,
        hear: Listener,
        *,
        watch: Watch,
        redactor: Redactor,
        served: Served | None = None,
        target: str = "",
    ) -> None:
        self.opening: list[bytes] = []
        self._url = url
        self._make = make
        self._manner = manner
        self._hear = hear
        self._watch = watch
        self._redactor = redactor
        self._served = served
        self._target = target
        self._clock = watch.clock
        self._asked: dict[int, tuple[bytes, Call]] = {}
        self._closed: Closed | None = None
        self._begin(manner)

    @property
    def tail(self) -> Tail | None:
        """The log of the process that serves it, if it is ours."""
        return None if self._served is None else self._served.tail

    def _begin(self, manner: Manner) -> None:
        self._session = Session(manner.wish, "http", ClientInfo("mcpeak", __version__), manner.answers)
        self._exchange = Exchange(self._url, self._make, self._session, self._watch, self._hear)
        self._watch.also = self._also

    def _also(self) -> dict[int, Callable[[], None]]:
        more = {} if self._served is None else self._served.served()
        return {**self._exchange.served(), **more}

    # -- opening

    def open(self, limit: float) -> None:
        """Do the handshake within `limit` seconds; a server that we started may take its time to listen."""
        deadline = self._watch.deadline = self._clock() + limit
        refused: HttpTrouble | None = None
        try:
            while (refused := self._not_yet(deadline)) is not None:
                self._watch.deadline = deadline
                self._watch.pause(AGAIN)
        except HttpTrouble as trouble:
            raise self._unreached(trouble, limit) from trouble
        except httpcore.TimeoutException as late:
            raise self._too_late(refused, limit) from late
        assert self._session.server is not None  # noqa: S101 - opened means answered
        self.server = self._session.server
        if self.server.era == "legacy" and self._exchange.listener is None:
            self._listen()

    def _not_yet(self, deadline: float) -> HttpTrouble | None:
        """Try once; give what shows that the process that we started does not listen yet."""
        try:
            self._handshake(deadline)
        except HttpTrouble as trouble:
            if self._served is None or self._served.ended() is not None:
                raise
            if trouble.code != CONNECT and trouble.status not in NOT_YET:
                raise
            self._exchange.client.close()
            self._begin(self._manner)
            return trouble
        return None

    def _too_late(self, refused: HttpTrouble | None, limit: float) -> ConnectFailed:
        if refused is not None:
            return self._unreached(refused, limit)
        process = self.close().process
        return ConnectFailed(
            "HANDSHAKE_TIMEOUT", room="http", process=process, url=self._told, seconds=f"{limit:g}"
        )

    def _handshake(self, deadline: float) -> None:
        lines = self._session.open()
        if self._session.probing:
            self._probe(lines, deadline)
        else:
            method = "initialize" if "legacy" in self._manner.wish.eras else "server/discover"
            self._run_opening(lines, Call(0, method))

    def _probe(self, lines: list[bytes], deadline: float) -> None:
        """Ask for the modern era; whatever is no answer to that means the other."""
        self._watch.deadline = min(deadline, self._clock() + PROBE_SECONDS)
        try:
            self._run_opening(lines, Call(0, "server/discover"))
        except HttpTrouble as trouble:
            if not self._session.probing or trouble.code in (CONNECT, UNAUTHORIZED):
                raise
        except httpcore.ReadTimeout:
            if not self._session.probing:
                raise
        self._watch.deadline = deadline
        if self._session.server is None:
            self._run_opening(self._session.silence(), Call(0, "initialize"))

    def _run_opening(self, lines: list[bytes], call: Call) -> None:
        self.opening = lines
        try:
            self._exchange.run(lines[0], call)
        except HttpTrouble as trouble:
            if trouble.code == STATUS and "legacy" not in self._manner.wish.eras:
                trouble.words = "HTTP_NOT_MODERN"
            old = trouble.status in OLD_TRANSPORT and "legacy" in self._manner.wish.eras
            if self._session.probing or not old or not self._old_transport(trouble):
                raise
            return
        if isinstance(call.outcome, Refused):
            reason = label("protocol", call.outcome.why, **call.outcome.values)
            raise ConnectFailed(
                "HANDSHAKE_FAILED",
                room="protocol",
                process=self.close().process,
                reason=self._redactor.text(reason),
            )
        if not isinstance(call.outcome, Ready):
            raise HttpTrouble("HTTP_RESPONSE_INVALID", "HTTP_NO_ANSWER", {"url": self._told, "body": "-"})

    def _old_transport(self, trouble: HttpTrouble) -> bool:
        """Try HTTP+SSE (2024-11-05): a GET whose first event names where to post. Only once."""
        if self._exchange.listener is not None or self._session.state.name == "LEGACY":
            return False
        manner = self._manner
        if len(manner.wish.eras) > 1:
            manner = manner._replace(wish=wish("legacy"))
        self._exchange.client.close()
        self._begin(manner)
        exchange = self._exchange
        exchange.listen()
        listener = exchange.listener
        while listener is not None and exchange.poster.target == self._url and not listener.ended:
            self._watch.wait(None)
        if exchange.poster.target == self._url:
            exchange.stop_listening()
            raise trouble
        self._run_opening(self._session.open(), Call(0, "initialize"))
        return True

    def _listen(self) -> None:
        """Open the server's own stream; wait for it a moment if the server may have something to ask."""
        self._exchange.listen()
        listener = self._exchange.listener
        if listener is not None and self._manner.answers != type(self._manner.answers)():
            listener.settled.wait(SETTLE)

    @property
    def _told(self) -> str:
        return self._exchange.poster.told

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
        values = {key: self._clean(value) for key, value in trouble.values.items()}
        words = trouble.words
        if self._served is not None and trouble.code == CONNECT:
            words, values["seconds"] = "HTTP_NOT_READY", f"{limit:g}"
        return ConnectFailed(trouble.code, room="http", words=words, process=process, **values)

    def _clean(self, value: object) -> object:
        return self._redactor.text(value) if isinstance(value, str) else value

    # -- asking

    def call(self, name: str, arguments: bytes) -> int:
        """Take a tools/call; it is sent when it is waited for."""
        return self.request("tools/call", call_params(quoted(name), arguments))

    def request(self, method: str, params: bytes | None = None) -> int:
        """Take a request; it is sent when it is waited for."""
        number, line = self._session.request(method, params)
        self._asked[number] = (line, Call(number, method, params))
        return number

    def wait(self, number: int, limit: float) -> Outcome:
        """Send the request and wait for its answer."""
        line, call = self._asked.pop(number)
        self._watch.deadline = self._clock() + limit
        try:
            self._exchange.run(line, call)
            return self._settled(call)
        except httpcore.TimeoutException:
            self._give_up(number, "timed out")
            return Halt.TIMED_OUT
        except Interrupted:
            self._give_up(number, "interrupted")
            return Halt.INTERRUPTED
        except HttpTrouble as trouble:
            self._session.cancel(number, "failed")
            return self._lost(trouble)

    def _settled(self, call: Call) -> Outcome:
        """Look at what the modern era wants looked at: annotated tools, headers that the server missed."""
        outcome = call.outcome
        if not isinstance(outcome, Answer | Unreadable):
            raise TypeError(outcome)
        if self.server.era == "legacy" or isinstance(outcome, Unreadable):
            return outcome
        if call.method == "tools/list" and outcome.result is not None:
            outcome.result = self._sifted(outcome.result)
        missed = outcome.error is not None and outcome.error.code == errors.HEADER_MISMATCH
        if (
            missed
            and call.method == "tools/call"
            and tool_name(call.params) not in self._exchange.poster.paths
        ):
            return self._with_headers(call, outcome)
        return outcome

    def _sifted(self, result: Raw) -> Raw:
        sifted = sift(result)
        self._exchange.poster.paths |= sifted.paths
        for name, why in sifted.dropped.items():
            self._hear(Dropped(name, why))
        return sifted.result

    def _with_headers(self, call: Call, refused: Answer) -> Outcome:
        """Read the tool list for the headers that a call needs, and try once more ("Client Behavior")."""
        pages = Pages()
        while not pages.done:
            number, line = self._session.request("tools/list", pages.params)
            listing = Call(number, "tools/list", pages.params)
            self._exchange.run(line, listing)
            answer = listing.outcome
            if not isinstance(answer, Answer) or answer.result is None or answer.problem is not None:
                return refused
            try:
                pages.take(self._sifted(answer.result))
            except errors.PeerMistake:
                return refused
        if tool_name(call.params) not in self._exchange.poster.paths:
            return refused
        number, line = self._session.request(call.method, call.params)
        again = Call(number, call.method, call.params)
        self._exchange.run(line, again)
        if isinstance(again.outcome, Answer | Unreadable):
            again.outcome.id = call.origin
            return again.outcome
        return refused

    def _give_up(self, number: int, reason: str) -> None:
        """Tell a legacy server; a modern one saw its stream close."""
        line = self._session.cancel(number, reason)
        self._watch.deadline = self._clock() + FAREWELL
        if line is not None and reason != "interrupted":
            with suppress(
                httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, Interrupted
            ):
                self._exchange.tell(line, "notifications/cancelled")

    def _lost(self, trouble: HttpTrouble) -> Outcome:
        values = {key: self._clean(value) for key, value in trouble.values.items()}
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
            self._exchange.stop_listening()
            self._watch.deadline = self._clock() + FAREWELL
            if self._exchange.poster.session_id is not None:
                with suppress(
                    httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, Interrupted
                ):
                    self._exchange.poster.delete()
            self._exchange.client.close()
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

    served = _served(target, redactor, interrupts)
    return HttpClient(
        url,
        make,
        manner,
        hear,
        watch=watch,
        redactor=redactor,
        served=served,
        target=described(target),
    )


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


def _served(target: Target, redactor: Redactor, interrupts: Interrupts | None) -> Served | None:
    if target.command is None:
        return None
    from mcpeak.link import process
    from mcpeak.link.connect import not_started
    from mcpeak.link.spawn import StartFailed

    try:
        pipes = process.start(target.command, interrupts.soon if interrupts else None)
    except StartFailed as wrong:
        raise not_started(wrong) from wrong
    return Served(pipes, redactor, interrupts.hard if interrupts else None)
