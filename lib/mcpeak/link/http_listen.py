"""The stream that a server opens towards us: GET, legacy eras only, read by a thread of its own.

Rule of this file: the thread reads and queues; it never touches the session. Whoever waits in the main thread
is woken by a pipe and takes the messages there. Source: 2025-11-25, "Listening for Messages from the Server".
"""

import os
import threading
from collections import deque
from collections.abc import Callable

import httpx

from mcpeak.link.client import Interrupted
from mcpeak.link.http_net import Backend, Watch
from mcpeak.link.sse import EventStream, Message

FAILURES = 3  # connections in a row that brought nothing, after which the stream is given up
RETRY = 1.0  # seconds before a reconnection, unless the server said
LONGEST_RETRY = 30.0
GOODBYE = 2.0  # seconds that the thread may take to end


class Listener:
    """Reads one server's own stream.

    Args:
        url: where.
        make: makes a client of its own for the thread.
        headers: gives those of each connection.

    Attributes:
        woken: a descriptor that is readable when messages wait, or one of the following has changed.
        settled: whether the first response is there, or there will be none.
        open: whether the server gave a stream.
    """

    def __init__(
        self, url: str, make: Callable[[Backend], httpx.Client], headers: Callable[[], dict[str, str]]
    ) -> None:
        self.settled = False
        self.open = False
        self.ended = False
        self.woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        self._stopped, self._stop = os.pipe()
        self._inbox: deque[Message] = deque()
        self._url = url
        self._make = make
        self._headers = headers
        self._thread = threading.Thread(target=self._run, name="mcpeak-listener", daemon=True)
        self._thread.start()

    def take(self) -> list[Message]:
        """Give the messages that have come."""
        os.read(self.woken, 4096)
        messages = []
        while self._inbox:
            messages.append(self._inbox.popleft())
        return messages

    def stop(self) -> None:
        """End the thread and let go of everything."""
        os.write(self._stop, b"!")
        self._thread.join(GOODBYE)
        if self._thread.is_alive():
            return  # it is within the system's name look-up; its descriptors stay until the process ends
        for descriptor in (self.woken, self._wake, self._stopped, self._stop):
            os.close(descriptor)

    def _run(self) -> None:
        watch = Watch(self._stopped)
        try:
            with self._make(Backend(watch)) as client:
                self._listen(client, watch)
        except Interrupted:
            pass
        finally:
            self.ended = self.settled = True
            self._ring()

    def _listen(self, client: httpx.Client, watch: Watch) -> None:
        last_id: str | None = None
        failures = 0
        while failures < FAILURES:
            events = EventStream(last_id)
            failures = failures + 1 if not self._read(client, events) else 0
            if not self.open:
                return
            last_id = events.last_id
            seconds = RETRY if events.retry is None else min(events.retry / 1000, LONGEST_RETRY)
            watch.pause(seconds)

    def _read(self, client: httpx.Client, events: EventStream) -> bool:
        """Read one connection to its end; tell whether it brought anything."""
        headers = {"Accept": "text/event-stream", **self._headers()}
        if events.last_id is not None:
            headers["Last-Event-ID"] = events.last_id
        brought = False
        try:
            with client.stream("GET", self._url, headers=headers) as response:
                self.open = response.is_success and is_event_stream(response)
                self.settled = True
                self._ring()
                for chunk in response.iter_bytes() if self.open else ():
                    messages = events.feed(chunk)
                    brought = brought or bool(messages)
                    self._inbox.extend(messages)
                    if messages:
                        self._ring()
        except Interrupted:
            raise
        except Exception:  # noqa: BLE001 - whatever breaks this stream, the calls tell more about it
            return brought
        return brought

    def _ring(self) -> None:
        try:
            os.write(self._wake, b"!")
        except OSError:  # it is full, so somebody is woken already; or stopped
            return


def is_event_stream(response: httpx.Response) -> bool:
    """Tell whether a response's body is a stream of events."""
    kind: str = response.headers.get("content-type", "")
    return kind.partition(";")[0].strip().lower() == "text/event-stream"
