"""An edge: one connection, one call, and its end, whatever happened."""

from typing import Any, NamedTuple

from mcpeak.call.look import misnamed
from mcpeak.command import exits
from mcpeak.command.failure import Failure, ServerError
from mcpeak.command.redact import Redactor
from mcpeak.command.target import Target
from mcpeak.link.client import Client, ConnectFailed, Halt, Interrupted, Manner, Outcome
from mcpeak.link.connect import Connector
from mcpeak.link.interrupt import Interrupts
from mcpeak.messages import Words, label, say
from mcpeak.protocol.events import Answer, Unreadable
from mcpeak.wire.json import JsonError, parse


class Unreached(ServerError):  # noqa: N818 - named for what happened
    """The server could not be started or reached; the words are the link's."""

    def __init__(self, failed: ConnectFailed) -> None:
        super().__init__("MCP_CONNECTION_FAILED", detail=failed.detail)
        self._failed = failed

    @property
    def words(self) -> Words:
        """Say why, as every program that reaches a server does."""
        return say(self._failed.room, self._failed.word, **self._failed.values)


class Unanswered(Failure):
    """The call has no result to show."""

    exit = exits.NO

    def __init__(self, word: str, *, room: str = "call", **values: object) -> None:
        super().__init__("OPERATION_FAILED", room=room, detail=word)
        self.values = values


class Asked(NamedTuple):
    """The server's name, the result as it came, and, where it refuses, what is wrong with the tool's name."""

    server: str
    result: dict[str, Any]
    misnamed: Unanswered | None


def ask(
    target: Target, manner: Manner, tool: str, arguments: bytes, start_limit: float, limit: float
) -> Asked:
    """Call a tool once; where the server refuses, look once whether it has such a tool.

    Args:
        target: which server.
        manner: how to speak to it.
        tool: the tool's name.
        arguments: a JSON object, sent as written.
        start_limit: seconds for the handshake.
        limit: seconds for the call.

    Raises:
        Unreached: no connection. Unanswered: no result. SystemExit: a signal came; its exit code.
    """
    with Interrupts() as interrupts:
        try:
            client = Connector(target, interrupts=interrupts).client(
                manner, lambda _: None, Redactor(target.secrets)
            )
            try:
                client.open(start_limit)
                result = _result(client, tool, arguments, limit)
                wrong = _misnamed(client, tool, limit) if result.get("isError") is True else None
                return Asked(client.server.name, result, wrong)
            finally:
                client.close()
        except ConnectFailed as failed:
            raise Unreached(failed) from failed
        except Interrupted:
            raise SystemExit(interrupts.exit_code) from None


def _result(client: Client, tool: str, arguments: bytes, limit: float) -> dict[str, Any]:
    outcome = client.wait(client.call(tool, arguments), limit)
    if isinstance(outcome, Answer) and outcome.error is not None:
        raise _misnamed(client, tool, limit) or _unanswered(outcome, limit)
    if not isinstance(outcome, Answer) or outcome.result is None or outcome.problem is not None:
        raise _unanswered(outcome, limit)
    try:
        result = parse(bytes(outcome.result))
    except JsonError as wrong:
        raise Unanswered("RESULT_UNREADABLE", why=str(wrong)) from wrong
    if not isinstance(result, dict):
        raise Unanswered("RESULT_UNREADABLE", why=label("call", "no_object"))
    return result


def _misnamed(client: Client, tool: str, limit: float) -> Unanswered | None:
    found = misnamed(client, tool, limit)
    return Unanswered(found[0], **found[1]) if found else None


def _unanswered(outcome: Outcome, limit: float) -> BaseException:
    if outcome is Halt.INTERRUPTED:
        return Interrupted()
    if outcome is Halt.TIMED_OUT:
        return Unanswered("CALL_TIMEOUT", seconds=f"{limit:g}")
    if isinstance(outcome, Answer) and outcome.error is not None:
        said = Redactor().text(outcome.error.message)
        return Unanswered("CALL_REFUSED", number=outcome.error.code, said=said)
    if isinstance(outcome, Answer) and outcome.problem is not None:
        return Unanswered(outcome.problem.code, room="protocol", **outcome.problem.values)
    if isinstance(outcome, Unreadable):
        why = label("protocol", f"unreadable_{outcome.why}", at=outcome.at)
        return Unanswered("ANSWER_UNREADABLE", room="protocol", why=why)
    return Unanswered("SERVER_ENDED")
