"""Scripts over HTTP: each step as an event on the response, until the answer or until the client goes away.

Rule of this file: waiting and sending; what is said was decided before. Source: PROTOCOL.md §4 (SSE).
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import Any

import msgspec

from mcpeak.mock.answers import notification, request
from mcpeak.mock.faults import EDGE, Fault, spoiled
from mcpeak.mock.steps import Ask, Commit, Listen, Publish, Script, Send, Wait

Emit = Callable[[bytes], Awaitable[None]]
News = asyncio.Queue[bytes | None]

_KEPT = 1000  # news that a reader who does not read may fall behind


class Cut(Exception):  # noqa: N818 - a fault that is wanted
    """The response ends here, without its answer (fault `close`)."""


class Hub:
    """What connects the requests of one server: news for whoever listens, answers to questions."""

    def __init__(self) -> None:
        self._readers: dict[News, Listen | None] = {}
        self._asked: dict[bytes, asyncio.Future[dict[str, Any]]] = {}
        self._numbers = count(1)

    def open(self, listen: Listen | None) -> News:
        """Begin to hear of news: those asked for, or (a legacy GET stream) all. None is the end."""
        queue: News = asyncio.Queue(_KEPT)
        self._readers[queue] = listen
        return queue

    def close(self, queue: News) -> None:
        """Hear no more."""
        self._readers.pop(queue, None)

    def end(self) -> None:
        """Let every reader end: the server closes."""
        for queue in self._readers:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(None)

    def publish(self, method: str, params: dict[str, Any]) -> None:
        """Tell news to whoever wants them."""
        for queue, listen in self._readers.items():
            if listen is None or listen.wants(method, params):
                tag = {} if listen is None else {"_meta": listen.tag}
                with suppress(asyncio.QueueFull):
                    queue.put_nowait(notification(method, (params | tag) or None))

    def answered(self, request_id: bytes, line: bytes) -> None:
        """Take the client's answer to a question of ours."""
        future = self._asked.pop(request_id, None)
        if future is not None and not future.done():
            future.set_result(msgspec.json.decode(line))

    async def ask(self, step: Ask, emit: Emit) -> dict[str, Any]:
        """Ask the client and wait for its answer."""
        name = f"mcpeak-mock-{next(self._numbers)}"
        key = msgspec.json.encode(name)
        future = self._asked[key] = asyncio.get_running_loop().create_future()
        try:
            await emit(request(name, step.method, step.params))
            reply: dict[str, Any] = await future
            return reply
        finally:
            self._asked.pop(key, None)


async def play(script: Script, hub: Hub, emit: Emit) -> None:
    """Play a script to its end; cancelled when the client goes away."""
    value: Any = None
    spoil: str | None = None
    try:
        while True:
            step = script.send(value)
            value = None
            if isinstance(step, Send):
                await emit(step.data)
            elif isinstance(step, Wait):
                await asyncio.sleep(step.ms / 1000)
            elif isinstance(step, Ask):
                value = await hub.ask(step, emit)
            elif isinstance(step, Publish):
                hub.publish(step.method, step.params)
            elif isinstance(step, Listen):
                await relay(hub, step, emit)
            elif isinstance(step, Commit):
                spoil = await _commit(step.fault)
    except StopIteration as end:
        for message in spoiled(spoil, end.value) if end.value is not None else []:
            await emit(message)
    finally:
        script.close()


async def relay(hub: Hub, listen: Listen | None, emit: Emit) -> None:
    """Pass news on until the server closes."""
    queue = hub.open(listen)
    try:
        while (news := await queue.get()) is not None:
            await emit(news)
    finally:
        hub.close(queue)


async def _commit(fault: Fault) -> str | None:
    """Commit a fault; give its name where it only spoils the answer."""
    if fault.kind == "crash":
        os._exit(fault.exit_code)
    if fault.kind in EDGE:
        raise Cut
    if fault.kind == "hang":
        await asyncio.Event().wait()
    return fault.kind
