"""Serving a definition: which edge, with which log, watched or not.

Rule of this file: it wires the parts; the loops are in `stdio.py` and `http.py`.
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from mcpeak.command import exits
from mcpeak.command.boundary import to_stderr
from mcpeak.command.failure import ServerError
from mcpeak.command.text import clean, cut
from mcpeak.messages import label
from mcpeak.mock.book import Book
from mcpeak.mock.definition import Definition, Refused
from mcpeak.mock.files import load, tell, warn, warn_all
from mcpeak.mock.server import Server
from mcpeak.mock.words import refusal
from mcpeak.protocol.revisions import wish
from mcpeak.wire.writer import to_descriptor

if TYPE_CHECKING:
    from argparse import Namespace

    from mcpeak.mock.log import Log

_NOTED = 20
_QUOTED = 120


def on_stdio(definition: Definition, options: "Namespace") -> int:
    """Serve the client that started us until it closes our stdin."""
    from mcpeak.mock.player import Player
    from mcpeak.mock.stdio import serve

    server = _server(definition, options)
    player = Player(server, time.monotonic, Ignored())
    changed = _changed(definition, options, server)
    log = _log(definition, options, "stdio")
    if log is None:
        return serve(player, definition.value.get("faults", {}), changed)
    from mcpeak.mock.log import Recorded

    try:
        return serve(Recorded(player, log), definition.value.get("faults", {}), changed)
    finally:
        log.close()


def on_http(definition: Definition, options: "Namespace") -> int:
    """Serve HTTP until SIGTERM; the first line on stdout is the URL."""
    import anyio

    from mcpeak.mock import http

    manner = http.Manner(options.host or "127.0.0.1", options.port or 0, options.sessions, options.sse)
    time.sleep(definition.value.get("faults", {}).get("startDelayMs", 0) / 1000)
    server = _server(definition, options)
    changed = _changed(definition, options, server)
    try:
        bound = http.listen(manner)
    except (OSError, OverflowError) as wrong:
        reason = getattr(wrong, "strerror", None) or str(wrong)
        raise ServerError(
            "PORT_TAKEN", room="mock", host=manner.host, port=manner.port, reason=reason
        ) from wrong
    log = _log(definition, options, "http")
    app = http.App(server, manner, log)
    url = f"{http.url_of(bound)}\n".encode()
    interrupted = anyio.run(http.serve, app, bound, lambda: to_descriptor(1)(url), changed)
    if log is not None:
        log.close()
    return exits.INTERRUPTED if interrupted else exits.GOOD


def _server(definition: Definition, options: "Namespace") -> Server:
    return Server(_bound(definition, changing=options.watch), wish(options.protocol))


def _bound(definition: Definition, *, changing: bool) -> Book:
    return Book(definition, lambda problem: warn(problem, definition.source), changing=changing)


def _log(definition: Definition, options: "Namespace", transport: str) -> "Log | None":
    if options.log is None:
        return None
    from mcpeak.mock.log import Log

    return Log(options.log, definition, transport)


def _changed(definition: Definition, options: "Namespace", server: Server) -> Callable[[], list[str]] | None:
    if not options.watch:
        return None
    from mcpeak.mock.watch import Watch

    bind: Callable[[Definition], Book] = lambda again: _bound(again, changing=True)  # noqa: E731 - typed
    return Watch(definition.source, server, load, bind, _told).changed


def _told(definition: Definition | Refused) -> None:
    if isinstance(definition, Refused):
        to_stderr(refusal(definition))
        tell("NOT_RELOADED", source=definition.source)
        return
    warn_all(definition.warnings, definition.source)
    tell("RELOADED", source=definition.source)


class Ignored:
    """Tells of lines that got no answer, but not of thousands."""

    def __init__(self) -> None:
        self._left = _NOTED

    def __call__(self, why: str, line: bytes) -> None:
        """Tell of one line."""
        self._left -= 1
        if self._left >= 0:
            shown = cut(clean(line[: 4 * _QUOTED].decode("utf-8", "replace").strip()), _QUOTED)
            tell("LINE_IGNORED", why=label("mock", f"line_{why}", limit=64), line=shown)
        elif self._left == -1:
            tell("LINES_IGNORED")
