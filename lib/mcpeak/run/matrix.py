"""One suite in every era that a server speaks (`--matrix`): where the runs differ. Pure."""

from typing import NamedTuple

from mcpeak.link.client import Outcome
from mcpeak.protocol.events import Answer
from mcpeak.run.answers import Fault, value_of
from mcpeak.run.assertions import Listed
from mcpeak.suite.canonical import canonical

ERAS = ("legacy", "modern")
_FRAME = ("resultType", "_meta", "ttlMs", "cacheScope", "nextCursor")
"""Members that belong to an era, not to the answer."""


class Seen(NamedTuple):
    """What one run saw of a case: its verdict, and what its answer says without what belongs to the era."""

    status: str
    essence: bytes


class Difference(NamedTuple):
    """A case that does not end alike. `word`: of the catalogue."""

    case: str
    word: str
    first: str
    second: str


def essence(outcome: Outcome | Listed | Fault) -> bytes:
    """Reduce an outcome to what must not depend on the era."""
    if isinstance(outcome, Listed):
        return b"\n".join(bytes(tool) for tool in outcome.tools)
    if not isinstance(outcome, Answer):
        return b""
    if outcome.error is not None:
        return b"error %d" % outcome.error.code
    value = value_of(outcome.result) if outcome.result is not None else None
    if isinstance(value, dict):
        value = {key: part for key, part in value.items() if key not in _FRAME}
        value.setdefault("isError", False)
    return b"" if isinstance(value, Fault) else canonical(value)


def compare(first: dict[str, Seen], second: dict[str, Seen]) -> list[Difference]:
    """Compare two runs of the same cases."""
    found = []
    for case, seen in first.items():
        other = second.get(case)
        if other is None:
            continue
        if seen.status != other.status:
            found.append(Difference(case, "MATRIX_STATUS", seen.status, other.status))
        elif seen.essence != other.essence:
            found.append(Difference(case, "MATRIX_ANSWER", seen.status, other.status))
    return found
