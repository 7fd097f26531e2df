"""The connection of one run: opened (again where `--retry` or `--restart` say so), watched, closed."""

from collections.abc import Callable

from mcpeak.command.redact import Redactor
from mcpeak.link.client import Client, Closed, ConnectFailed, Manner
from mcpeak.link.connect import Connector
from mcpeak.link.stdio import StdioClient
from mcpeak.messages import say
from mcpeak.run.heard import Heard
from mcpeak.wire.records import Error


class Connection:
    """Holds the client of one run.

    Args:
        connector: reaches the server.
        manner: how to speak.
        limit: seconds for start and handshake.
        heard: told of what the server does besides answering.
        idle: called when an answer does not come at once: the time to write records.
    """

    def __init__(
        self,
        connector: Connector,
        manner: Manner,
        limit: float,
        heard: Heard,
        redactor: Redactor,
        idle: Callable[[], None],
    ) -> None:
        self.client: Client | None = None
        self._connector = connector
        self._manner = manner
        self._limit = limit
        self._heard = heard
        self._redactor = redactor
        self._idle = idle

    @property
    def canned(self) -> bool:
        """Whether the server may be given answers of ours."""
        return bool(self._manner.answers.sampling or self._manner.answers.elicitation)

    @property
    def idles(self) -> bool:
        """Whether the client calls `idle`; else records must be written before each wait."""
        return isinstance(self.client, StdioClient)

    def open(self, retries: int = 0) -> Client:
        """Give an open client; connection trouble is tried again `retries` times.

        Raises:
            ConnectFailed, Interrupted: nothing is left running.
        """
        while True:
            try:
                return self._opened()
            except ConnectFailed as failed:
                if retries <= 0:
                    raise
                retries -= 1
                self._heard.tell("warning", "CONNECTION_RETRIED", reason=self.words(failed))

    def _opened(self) -> Client:
        client = self._connector.client(self._manner, self._heard.event, self._redactor)
        try:
            client.open(self._limit)
        except BaseException:
            client.close()
            raise
        if isinstance(client, StdioClient):  # fast answers need not wait until records are written
            client.while_idle(self._idle)
        self.client = client
        return client

    def close(self, verdict: bytes | None = None) -> Closed:
        """End the server; tell what that brings to light. `verdict`: the run's end, for a wrapper."""
        if verdict is not None and isinstance(self.client, StdioClient):
            self.client.tell(verdict)
        closed = self.client.close() if self.client is not None else Closed()
        self._heard.closed(closed)
        return closed

    def abandon(self) -> None:
        """Leave nothing behind, whatever happened."""
        if self.client is not None:
            self.client.close()
        self._connector.abandon()

    def words(self, failed: ConnectFailed) -> str:
        """Say in one sentence why there is no connection."""
        return self._redactor.text(say(failed.room, failed.word, **failed.values).message)

    def error(self, failed: ConnectFailed) -> Error:
        """Make the record of a server that was not reached."""
        words = say(failed.room, failed.word, **failed.values)
        return Error(
            stage="run",
            code="MCP_CONNECTION_FAILED",
            detail=failed.detail,
            message=self._redactor.text(words.message),
            hint=self._redactor.known(words.hint),  # ours: `NAME=VARIABLE` in it is no secret
            process=failed.process,
        )
