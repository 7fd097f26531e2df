"""Ending a server: close its stdin, wait, SIGTERM, wait, SIGKILL; then what is left of its tree.

Nothing waits for the end of a pipe: a grandchild may hold it. A server that ends at once costs no fixed wait.
Source: CONTRACT §4, "Shutdown".
"""

import signal
from typing import TYPE_CHECKING, NamedTuple

from mcpeak.link import orphans, tree
from mcpeak.link.clock import Clock, now
from mcpeak.link.pipes import Pipes

if TYPE_CHECKING:
    from psutil import Process

GRACE = 2.0  # after closing stdin, and again after SIGTERM (seconds)
FOLLOW = 0.5  # how long children may outlive their parent before they count as left behind
KILL = 5.0  # how long the system may take to end what got SIGKILL
DRAIN = 1.0  # how long what is still in the pipes may take to arrive
AT_ONCE = 0.3  # how soon a server that held its output back lets go of it at the end of stdin (seconds)
LATE = 1000  # lines on stdout after the end that are worth looking at


class Farewell(NamedTuple):
    """How it went. `ended_by`: our last signal; `left_behind`: what outlived it; `late`: its last lines.

    `at_once`: how many of these came so soon after its stdin was closed that they were ready before.
    """

    ended_by: str | None
    left_behind: list[str]
    late: list[bytes]
    at_once: int


def end(pipes: Pipes, hard: int | None = None, clock: Clock = now) -> Farewell:
    """End a server and all that it started.

    Args:
        pipes: its pipes; closed afterwards.
        hard: a descriptor that is readable when there is no time for grace.
        clock: monotonic seconds.
    """
    return _Ending(pipes, hard, clock).run()


class _Ending:
    """One shutdown."""

    def __init__(self, pipes: Pipes, hard: int | None, clock: Clock) -> None:
        self.pipes = pipes
        self.child = pipes.child
        self.clock = clock
        self.hurry = False
        self.follow = FOLLOW
        self.ended_by: str | None = None
        self.late: list[bytes] = []
        self.at_once = 0
        self.begun = clock()
        pipes.watch(hard)

    def run(self) -> Farewell:
        """Go through the steps."""
        self.follow = GRACE if self.child.poll() else FOLLOW
        kin = [] if self.child.ended else tree.descendants(self.child.pid)
        self.begun = self.clock()
        self.pipes.close_stdin()
        if not self._ends_within(GRACE):
            self._signal(signal.SIGTERM)
        if not self._ends_within(GRACE):
            kin = [*kin, *tree.descendants(self.child.pid)]
            self._signal(signal.SIGKILL)
            tree.end(kin, signal.SIGKILL)
            self._ends_within(KILL)
        behind = self._rest(kin) if self.child.ended else []
        self._drain()
        self.pipes.close()
        return Farewell(self.ended_by, behind, self.late, self.at_once)

    def _ends_within(self, seconds: float) -> bool:
        deadline = self.clock() + seconds
        while not self.child.poll() and (left := self._left(deadline, seconds)) > 0:
            self._serve(left)
        return self.child.ended is not None

    def _left(self, deadline: float, seconds: float) -> float:
        """Give the time that is left: none in a hurry, except for the system to do what SIGKILL ordered."""
        return 0 if self.hurry and seconds < KILL else deadline - self.clock()

    def _signal(self, number: signal.Signals) -> None:
        self.child.signal(number)
        self.ended_by = number.name

    def _rest(self, kin: "list[Process]") -> list[str]:
        """End what has outlived the server; name what stayed although it was given time."""
        self.pipes.disarm()
        self.child.bury()
        rest = self._remaining(kin)
        if not rest:
            return []
        asked = self.ended_by == "SIGKILL" or self.hurry
        rest = self._gone_within(self.follow, rest)
        behind = [] if asked else [tree.described(process) for process in rest]
        tree.end(rest, signal.SIGTERM)
        rest = self._gone_within(GRACE, rest)
        tree.end([*rest, *self._remaining(rest)], signal.SIGKILL)
        self._gone_within(KILL, rest)
        return behind

    def _remaining(self, kin: "list[Process]") -> "list[Process]":
        group = tree.members(self.child.pid) if self.child.group_lives() else []
        found = {process.pid: process for process in (*group, *tree.processes(orphans.adopted()), *kin)}
        return tree.living(list(found.values()))

    def _gone_within(self, seconds: float, rest: "list[Process]") -> "list[Process]":
        deadline = self.clock() + seconds
        pause = 0.001
        while rest and self._left(deadline, seconds) > 0:
            self._serve(pause)
            pause = min(pause * 2, 0.05)
            rest = tree.living(rest)
        return rest

    def _drain(self) -> None:
        """Read what is left in the pipes: to their end, or while something comes if somebody holds them."""
        deadline = self.clock() + DRAIN
        seen = -1
        while self.pipes.open and self.clock() < deadline and seen != self.pipes.taken:
            seen = self.pipes.taken
            self._serve(0)

    def _serve(self, seconds: float) -> None:
        self.hurry = self.pipes.serve(seconds) or self.hurry
        if self.hurry:
            self.pipes.watch(None)
        lines = self.pipes.take()
        self.late += lines[: max(LATE - len(self.late), 0)]
        if self.clock() - self.begun <= AT_ONCE:
            self.at_once = len(self.late)
