"""From a TARGET to a client: start what must be started, and choose the transport.

A stdio server is started by `start`, before anything of the protocol is imported, so that it boots meanwhile.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from mcpeak.command.target import Target, described
from mcpeak.link import process
from mcpeak.link.pipes import Pipes
from mcpeak.link.spawn import StartFailed

if TYPE_CHECKING:
    from mcpeak.command.redact import Redactor
    from mcpeak.link.client import Client, Listener, Manner
    from mcpeak.link.interrupt import Interrupts


class Connector:
    """Reaches one target, as often as asked.

    Args:
        target: which server.
        interrupts: signals that end the waiting.
        hear_record: gets the lines that a wrapper of the server (`mcpeak-session`) writes for our stream.
        run: names this program's run to such a wrapper; empty: nothing is told.
        part: names what is run, such as the number of the suite.
    """

    def __init__(
        self,
        target: Target,
        *,
        interrupts: "Interrupts | None" = None,
        hear_record: Callable[[bytes], None] | None = None,
        run: str = "",
        part: str = "",
    ) -> None:
        self.target = target
        self._interrupts = interrupts
        self.hear_record = hear_record  # may be set later: nothing is read before the client waits
        self._run = run
        self._part = part
        self._starts = 0
        self._pipes: Pipes | None = None
        self._failed: StartFailed | None = None

    def start(self) -> None:
        """Start a stdio server at once; a failure is told by `client`."""
        if self.target.command is None or self.target.url is not None:
            return
        try:
            self._pipes = self._spawn()
        except StartFailed as failed:
            self._failed = failed

    def _spawn(self) -> Pipes:
        assert self.target.command is not None  # noqa: S101 - the callers have looked
        soon = self._interrupts.soon if self._interrupts else None
        part = f"{self._part}.{self._starts}" if self._starts else self._part
        self._starts += 1
        named = {"MCPEAK_RUN": self._run, "MCPEAK_SESSION_PART": part} if self._run else {}
        if "MCPEAK_LANG" in os.environ:
            named["MCPEAK_LANG"] = os.environ["MCPEAK_LANG"]
        return process.start(self.target.command, soon, self._heard, named)

    def _heard(self, line: bytes) -> None:
        if self.hear_record is not None:
            self.hear_record(line)

    def client(self, manner: "Manner", hear: "Listener", redactor: "Redactor") -> "Client":
        """Give a client, not yet open.

        Raises:
            ConnectFailed: the command cannot be started.
            Interrupted: a signal came; nothing is started any more.
        """
        if self._interrupts is not None and self._interrupts.signal is not None:
            from mcpeak.link.client import Interrupted

            self.abandon()
            raise Interrupted
        hard = self._interrupts.hard if self._interrupts else None
        if self.target.url is not None:
            from mcpeak.link.http import http_client

            return http_client(self.target, manner, hear, redactor=redactor, interrupts=self._interrupts)
        from mcpeak.link.stdio import StdioClient

        failed, self._failed = self._failed, None
        pipes, self._pipes = self._pipes, None
        try:
            if failed is not None:
                raise failed
            pipes = pipes or self._spawn()
        except StartFailed as wrong:
            from mcpeak.link.unstarted import not_started

            raise not_started(wrong) from wrong
        return StdioClient(
            pipes,
            manner,
            hear,
            target=described(self.target),
            redactor=redactor,
            again=self._spawn,
            hard=hard,
        )

    def abandon(self) -> None:
        """End a server that was started and is not wanted after all."""
        if self._pipes is not None:
            from mcpeak.link import shutdown

            pipes, self._pipes = self._pipes, None
            shutdown.end(pipes, self._interrupts.hard if self._interrupts else None)
