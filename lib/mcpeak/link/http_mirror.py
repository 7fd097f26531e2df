"""Arguments that a modern server wants repeated in headers: learnt from its tool list.

mcpeak calls nothing before the first case, so a server's annotations may be unknown when a tool is called;
a server that wants the headers then refuses with -32020, and the list is read for them.
Source: the specification 2026-07-28, "Custom Headers from Tool Parameters", § Client Behavior.
"""

from msgspec import Raw

from mcpeak.link.client import Listener
from mcpeak.link.http_exchange import Call, Exchange
from mcpeak.protocol import errors
from mcpeak.protocol.events import Answer, Dropped, Unreadable
from mcpeak.protocol.headers import sift, tool_name
from mcpeak.protocol.pages import Pages
from mcpeak.protocol.session import Session


class Mirror:
    """Looks at a modern server's answers for what concerns headers."""

    def __init__(self, session: Session, exchange: Exchange, hear: Listener) -> None:
        self._session = session
        self._exchange = exchange
        self._hear = hear

    def settled(self, call: Call, outcome: Answer) -> Answer | Unreadable:
        """Give the answer that counts: a list without invalid tools, a call repeated with its headers."""
        if call.method == "tools/list" and outcome.result is not None:
            outcome.result = self._sifted(outcome.result)
        missed = outcome.error is not None and outcome.error.code == errors.HEADER_MISMATCH
        if missed and call.method == "tools/call" and not self._known(call):
            return self._learnt(call) or outcome
        return outcome

    def _known(self, call: Call) -> bool:
        return tool_name(call.params) in self._exchange.poster.paths

    def _sifted(self, result: Raw) -> Raw:
        sifted = sift(result)
        self._exchange.poster.paths |= sifted.paths
        for name, why in sifted.dropped.items():
            self._hear(Dropped(name, why))
        return sifted.result

    def _learnt(self, call: Call) -> Answer | Unreadable | None:
        """Read the tool list and try once more; None: that did not help."""
        pages = Pages()
        while not pages.done:
            answer = self._ask("tools/list", pages.params)
            if not isinstance(answer, Answer) or answer.result is None or answer.problem is not None:
                return None
            try:
                pages.take(self._sifted(answer.result))
            except errors.PeerMistake:
                return None
        if not self._known(call):
            return None
        answer = self._ask(call.method, call.params)
        if answer is not None:
            answer.id = call.origin
        return answer

    def _ask(self, method: str, params: bytes | None) -> Answer | Unreadable | None:
        number, line = self._session.request(method, params)
        call = Call(number, method, params)
        self._exchange.run(line, call)
        return call.outcome if isinstance(call.outcome, Answer | Unreadable) else None
