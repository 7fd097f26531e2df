"""What the mock remembers of one client: a connection on stdio, a session on HTTP, or one request.

Rule of this file: state only.
"""

from typing import Any


class Peer:
    """One client. `revision`: negotiated by initialize; `capabilities`: None while unknown.

    `counts`: how often each response (by its place in the file) has been asked for, for `sequence`;
    `faults`: how often each fault was passed, for its `after`.
    """

    def __init__(self) -> None:
        self.revision: str | None = None
        self.era: str | None = None
        self.capabilities: dict[str, Any] | None = None
        self.level: str | None = None
        self.counts: dict[int, int] = {}
        self.faults: dict[str, int] = {}
