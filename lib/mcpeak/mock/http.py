"""The HTTP edge: Streamable HTTP with starlette and uvicorn.

Rule of this file: the only one of the room that imports them, and only when `--http` is asked for.
Source: PROTOCOL.md §4, its status matrix at its most correct.
"""

import asyncio
import signal
import socket
from collections.abc import Awaitable, Callable
from contextlib import nullcontext, suppress
from typing import Any, NamedTuple

import uvicorn
from starlette.requests import Request
from starlette.responses import Response

from mcpeak.messages import label
from mcpeak.mock import guards, words
from mcpeak.mock.answers import Refusal, bad
from mcpeak.mock.incoming import Incoming, Unreadable, proper_id, read
from mcpeak.mock.log import Transcript
from mcpeak.mock.peer import Peer
from mcpeak.mock.server import BATCHES, Server
from mcpeak.mock.sessions import HEADER, Sessions, Stateless
from mcpeak.mock.steps import Script
from mcpeak.mock.stream import Emit, Hub, play, relay
from mcpeak.protocol.errors import INVALID_REQUEST, PARSE_ERROR

BODY = 64 << 20
"""Bytes of the longest body that is read."""

_EVENTS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
]
Receive = Callable[[], Awaitable[Any]]
SendIt = Callable[[Any], Awaitable[None]]


class Manner(NamedTuple):
    """How to serve. `host`, `port`: where (port 0: a free one); `sse`: every answer as an event stream."""

    host: str = "127.0.0.1"
    port: int = 0
    sessions: bool = False
    sse: bool = False


class App:
    """The ASGI application: one endpoint, at any path."""

    def __init__(self, server: Server, manner: Manner, log: Transcript | None = None) -> None:
        self.server = server
        self.hub = Hub()
        self._manner = manner
        self._log = log
        self._nobody = Stateless()
        self._sessions = Sessions() if manner.sessions else self._nobody

    async def __call__(self, scope: Any, receive: Receive, send: SendIt) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        try:
            await self._answer(request, receive, send)
        except Refusal as wrong:
            await _reply(bad(b"null", wrong), wrong.status)(scope, receive, send)

    async def _answer(self, request: Request, receive: Receive, send: SendIt) -> None:
        guards.check_origin(request.headers, self._manner.host)
        if request.method == "POST":
            await self._post(request, receive, send)
        elif request.method in ("GET", "DELETE") and self._legacy(request):
            await (self._get if request.method == "GET" else self._delete)(request, receive, send)
        else:
            allowed = {"Allow": "POST" if not self._legacy(request) else "GET, POST, DELETE"}
            wrong = Refusal(guards.HTTP_REFUSED, words.plain("METHOD_NOT_ALLOWED"))
            await _reply(bad(b"null", wrong), 405, allowed)(request.scope, receive, send)

    def _legacy(self, request: Request) -> bool:
        eras = self.server.eras
        return bool(eras.legacy) and request.headers.get("mcp-protocol-version") not in eras.modern

    async def _get(self, request: Request, receive: Receive, send: SendIt) -> None:
        """Open the stream of what nobody asked for (legacy): news."""
        guards.check_get(request.headers)
        self._sessions.peer(request.headers, None)
        await _stream(receive, send, {}, lambda emit: relay(self.hub, None, emit))

    async def _delete(self, request: Request, receive: Receive, send: SendIt) -> None:
        self._sessions.end(request.headers)
        await Response(status_code=200)(request.scope, receive, send)

    async def _post(self, request: Request, receive: Receive, send: SendIt) -> None:
        guards.check_post(request.headers)
        body = await _body(request)
        if self._log is not None:
            self._log.heard(body)
        message = read(body)
        if isinstance(message, list):
            await self._batch(message, request, receive, send)
        elif isinstance(message, Incoming):
            await self._one(message, body, request, receive, send)
        else:
            raise _unreadable(message)

    async def _one(
        self, message: Incoming, body: bytes, request: Request, receive: Receive, send: SendIt
    ) -> None:
        try:
            answer, session = self._respond(message, body, request)
        except Refusal as wrong:
            await _reply(bad(bytes(message.id), wrong), wrong.status)(request.scope, receive, send)
            return
        headers = {} if session is None else {HEADER: session}
        if isinstance(answer, bytes):
            self._wrote(answer)
        if answer is None:
            await Response(status_code=202, headers=headers)(request.scope, receive, send)
        elif isinstance(answer, bytes) and not self._manner.sse:
            await _reply(answer, 200, headers)(request.scope, receive, send)
        elif isinstance(answer, bytes):
            await _stream(receive, send, headers, lambda emit: emit(answer))
        else:
            await _stream(receive, send, headers, lambda emit: play(answer, self.hub, self._recorded(emit)))

    def _respond(self, message: Incoming, body: bytes, request: Request) -> tuple[Any, str | None]:
        """Give the answer (bytes, a script or None) and the id of a session that begins."""
        headers, eras = request.headers, self.server.eras
        modern = guards.era_of(headers, message, eras)
        if message.method is None and (bytes(message.result) or bytes(message.error)):
            self.hub.answered(bytes(message.id), body)
        peer, session = (self._nobody if modern else self._sessions).peer(headers, message)
        asks = message.method is not None and proper_id(bytes(message.id))
        if modern and asks and isinstance(message.params.meta.version, str):
            guards.check_modern(headers, message, self.server.book)
        return self.server.respond(message, peer, modern=modern), session

    def _wrote(self, message: bytes) -> None:
        if self._log is not None:
            self._log.wrote(message)

    def _recorded(self, emit: Emit) -> Emit:
        async def recorded(message: bytes) -> None:
            self._wrote(message)
            await emit(message)

        return recorded

    async def _batch(self, members: list[bytes], request: Request, receive: Receive, send: SendIt) -> None:
        """Answer a batch where the revision has them (2025-03-26, also when no header names another)."""
        told = request.headers.get("mcp-protocol-version", "2025-03-26")
        if told not in BATCHES or told not in self.server.eras.legacy or not members:
            raise Refusal(INVALID_REQUEST, label("mock", "line_batch"), status=400)
        peer, _ = self._sessions.peer(request.headers, None)
        given = [self._member(member, peer) for member in members]
        answers = [answer for answer in given if isinstance(answer, bytes)]
        scripts = [answer for answer in given if answer is not None and not isinstance(answer, bytes)]
        for answer in answers:
            self._wrote(answer)
        if scripts:
            await _stream(receive, send, {}, lambda emit: self._all(answers, scripts, emit))
        else:
            reply = _reply(b"[%b]" % b",".join(answers), 200) if answers else Response(status_code=202)
            await reply(request.scope, receive, send)

    def _member(self, member: bytes, peer: Peer) -> bytes | Script | None:
        message = read(member)
        if isinstance(message, Incoming):
            return self.server.answer(message, peer)
        return bad(b"null", Refusal(INVALID_REQUEST, words.plain("INVALID_REQUEST")))

    async def _all(self, answers: list[bytes], scripts: list[Script], emit: Emit) -> None:
        """Answer a batch of which something takes time: one event an answer."""
        for answer in answers:
            await emit(answer)
        await asyncio.gather(*(play(script, self.hub, self._recorded(emit)) for script in scripts))


def _reply(body: bytes, status: int, headers: dict[str, str] | None = None) -> Response:
    return Response(body, status, headers, "application/json")


def _unreadable(message: Unreadable | None) -> Refusal:
    why = label("mock", f"line_{'syntax' if message is None else message.why}")
    code = INVALID_REQUEST if message is not None and message.why == "not_object" else PARSE_ERROR
    return Refusal(code, words.plain("PARSE_ERROR", why=why), status=400)


async def _body(request: Request) -> bytes:
    """Read the body, but no more than is sensible."""
    pieces: list[bytes] = []
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > BODY:
            raise Refusal(guards.HTTP_REFUSED, words.plain("BODY_TOO_LARGE", limit=BODY >> 20), status=413)
        pieces.append(piece)
    return b"".join(pieces)


async def _stream(
    receive: Receive, send: SendIt, headers: dict[str, str], work: Callable[[Any], Awaitable[None]]
) -> None:
    """Answer with an event stream; when the client goes away, the work is cancelled."""
    own = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 200, "headers": [*_EVENTS, *own]})

    async def emit(message: bytes) -> None:
        event = b"event: message\ndata: %b\n\n" % message
        await send({"type": "http.response.body", "body": event, "more_body": True})

    await send({"type": "http.response.body", "body": b"", "more_body": True})
    task = asyncio.ensure_future(work(emit))
    gone = asyncio.ensure_future(_gone(receive))
    await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
    gone.cancel()
    if not task.done():
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        return
    task.result()
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    """Return when the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


class _Uvicorn(uvicorn.Server):
    """uvicorn, its signals left to us: SIGTERM is a clean end, not a death by signal."""

    def capture_signals(self) -> Any:
        """Capture none."""
        return nullcontext()


def listen(manner: Manner) -> socket.socket:
    """Take the address.

    Raises:
        OSError: it is taken, or not ours.
    """
    family = socket.AF_INET6 if ":" in manner.host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind((manner.host, manner.port))
    bound.listen(1024)
    return bound


def url_of(bound: socket.socket) -> str:
    """Give the URL of a bound socket."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}/mcp" if ":" in host else f"http://{host}:{port}/mcp"


def make(app: App) -> uvicorn.Server:
    """Make the server of an application; silent, and quick to end."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=1,
        server_header=False,
        date_header=False,
    )
    return _Uvicorn(config)


def stop(server: uvicorn.Server, app: App) -> None:
    """Begin to end: streams close, then the server."""
    app.hub.end()
    server.should_exit = True


async def serve(
    app: App, bound: socket.socket, ready: Callable[[], None], changed: Callable[[], list[str]] | None = None
) -> bool:
    """Serve until SIGTERM or SIGINT; tell whether it was SIGINT.

    Args:
        app: what is served.
        bound: where.
        ready: called once requests are taken.
        changed: asked twice a second for news, where the definition is watched.
    """
    server = make(app)
    loop = asyncio.get_running_loop()
    interrupted: list[bool] = []

    def end(number: int) -> None:
        interrupted.extend([True] if number == signal.SIGINT else [])
        stop(server, app)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end, number)
    watching = None if changed is None else asyncio.ensure_future(_watch(app.hub, changed))
    ready()
    await server.serve(sockets=[bound])
    if watching is not None:
        watching.cancel()
    return bool(interrupted)


async def _watch(hub: Hub, changed: Callable[[], list[str]]) -> None:
    while True:
        await asyncio.sleep(0.5)
        for method in changed():
            hub.publish(method, {})
