"""A mock on HTTP in a thread of this process, for `MockServer`.

Rule of this file: an edge; everything that touches the loop does so from its own thread.
"""

from contextlib import ExitStack

from anyio.from_thread import start_blocking_portal

from mcpeak.mock import http
from mcpeak.mock.book import Book
from mcpeak.mock.definition import Definition
from mcpeak.mock.log import Transcript
from mcpeak.mock.server import Server
from mcpeak.protocol.revisions import wish

_LONGEST = 10.0  # seconds that starting or ending may take


class Serving:
    """A running mock. `url`: where it listens."""

    def __init__(self, definition: Definition, protocol: str, log: Transcript, *, sessions: bool) -> None:
        """Start it; return when it listens."""
        self._server = Server(Book(definition, changing=True), wish(protocol))
        self._app = http.App(self._server, http.Manner(sessions=sessions), log)
        bound = http.listen(http.Manner())
        self.url = http.url_of(bound)
        self._uvicorn = http.make(self._app)
        self._held = ExitStack()
        self._held.callback(bound.close)
        self._portal = self._held.enter_context(start_blocking_portal(name="mcpeak-mock"))
        self._served = self._portal.start_task_soon(self._uvicorn.serve, [bound])

    def change(self, definition: Definition) -> None:
        """Serve another definition from now on; clients that listen are told."""
        self._server.open(Book(definition, changing=True))
        self._portal.call(self._app.hub.publish, "notifications/tools/list_changed", {})

    def stop(self) -> None:
        """End it and its thread."""
        with self._held:
            self._portal.call(http.stop, self._uvicorn, self._app)
            self._served.result(_LONGEST)
