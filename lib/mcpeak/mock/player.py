"""One client on a stream: lines in, lines out, and the scripts that are still running.

Rule of this file: no I/O and no clock of its own; `now` tells the time (seconds) and the edge waits.
"""

import heapq
from collections.abc import Callable
from itertools import count
from typing import Any

import msgspec

from mcpeak.messages import label
from mcpeak.mock.answers import Refusal, bad, notification, request
from mcpeak.mock.faults import EDGE, Fault, spoiled
from mcpeak.mock.incoming import Incoming, Unreadable, proper_id, read
from mcpeak.mock.peer import Peer
from mcpeak.mock.server import BATCHES, Server
from mcpeak.mock.steps import Ask, Commit, Listen, Publish, Script, Send, Wait
from mcpeak.mock.words import plain
from mcpeak.protocol.errors import PARSE_ERROR

Out = list[bytes | Fault]


class Running:
    """A script on its way. `id`: of the request that it answers."""

    def __init__(self, request_id: bytes, script: Script) -> None:
        self.id = request_id
        self.script = script
        self.spoil: str | None = None


class Player:
    """Plays a server for one client.

    Args:
        server: who answers.
        now: the time in seconds, from any zero.
        ignored: told the reason (a label of the mock room) and the bytes of each line that gets no answer.
    """

    def __init__(
        self, server: Server, now: Callable[[], float], ignored: Callable[[str, bytes], None]
    ) -> None:
        self.server = server
        self.peer = Peer()
        self._now = now
        self._ignored = ignored
        self._numbers = count(1)
        self._timed: list[tuple[float, int, Running]] = []
        self._running: dict[bytes, Running] = {}
        self._asked: dict[bytes, Running] = {}
        self._listening: dict[bytes, Listen] = {}

    def received(self, line: bytes) -> Out:
        """Take one line; give what is to be written now, message by message."""
        message = read(line)
        if isinstance(message, Incoming):
            return self._message(message, line)
        if isinstance(message, list):
            return self._batch(message, line)
        return [] if message is None else self._unreadable(message, line)

    def too_long(self) -> None:
        """Tell of a line that was dropped because it would not end."""
        self._ignored("too_long", b"")

    def wait(self) -> float | None:
        """Tell how many seconds there are until something is due; None when nothing is."""
        return max(0.0, self._timed[0][0] - self._now()) if self._timed else None

    def due(self) -> Out:
        """Give what has become due."""
        out: Out = []
        while self._timed and self._timed[0][0] <= self._now():
            running = heapq.heappop(self._timed)[2]
            if self._running.get(running.id) is running:
                self._advance(running, None, out)
        return out

    def publish(self, method: str, params: dict[str, Any]) -> list[bytes]:
        """Tell the client news: untagged after initialize, tagged for each subscription that wants it."""
        told = [notification(method, params or None)] if self.peer.revision is not None else []
        wanting = [listen for listen in self._listening.values() if listen.wants(method, params)]
        return told + [notification(method, params | {"_meta": listen.tag}) for listen in wanting]

    def _message(self, message: Incoming, line: bytes) -> Out:
        if message.method is None and bytes(message.id) in self._asked:
            out: Out = []
            self._advance(self._asked.pop(bytes(message.id)), msgspec.json.decode(line), out)
            return out
        if message.method == "notifications/cancelled":
            self._cancel(bytes(message.params.request_id))
        if not bytes(message.id) or not proper_id(bytes(message.id)):
            if message.method is None or bytes(message.id):
                self._ignored("id" if message.method else "not_object", line)
            return []
        answer = self.server.answer(message, self.peer)
        if type(answer) is bytes:
            return [answer]
        if answer is None:
            return []
        return self._start(bytes(message.id), answer)

    def _start(self, request_id: bytes, script: Any) -> Out:
        out: Out = []
        running = self._running[request_id] = Running(request_id, script)
        self._advance(running, None, out)
        return out

    def _advance(self, running: Running, value: Any, out: Out) -> None:
        """Go on with a script until it waits, asks, listens or ends."""
        while True:
            try:
                step = running.script.send(value)
            except StopIteration as end:
                self._running.pop(running.id, None)
                if end.value is not None:
                    out += spoiled(running.spoil, end.value)
                return
            value = None
            if isinstance(step, Send):
                out.append(step.data)
            elif isinstance(step, Publish):
                out += self.publish(step.method, step.params)
            elif self._parked(running, step, out):
                return

    def _parked(self, running: Running, step: Any, out: Out) -> bool:
        """Tell whether the script has to stop here, having arranged what makes it go on."""
        if isinstance(step, Wait):
            if step.ms:
                heapq.heappush(self._timed, (self._now() + step.ms / 1000, next(self._numbers), running))
            return step.ms > 0
        if isinstance(step, Ask):
            name = f"mcpeak-mock-{next(self._numbers)}"
            self._asked[msgspec.json.encode(name)] = running
            out.append(request(name, step.method, step.params))
        elif isinstance(step, Listen):
            self._listening[running.id] = step
        elif isinstance(step, Commit):
            return self._commit(running, step.fault, out)
        return True

    def _commit(self, running: Running, fault: Fault, out: Out) -> bool:
        if fault.kind in EDGE:
            out.append(fault)
        elif fault.kind != "hang":
            running.spoil = fault.kind
            return False
        return True

    def _cancel(self, request_id: bytes) -> None:
        """Forget a request: its answer no longer matters to the client."""
        self._listening.pop(request_id, None)
        running = self._running.pop(request_id, None)
        if running is not None:
            running.script.close()
            self._asked = {name: other for name, other in self._asked.items() if other is not running}

    def _unreadable(self, line: Unreadable, raw: bytes) -> Out:
        """Answer a broken line that plainly is a request; pass over any other."""
        if line.id and proper_id(line.id):
            return [
                bad(
                    line.id, Refusal(PARSE_ERROR, plain("PARSE_ERROR", why=label("mock", f"line_{line.why}")))
                )
            ]
        self._ignored(line.why, raw)
        return []

    def _batch(self, members: list[bytes], line: bytes) -> Out:
        """Answer a batch where the revision has them (2025-03-26 only): one array of all answers."""
        if self.peer.revision not in BATCHES or not members:
            self._ignored("batch", line)
            return []
        out: Out = []
        answers: list[bytes] = []
        for member in members:
            given = [] if member.startswith(b"[") else self.received(member)
            answers += [one for one in given if isinstance(one, bytes)]
            out += [one for one in given if isinstance(one, Fault)]
        return [b"[%b]" % b",".join(answers), *out] if answers else out
