"""What can be made to go wrong on purpose, so that clients and test tools can be tested.

Rule of this file: it names the faults; the edges (`stdio.py`, `http.py`) commit them.
"""

from typing import Any, NamedTuple

KINDS = ("crash", "hang", "close", "garbage", "noise", "twice", "wrongId")
"""crash: the process ends; hang: no answer, ever; close: the stream ends, the process stays; garbage: half an
answer; noise: a line that is no message before it; twice: it comes twice; wrongId: under another id."""

FAULTS = {
    "noise": "array",
    "startDelayMs": "count",
    "ignoreEof": "boolean",
    "ignoreSigterm": "boolean",
    "lockEra": "boolean",
    "on": "object",
}
"""The keys of the definition's `faults`."""


class Fault(NamedTuple):
    """One fault. `after`: how many calls go well before it; `exit_code`: of a crash."""

    kind: str
    after: int = 0
    exit_code: int = 1


def fault_of(value: Any) -> Fault | None:
    """Make a fault of what the definition says: a word, or an object with details."""
    if value is None:
        return None
    if isinstance(value, str):
        return Fault(value)
    return Fault(value["kind"], int(value.get("after", 0)), int(value.get("exitCode", 1)))


EDGE = ("crash", "close")
"""Faults that only the edge can commit; the others change or withhold the answer."""


def spoiled(kind: str | None, answer: bytes) -> list[bytes]:
    """Give the messages that are written instead of an answer."""
    if kind == "garbage":
        return [answer[: len(answer) // 2]]
    if kind == "twice":
        return [answer, answer]
    if kind == "noise":
        return [b"mcpeak-mock: this line is noise", answer]
    if kind == "wrongId":
        return [answer.replace(b'"id":', b'"id":"not-yours","_id":', 1)]
    return [answer]
