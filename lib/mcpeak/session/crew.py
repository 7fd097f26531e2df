"""Threads that are used again: a connection costs a wake-up, not the birth of a thread.

Rule of this file: an edge; it knows threads and nothing of what they do.
"""

import threading
from collections import deque
from collections.abc import Callable
from typing import Any


class Crew:
    """Does work in threads, as many as there is work at a time."""

    def __init__(self) -> None:
        self._jobs: deque[tuple[Callable[..., None], tuple[Any, ...]]] = deque()
        self._news = threading.Condition()
        self._idle = self._busy = 0

    def do(self, work: Callable[..., None], *arguments: Any) -> None:
        """Have something done at once; it must not raise."""
        with self._news:
            self._jobs.append((work, arguments))
            if len(self._jobs) <= self._idle:
                self._news.notify()
                return
        threading.Thread(target=self._serve, daemon=True).start()

    def finish(self, seconds: float) -> None:
        """Wait until nothing is being done any more, but not for ever."""
        with self._news:
            self._news.wait_for(lambda: not self._busy and not self._jobs, seconds)

    def _serve(self) -> None:
        while True:
            with self._news:
                self._idle += 1
                self._news.wait_for(lambda: self._jobs)
                self._idle -= 1
                self._busy += 1
                work, arguments = self._jobs.popleft()
            try:
                work(*arguments)
            finally:
                with self._news:
                    self._busy -= 1
                    self._news.notify_all()
