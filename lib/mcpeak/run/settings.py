"""What the command line of mcpeak-run decides, as plain values."""

from typing import TYPE_CHECKING, NamedTuple

from mcpeak.command.target import Target

if TYPE_CHECKING:
    from mcpeak.link.client import Manner


class Settings(NamedTuple):
    """How to run. `shard`: (share, of), 1-based; `max_timeouts`: in a row, 0 = any number; times: seconds."""

    targets: tuple[Target, ...]
    protocol: str = "auto"
    start_timeout: float = 30.0
    max_timeouts: int = 2
    restart: bool = False
    retry: int = 0
    fail_fast: bool = False
    filter: tuple[str, ...] = ()
    shard: tuple[int, int] | None = None
    jobs: int = 1
    matrix: bool = False
    strict: bool = False
    strict_stdio: bool = False
    manner: "Manner | None" = None
    reset: tuple[str, ...] = ()
    repeat: int | None = None
    asked: tuple[str, ...] = ()  # the options that reach the server in the same way again
