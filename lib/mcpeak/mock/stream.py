"""Scripts over HTTP: each step as an event on the response, until the answer or until the client goes away.

Rule of this file: waiting and sending; what is said was decided before. Source: PROTOCOL.md §4 (SSE).
"""

import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import Any

import msgspec
from anyio import (
    BrokenResourceError,
    ClosedResourceError,
    Event,
    WouldBlock,
    create_memory_object_stream,
    sleep,
    sleep_forever,
)
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from mcpeak.mock.answers import notification, request
from mcpeak.mock.faults import EDGE, Fault, spoiled
from mcpeak.mock.steps import Ask, Commit, Listen, Publish, Script, Send, Wait

Emit = Callable[[bytes], Awaitable[None]]
News = MemoryObjectReceiveStream[bytes]

_KEPT = 1000  # news that a reader who does not read may fall behind


class Cut(Exception):  # noqa: N818 - a fault that is wanted
    """The response ends here, without its answer (fault `close`)."""


class _Question:
    """A question to the client, and its answer."""

    def __init__(self) -> None:
        self.answered = Event()
        self.reply: dict[str, Any] = {}


class Hub:
    """What connects the requests of one server: news for whoever listens, answers to questions."""

    def __init__(self) -> None:
        self._readers: dict[MemoryObjectSendStream[bytes], Listen | None] = {}
        self._asked: dict[bytes, _Question] = {}
        self._numbers = count(1)

    def open(self, listen: Listen | None) -> News:
        """Begin to hear of news: those asked for, or (a legacy GET stream) all; closing it is the end."""
        ours, theirs = create_memory_object_stream[bytes](_KEPT)
        self._readers[ours] = listen
        return theirs

    def end(self) -> None:
        """Let every reader end: the server closes."""
        for reader in self._readers:
            reader.close()
        self._readers.clear()

    def publish(self, method: str, params: dict[str, Any]) -> None:
        """Tell news to whoever wants them."""
        for reader, listen in list(self._readers.items()):
            if listen is None or listen.wants(method, params):
                tag = {} if listen is None else {"_meta": listen.tag}
                with suppress(WouldBlock):
                    self._tell(reader, notification(method, (params | tag) or None))

    def _tell(self, reader: MemoryObjectSendStream[bytes], news: bytes) -> None:
        try:
            reader.send_nowait(news)
        except (BrokenResourceError, ClosedResourceError):
            self._readers.pop(reader, None)  # whoever listened has gone
            reader.close()

    def answered(self, request_id: bytes, line: bytes) -> None:
        """Take the client's answer to a question of ours."""
        question = self._asked.pop(request_id, None)
        if question is not None:
            question.reply = msgspec.json.decode(line)
            question.answered.set()

    async def ask(self, step: Ask, emit: Emit) -> dict[str, Any]:
        """Ask the client and wait for its answer."""
        name = f"mcpeak-mock-{next(self._numbers)}"
        key = msgspec.json.encode(name)
        question = self._asked[key] = _Question()
        try:
            await emit(request(name, step.method, step.params))
            await question.answered.wait()
            return question.reply
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
                await sleep(step.ms / 1000)
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
    async with hub.open(listen) as reader:
        async for news in reader:
            await emit(news)


async def _commit(fault: Fault) -> str | None:
    """Commit a fault; give its name where it only spoils the answer."""
    if fault.kind == "crash":
        os._exit(fault.exit_code)
    if fault.kind in EDGE:
        raise Cut
    if fault.kind == "hang":
        await sleep_forever()
    return fault.kind
