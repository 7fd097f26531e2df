"""One message to the server and everything that comes back for it: JSON, events, resumption, a lost session.

Rule of this file: it carries the session's messages over HTTP and decides nothing about their meaning.
Source: PROTOCOL.md §4; the specification's "Streamable HTTP" of each revision.
"""

from collections import deque
from collections.abc import Callable, Iterator
from math import inf

import httpcore
import httpx

from mcpeak.link.client import Listener as Hear
from mcpeak.link.http_listen import Listener, is_event_stream
from mcpeak.link.http_net import Backend, Watch
from mcpeak.link.http_post import Poster, within_host
from mcpeak.link.http_trouble import LOST, HttpTrouble, Reply, invalid, of_exception, of_status, quoted
from mcpeak.link.sse import LIMIT, EventStream, TooLarge
from mcpeak.protocol import errors, messages
from mcpeak.protocol.events import Answer, Event, Noise, Ready, Refused, Send, UnknownId, Unreadable
from mcpeak.protocol.session import Session

RETRY = 1.0  # seconds before a stream is resumed, unless the server said
DRAIN = 0.05  # how long the rest of an answered stream may take before its connection is not worth keeping
_ACCEPTED, _BAD_REQUEST, _NOT_FOUND = 202, 400, 404
_BROKEN = (httpcore.ReadError, httpcore.RemoteProtocolError)
_RAISED = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError, httpcore.UnsupportedProtocol)


class Call:
    """One thing asked and what came of it. `origin`: the session's id of it, 0 for the handshake."""

    def __init__(self, origin: int, method: str, params: bytes | None = None) -> None:
        self.origin = origin
        self.method = method
        self.params = params
        self.outcome: Answer | Unreadable | Ready | Refused | None = None
        self.again: deque[Send] = deque()
        self.reopened = False

    @property
    def moved(self) -> bool:
        """Whether something came of the message last sent."""
        return self.outcome is not None or bool(self.again)


class Exchange:
    """Carries one session's messages.

    Args:
        url: the endpoint.
        make: makes a client over a network.
        session: whose messages they are.
        watch: limits and interrupts every wait.
        hear: told of events that answer nothing.
    """

    def __init__(
        self,
        url: str,
        make: Callable[[Backend], httpx.Client],
        session: Session,
        watch: Watch,
        hear: Hear,
    ) -> None:
        self.client = make(Backend(watch))
        self.poster = Poster(url, self.client, session)
        self.listener: Listener | None = None
        self.watch = watch
        self._session = session
        self._make = make
        self._hear = hear
        self._call: Call | None = None
        self._keeps_open = False  # this server leaves answered streams open

    # -- asking

    def run(self, line: bytes, call: Call, *, first: float = inf) -> None:
        """Send a message and whatever follows from it, until the call has its outcome.

        `first`: until when (of the clock) the message itself must have been answered.

        Raises:
            HttpTrouble: it will have none.
            httpcore.TimeoutException: not in time.
            Interrupted: we must stop.
        """
        before, self._call = self._call, call
        try:
            self._within(first, line, call)
            while call.outcome is None and call.again:
                send = call.again.popleft()
                self._deliver(send.data, call, send.method)
        finally:
            self._call = before

    def _within(self, deadline: float, line: bytes, call: Call) -> None:
        whole, self.watch.deadline = self.watch.deadline, min(self.watch.deadline, deadline)
        try:
            self._deliver(line, call, call.method)
        finally:
            self.watch.deadline = whole

    def tell(self, data: bytes, method: str = "") -> None:
        """Send a reply or a notification; what the server makes of it shows in what follows."""
        self.poster.post(data, method, None).close()

    def _deliver(self, line: bytes, call: Call, method: str) -> None:
        told = self.poster.told
        try:
            response = self.poster.post(line, method, call.params)
            try:
                self._take(response, line, call, method)
            finally:
                response.close()
            if not call.moved:
                self._await_elsewhere(call)
        except TooLarge as huge:
            raise invalid("HTTP_TOO_LARGE", told, limit=LIMIT >> 20) from huge
        except (*_RAISED, httpcore.ConnectTimeout, httpx.HTTPError, httpx.InvalidURL) as broken:
            raise of_exception(broken, told) from broken

    # -- hearing

    def _take(self, response: httpx.Response, line: bytes, call: Call, method: str) -> None:
        if method == "initialize":
            self.poster.session_id = response.headers.get("mcp-session-id")
        if is_event_stream(response) and response.is_success:
            self._stream(response, call)
            return
        body = self._body(response)
        if not response.is_success:
            self._failure(Reply(response.status_code, response.headers, body), line, call, method)
        elif _is_json(response):
            self._message(body, call)
            if not call.moved:
                raise invalid("HTTP_NO_ANSWER", self.poster.told, body=quoted(body))
        elif body.strip() and response.status_code != _ACCEPTED:
            kind = quoted(response.headers.get("content-type", "-").encode())
            raise invalid("HTTP_CONTENT_TYPE", self.poster.told, type=kind, body=quoted(body))

    def _failure(self, reply: Reply, line: bytes, call: Call, method: str) -> None:
        """Look for a JSON-RPC error in a failed response, or for a session that the server forgot."""
        if self._session_lost(reply) and method != "initialize":
            if call.reopened:
                raise HttpTrouble(LOST, LOST, {"url": self.poster.told}, status=reply.status)
            call.reopened = True
            self._reopen()
            self._deliver(line, call, method)
            return
        if reply.body.lstrip().startswith(b"{"):
            self._message(reply.body, call, line)
        if not call.moved:
            raise of_status(reply, self.poster.told)

    def _session_lost(self, reply: Reply) -> bool:
        """Tell a lost session: 404 (specification), or 400 with words about the session (some servers)."""
        if self.poster.session_id is None or self.poster.modern:
            return False
        about = reply.status == _BAD_REQUEST and b"session" in reply.body.lower()
        return reply.status == _NOT_FOUND or about

    def _reopen(self) -> None:
        """Begin the session anew, without the id that the server forgot."""
        self.stop_listening()
        self.poster.session_id = None
        call = Call(0, "initialize")
        status = 0
        try:
            for line in self._session.reopen():
                self.run(line, call)
        except HttpTrouble as trouble:
            status = trouble.status
        if not isinstance(call.outcome, Ready):
            raise HttpTrouble(LOST, LOST, {"url": self.poster.told}, status=status)
        self.listen()

    def _body(self, response: httpx.Response) -> bytes:
        size = 0
        chunks = []
        for chunk in response.iter_bytes():
            size += len(chunk)
            if size > LIMIT:
                raise TooLarge
            chunks.append(chunk)
        return b"".join(chunks)

    def _stream(self, response: httpx.Response, call: Call) -> None:
        """Read a response stream until its request is answered; resume one that ends before."""
        events = EventStream()
        answered = self._events(response.iter_bytes(), events, call)
        while not answered and self._may_resume(events):
            self.watch.pause(RETRY if events.retry is None else events.retry / 1000)
            answered = self._resume(events, call)
        if not answered:
            words = "HTTP_STREAM_CUT" if events.within else "HTTP_STREAM_ENDED"
            raise invalid(words, self.poster.told)

    def _events(self, chunks: Iterator[bytes], events: EventStream, call: Call) -> bool:
        """Take events until the call has moved; False: the stream ended before."""
        try:
            for chunk in chunks:
                for message in events.feed(chunk):
                    if message.event == "message":
                        self._message(message.data, call)
                if call.moved:
                    self._drain(chunks, events, call)
                    return True
        except _BROKEN:
            if not self._may_resume(events):
                raise
        return call.moved

    def _drain(self, chunks: Iterator[bytes], events: EventStream, call: Call) -> None:
        """Read an answered stream to its end, if that is near: its connection then serves the next call."""
        if self._keeps_open:
            return
        whole, self.watch.deadline = self.watch.deadline, min(self.watch.deadline, self.watch.clock() + DRAIN)
        try:
            for chunk in chunks:
                for message in events.feed(chunk):
                    self._message(message.data, call)
        except httpcore.ReadTimeout:
            self._keeps_open = True
        except _BROKEN:
            return
        finally:
            self.watch.deadline = whole

    def _may_resume(self, events: EventStream) -> bool:
        return events.last_id is not None and not self.poster.modern

    def _resume(self, events: EventStream, call: Call) -> bool:
        """Go on with a stream where it broke off."""
        response = self.poster.get(str(events.last_id))
        try:
            if not (response.is_success and is_event_stream(response)):
                raise invalid("HTTP_STREAM_ENDED", self.poster.told)
            return self._events(response.iter_bytes(), events, call)
        finally:
            response.close()

    def _message(self, data: bytes, call: Call, line: bytes | None = None) -> None:
        """Let the session say what a message means. `line`: what was refused by it, if it came so."""
        for event in self._session.received(data):
            if isinstance(event, UnknownId) and line is not None:
                self._unnamed(event, line, call)
            else:
                self._event(event, call)

    def _unnamed(self, event: UnknownId, line: bytes, call: Call) -> None:
        """Take an error without an id, which a server gives that did not read the body, for the one to it."""
        error, number = event.error, messages.decode_message(line).id
        if event.id is None and error is not None and error.code in errors.MODERN_CODES:
            data = bytes(error.data) or None
            self._message(messages.error(number, error.code, error.message, data), call)  # type: ignore[arg-type] # our requests have ids

    def _event(self, event: Event, call: Call) -> None:
        if isinstance(event, Send):
            if event.id is None:
                self.tell(event.data, event.method)
            else:
                call.again.append(event)
        elif isinstance(event, Ready | Refused) or (
            isinstance(event, Answer | Unreadable) and event.id == call.origin
        ):
            call.outcome = event
        elif not isinstance(
            event, Noise
        ):  # that is a word for stdout; here it ends as a response without an answer
            self._hear(event)

    # -- the server's own stream

    def listen(self) -> None:
        """Open the server's own stream (legacy)."""
        self.listener = Listener(self.poster.target, self._make, self.poster.session_headers)

    def stop_listening(self) -> None:
        """Close it."""
        if self.listener is not None:
            listener, self.listener = self.listener, None
            listener.stop()

    def served(self) -> dict[int, Callable[[], None]]:
        """Give what a wait must serve: the messages of the server's own stream."""
        return {} if self.listener is None else {self.listener.woken: self._take_own}

    def _take_own(self) -> None:
        for message in self.listener.take() if self.listener is not None else ():
            if message.event == "endpoint":
                self._endpoint(message.data.decode("utf-8", "replace"))
            elif message.event == "message":
                self._message(message.data, self._call or Call(-1, ""))

    def _endpoint(self, place: str) -> None:
        """Take the address to post to, which an HTTP+SSE server (2024-11-05) names first."""
        target = within_host(self.poster.url, place)
        if target is not None:
            self.poster.move(target)

    def _await_elsewhere(self, call: Call) -> None:
        """Wait for an answer that comes on the server's own stream, after a response without one."""
        while not call.moved:
            if self.listener is None or self.listener.ended:
                raise invalid("HTTP_NO_ANSWER", self.poster.told, body="-")
            self.watch.wait(None)


def _is_json(response: httpx.Response) -> bool:
    kind: str = response.headers.get("content-type", "")
    kind = kind.partition(";")[0].strip().lower()
    return kind == "application/json" or kind.endswith("+json")
