"""Connections of the child tree that went past the recorder, read from the system.

Rule of this file: an edge; it looks, and touches nothing. What is shorter than the pause between two looks
may go unseen, so this is a warning for clients that we do not reach, not a wall.
"""

import ipaddress
import os
import threading
from collections.abc import Callable, Iterable
from typing import NamedTuple

_PAUSE = 0.25  # seconds between two looks


class Escape(NamedTuple):
    """A program of the child's tree and the address that it talked to."""

    program: str
    address: str


class Watch:
    """Looks now and then, from its own thread, until it is closed.

    Args:
        look: gives the remote ends that are open at the moment.
        passed: targets that the user allowed (`--pass`).
        is_worth_it: tells cheaply whether a look can find anything.
    """

    def __init__(
        self,
        look: Callable[[], Iterable[Escape]],
        passed: Iterable[str] = (),
        pause: float = _PAUSE,
        is_worth_it: Callable[[], bool] = lambda: True,
    ) -> None:
        self._is_worth_it = is_worth_it
        self._look = look
        self._passed = frozenset(passed)
        self._pause = pause
        self._seen: dict[Escape, None] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> list[Escape]:
        """Stop looking; give what was seen, sorted."""
        self._over.set()
        self._thread.join(2.0)
        return sorted(self._seen)

    def _run(self) -> None:
        while not self._over.wait(self._pause):
            for escape in self._look() if self._is_worth_it() else ():
                if is_outside(escape.address) and not self._is_passed(escape.address):
                    self._seen[escape] = None

    def _is_passed(self, address: str) -> bool:
        return address in self._passed or address.rpartition(":")[0].strip("[]") in self._passed


def is_outside(address: str) -> bool:
    """Tell whether `HOST:PORT` is an address beyond this machine's loopback."""
    host = address.rpartition(":")[0].strip("[]")
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return not (mapped or found).is_loopback


def connections_of_tree() -> list[Escape]:
    """Give the remote ends of all TCP connections that our descendants have open."""
    import psutil

    from mcpeak.link.tree import descendants

    found = []
    for process in descendants(os.getpid()):
        try:
            for one in process.net_connections(kind="tcp"):
                if one.raddr:
                    host = f"[{one.raddr.ip}]" if ":" in one.raddr.ip else one.raddr.ip
                    found.append(Escape(process.name(), f"{host}:{one.raddr.port}"))
        except (psutil.Error, OSError):
            continue
    return found
