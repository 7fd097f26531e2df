"""A mock on HTTP in a thread of this process, for `MockServer`.

Rule of this file: an edge; everything that touches the loop does so from its own thread.
"""

import asyncio
import socket
import threading

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
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, args=(bound,), name="mcpeak-mock", daemon=True)
        self._thread.start()

    def change(self, definition: Definition) -> None:
        """Serve another definition from now on; clients that listen are told."""
        self._server.open(Book(definition, changing=True))
        self._loop.call_soon_threadsafe(self._app.hub.publish, "notifications/tools/list_changed", {})

    def stop(self) -> None:
        """End it and its thread."""
        self._loop.call_soon_threadsafe(http.stop, self._uvicorn, self._app)
        self._thread.join(_LONGEST)

    def _run(self, bound: socket.socket) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._uvicorn.serve(sockets=[bound]))
        finally:
            bound.close()
            self._loop.close()
