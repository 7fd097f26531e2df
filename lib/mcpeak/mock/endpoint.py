"""The HTTP endpoint: which request gets which status, and an answer as JSON or as an event stream.

Rule of this file: an ASGI application with starlette; it listens nowhere itself.
Source: PROTOCOL.md §4, its status matrix at its most correct.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple

from anyio import CancelScope, Event, create_task_group
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
from mcpeak.mock.stream import Cut, Emit, Hub, play, relay
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
        self._running: dict[tuple[str, bytes], Event] = {}
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
        told = request.headers.get(HEADER, "")
        if message.method == "notifications/cancelled" and told:
            self._cancel((told, bytes(message.params.request_id)))
        if isinstance(answer, bytes):
            self._wrote(answer)
        if answer is None:
            await Response(status_code=202, headers=headers)(request.scope, receive, send)
        elif isinstance(answer, bytes) and not self._manner.sse:
            await _reply(answer, 200, headers)(request.scope, receive, send)
        elif isinstance(answer, bytes):
            await _stream(receive, send, headers, lambda emit: emit(answer))
        else:
            await self._play(answer, (told, bytes(message.id)), headers, receive, send)

    async def _play(
        self, script: Script, key: tuple[str, bytes], headers: dict[str, str], receive: Receive, send: SendIt
    ) -> None:
        """Answer with what takes time; the client may cancel it where a session tells whose it is."""
        cancelled = self._running[key] = Event()
        try:
            await _stream(
                receive, send, headers, lambda emit: play(script, self.hub, self._recorded(emit)), cancelled
            )
        finally:
            self._running.pop(key, None)

    def _cancel(self, key: tuple[str, bytes]) -> None:
        if key in self._running:
            self._running[key].set()

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
        cuts: list[Cut] = []
        async with create_task_group() as group:
            for script in scripts:
                playing = partial(play, script, self.hub, self._recorded(emit))
                group.start_soon(_until_cut, playing, cuts, group.cancel_scope)
        if cuts:
            raise cuts[0]


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
    receive: Receive,
    send: SendIt,
    headers: dict[str, str],
    work: Callable[[Emit], Awaitable[None]],
    cancelled: Event | None = None,
) -> None:
    """Answer with an event stream; when the client goes away, or cancels, the work ends."""
    own = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 200, "headers": [*_EVENTS, *own]})

    async def emit(message: bytes) -> None:
        event = b"event: message\ndata: %b\n\n" % message
        await send({"type": "http.response.body", "body": event, "more_body": True})

    await send({"type": "http.response.body", "body": b"", "more_body": True})
    cuts: list[Cut] = []
    async with create_task_group() as group:
        scope = group.cancel_scope
        group.start_soon(_end_after, partial(_gone, receive), scope)
        if cancelled is not None:
            group.start_soon(_end_after, cancelled.wait, scope)
        await _until_cut(partial(work, emit), cuts, scope)
        scope.cancel()
    if cuts:
        raise cuts[0]
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_cut(work: Callable[[], Awaitable[None]], cuts: list[Cut], scope: CancelScope) -> None:
    """Do work that may be cut on purpose; a cut ends what runs beside it and is kept for whoever waits."""
    try:
        await work()
    except Cut as cut:
        cuts.append(cut)
        scope.cancel()


async def _end_after(wait: Callable[[], Awaitable[None]], scope: CancelScope) -> None:
    await wait()
    scope.cancel()


async def _gone(receive: Receive) -> None:
    """Return when the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
