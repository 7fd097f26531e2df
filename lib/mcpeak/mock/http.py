"""The HTTP edge: listening, and ending cleanly, with uvicorn.

Rule of this file: sockets and signals; `endpoint.py` answers. Imported only where HTTP is asked for.
"""

import signal
import socket
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import uvicorn
from anyio import TASK_STATUS_IGNORED, create_task_group, open_signal_receiver, sleep
from anyio.abc import TaskStatus

from mcpeak.mock.endpoint import App, Manner
from mcpeak.mock.stream import Hub

__all__ = ["App", "Manner", "listen", "make", "serve", "stop", "url_of"]


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
    came: list[int] = []

    def end(number: int) -> None:
        came.append(number)
        stop(server, app)

    async with create_task_group() as group:
        await group.start(_heed, end)
        if changed is not None:
            group.start_soon(_watch, app.hub, changed)
        ready()
        await server.serve(sockets=[bound])
        group.cancel_scope.cancel()
    return signal.SIGINT in came


async def _heed(end: Callable[[int], None], *, task_status: TaskStatus[None] = TASK_STATUS_IGNORED) -> None:
    """Hand on the signals that ask for an end."""
    with open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        task_status.started()
        async for number in signals:
            end(number)


async def _watch(hub: Hub, changed: Callable[[], list[str]]) -> None:
    while True:
        await sleep(0.5)
        for method in changed():
            hub.publish(method, {})
