"""Time as a value that tests replace: monotonic seconds, and nothing else of the clock."""

import time
from collections.abc import Callable

Clock = Callable[[], float]
"""Gives monotonic seconds."""

now: Clock = time.monotonic
