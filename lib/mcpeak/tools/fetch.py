"""An edge: asks one server for its tools, and ends it whatever happened.

Rule of this file: one connection, one list, no call. Trouble becomes an `error` record with the words of
its room.
"""

from typing import NamedTuple

from msgspec import Raw

from mcpeak.command import exits
from mcpeak.command.redact import Redactor
from mcpeak.command.target import Target, described
from mcpeak.command.text import clean
from mcpeak.link.client import Client, ConnectFailed, Halt, Interrupted, Manner, Outcome
from mcpeak.link.clock import now
from mcpeak.link.connect import Connector
from mcpeak.link.interrupt import Interrupts
from mcpeak.messages import Words, label, say
from mcpeak.protocol.errors import PeerMistake
from mcpeak.protocol.events import Answer, Unreadable
from mcpeak.protocol.pages import Pages
from mcpeak.wire.records import Error, ServerFacts

CODE = "GENERATE_CONNECT_FAILED"


class Listed(NamedTuple):
    """The tools of one server, raw and in its order."""

    server: ServerFacts
    tools: list[Raw]


class Unlisted(Exception):  # noqa: N818 - the answer "there is no list"
    """There is no list. `record`: why, None when a signal came; `exit`: the program's exit code."""

    def __init__(self, record: Error | None, exit_code: int) -> None:
        super().__init__(record)
        self.record = record
        self.exit = exit_code


def fetch(target: Target, manner: Manner, start_limit: float, limit: float) -> Listed:
    """Ask a server for its tools. `start_limit`, `limit`: seconds for the handshake and for the whole list.

    Raises:
        Unlisted: it could not be reached, did not answer, or answered with an error.
    """
    redactor = Redactor(target.secrets)
    with Interrupts() as interrupts:
        connector = Connector(target, interrupts=interrupts)
        try:
            client = connector.client(manner, lambda _: None, redactor)
            try:
                client.open(start_limit)
                return Listed(_facts(target, client), _pages(client, limit))
            finally:
                client.close()
        except ConnectFailed as failed:
            words = say(failed.room, failed.word, **failed.values)
            raise _unlisted(failed.detail, words) from failed
        except Interrupted:
            raise Unlisted(None, interrupts.exit_code) from None


def _facts(target: Target, client: Client) -> ServerFacts:
    seen = client.server
    return ServerFacts(
        target=described(target),
        name=seen.name,
        version=seen.version,
        protocol_version=seen.protocol_version,
        era=seen.era,
    )


def _pages(client: Client, limit: float) -> list[Raw]:
    deadline = now() + limit
    pages = Pages()
    while not pages.done:
        outcome = client.wait(client.request("tools/list", pages.params), deadline - now())
        if not isinstance(outcome, Answer) or outcome.result is None or outcome.problem is not None:
            raise _trouble(outcome, limit)
        try:
            pages.take(outcome.result)
        except PeerMistake as wrong:
            raise _unlisted("OPERATION_FAILED", say("protocol", wrong.code, **wrong.values)) from wrong
    return pages.items


def _trouble(outcome: Outcome, limit: float) -> Exception:
    """Say why there is no list."""
    if outcome is Halt.INTERRUPTED:
        return Interrupted()
    if outcome is Halt.TIMED_OUT:
        return _unlisted("OPERATION_FAILED", say("tools", "LIST_TIMEOUT", seconds=f"{limit:g}"))
    if isinstance(outcome, Answer) and outcome.error is not None:
        said = clean(Redactor().text(outcome.error.message))
        return _unlisted(
            "OPERATION_FAILED", say("tools", "LIST_REFUSED", number=outcome.error.code, said=said)
        )
    if isinstance(outcome, Answer) and outcome.problem is not None:
        return _unlisted("OPERATION_FAILED", say("protocol", outcome.problem.code, **outcome.problem.values))
    if isinstance(outcome, Unreadable):
        why = label("protocol", f"unreadable_{outcome.why}", at=outcome.at)
        return _unlisted("OPERATION_FAILED", say("protocol", "ANSWER_UNREADABLE", why=why))
    return _unlisted("OPERATION_FAILED", say("tools", "LIST_NOT_ANSWERED"))


def _unlisted(detail: str, words: Words) -> Unlisted:
    record = Error(stage="tools", code=CODE, detail=detail, message=words.message, hint=words.hint)
    return Unlisted(record, exits.UNREACHABLE)
