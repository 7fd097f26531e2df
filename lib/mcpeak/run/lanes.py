"""Suites side by side (`--jobs`): a few threads, one suite each; the first thing that goes wrong stops all.

Threads, not an event loop: each lane runs the same plain loop as a run alone, and waits in a poll of its own.
"""

import threading
from collections.abc import Callable

from mcpeak.link.interrupt import Interrupts


class Lanes:
    """Runs work in at most `count` threads."""

    def __init__(self, count: int, interrupts: Interrupts) -> None:
        self._free = threading.BoundedSemaphore(count)
        self._interrupts = interrupts
        self._threads: list[threading.Thread] = []
        self._wrong: list[BaseException] = []

    def go(self, work: Callable[[], None]) -> None:
        """Run work as soon as a lane is free."""
        self._free.acquire()  # noqa: SIM115, RUF100 - released by the lane when it is done
        self._raise()
        thread = threading.Thread(target=self._lane, args=(work,))
        self._threads.append(thread)
        thread.start()

    def _lane(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as wrong:  # noqa: BLE001 - carried over to the main thread
            self._wrong.append(wrong)
            self._interrupts.stop()
        finally:
            self._free.release()

    def join(self) -> None:
        """Wait for all; raise the first thing that went wrong."""
        for thread in self._threads:
            thread.join()
        self._raise()

    def _raise(self) -> None:
        if self._wrong:
            raise self._wrong[0]
