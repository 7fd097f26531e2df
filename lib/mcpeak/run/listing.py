"""tools/list read to its end, page by page, within one time limit."""

from msgspec import Raw

from mcpeak.link.client import Client, Outcome
from mcpeak.link.clock import Clock, now
from mcpeak.protocol.errors import PeerMistake
from mcpeak.protocol.events import Answer
from mcpeak.protocol.pages import Pages
from mcpeak.run.answers import Fault, names_of
from mcpeak.run.assertions import Listed


def follow(client: Client, number: int, limit: float, clock: Clock = now) -> Outcome | Listed | Fault:
    """Wait for the first page, asked for as `number`, and ask for the others.

    Args:
        client: the open connection.
        number: what `client.request` gave.
        limit: seconds for the whole list.
        clock: monotonic seconds.
    """
    deadline = clock() + limit
    pages = Pages()
    while True:
        outcome = client.wait(number, deadline - clock())
        if not isinstance(outcome, Answer) or outcome.result is None or outcome.problem is not None:
            return outcome
        try:
            pages.take(outcome.result)
        except PeerMistake as wrong:
            return Fault(wrong.code, dict(wrong.values))
        if pages.done:
            whole = outcome.result if pages.params is None else _joined(pages.items)
            return Listed(names_of(pages.items), pages.items, whole)
        number = client.request("tools/list", pages.params)


def _joined(tools: list[Raw]) -> Raw:
    return Raw(b'{"tools":[%b]}' % b",".join(bytes(tool) for tool in tools))
