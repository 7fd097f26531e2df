"""Opening a session over HTTP: the probe, the fallback to `initialize`, the transport before Streamable HTTP.

Rule of this file: one try of one handshake; who calls it decides about limits and further tries.
Source: PROTOCOL.md §4, "Modern client fallback"; the specification's "Backward Compatibility".
"""

from collections.abc import Callable
from math import inf

import httpcore
import httpx

from mcpeak import __version__
from mcpeak.link.client import Listener, Manner
from mcpeak.link.http_exchange import Call, Exchange
from mcpeak.link.http_net import Backend, Watch
from mcpeak.link.http_trouble import CONNECT, STATUS, UNAUTHORIZED, HttpTrouble, invalid
from mcpeak.protocol.events import Ready, Refused
from mcpeak.protocol.messages import ClientInfo
from mcpeak.protocol.revisions import wish
from mcpeak.protocol.session import Session
from mcpeak.protocol.states import PROBE_SECONDS

OLD_TRANSPORT = frozenset({400, 404, 405})  # what an HTTP+SSE server says to a POST (specification)


class NotAccepted(Exception):  # noqa: N818 - named for what happened
    """The handshake was answered in a way that allows no session. `refused`: the session's word."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.why)
        self.refused = refused


class Opener:
    """Brings a session about.

    Attributes:
        session, exchange: of the present try.
        lines: what opened it.
    """

    def __init__(
        self,
        url: str,
        make: Callable[[Backend], httpx.Client],
        manner: Manner,
        watch: Watch,
        hear: Listener,
    ) -> None:
        self._url = url
        self._make = make
        self._manner = manner
        self._watch = watch
        self._hear = hear
        self.lines: list[bytes] = []
        self.begin()

    def begin(self, manner: Manner | None = None) -> None:
        """Begin a try, with nothing of the one before."""
        chosen = manner or self._manner
        self.session = Session(chosen.wish, "http", ClientInfo("mcpeak", __version__), chosen.answers)
        self.exchange = Exchange(self._url, self._make, self.session, self._watch, self._hear)

    def handshake(self) -> None:
        """Try once.

        Raises:
            HttpTrouble, httpcore.TimeoutException, NotAccepted, Interrupted.
        """
        lines = self.session.open()
        if self.session.probing:
            self._probe(lines)
        else:
            method = "initialize" if "legacy" in self._manner.wish.eras else "server/discover"
            self._run(lines, Call(0, method))

    def _probe(self, lines: list[bytes]) -> None:
        """Ask for the modern era; whatever is no answer to that means the other."""
        try:
            self._run(lines, Call(0, "server/discover"), first=self._watch.clock() + PROBE_SECONDS)
        except HttpTrouble as trouble:
            if not self.session.probing or trouble.code in (CONNECT, UNAUTHORIZED):
                raise
        except httpcore.ReadTimeout:
            if not self.session.probing:
                raise
        if self.session.server is None:
            self._run(self.session.silence(), Call(0, "initialize"))

    def _run(self, lines: list[bytes], call: Call, *, first: float = inf) -> None:
        self.lines = lines
        try:
            self.exchange.run(lines[0], call, first=first)
        except HttpTrouble as trouble:
            if self.session.probing or not self._may_be_old(trouble):
                raise
            self._old_transport(trouble)
            return
        if isinstance(call.outcome, Refused):
            raise NotAccepted(call.outcome)
        if not isinstance(call.outcome, Ready):
            raise invalid("HTTP_NO_ANSWER", self.exchange.poster.told, body="-")

    def _may_be_old(self, trouble: HttpTrouble) -> bool:
        if "legacy" not in self._manner.wish.eras:
            if trouble.code == STATUS:
                trouble.words = "HTTP_NOT_MODERN"
            return False
        return trouble.status in OLD_TRANSPORT and self.exchange.listener is None

    def _old_transport(self, trouble: HttpTrouble) -> None:
        """Try HTTP+SSE (2024-11-05): a GET whose first event names where to post."""
        manner = self._manner
        if len(manner.wish.eras) > 1:
            manner = manner._replace(wish=wish("legacy"))
        self.exchange.client.close()
        self.begin(manner)
        self.exchange.listen()
        listener = self.exchange.listener
        while listener is not None and self.exchange.poster.target == self._url and not listener.ended:
            self._watch.wait(None)
        if self.exchange.poster.target == self._url:
            self.exchange.stop_listening()
            raise trouble
        self._run(self.session.open(), Call(0, "initialize"))
