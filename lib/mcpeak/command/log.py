"""Diagnostics on request: what a program does inside, as JSON lines, beside its records and its words.

`MCPEAK_LOG=1` (or `stderr`) writes to stderr, anything else names a file that is appended to. Off, it costs
one look at a flag. Every line carries time, process and program; secrets are redacted by the names of their
keys, and whoever logs server text redacts it first. structlog is imported at the first line only.
"""

import contextlib
import os
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

_TARGET = os.environ.get("MCPEAK_LOG", "")
wanted = _TARGET not in ("", "0")
LONGEST = 4096
"""Bytes of a message that are worth a line."""
_MADE: list[Any] = []


def note(event: str, **facts: object) -> None:
    """Write one line, if somebody asked for them. A log that cannot be written is no reason to fail."""
    if not wanted:
        return
    with contextlib.suppress(OSError):
        _logger().info(event, **facts)


def _logger() -> Any:
    if not _MADE:
        _MADE.append(_make())
    return _MADE[0]


def _make() -> Any:
    import structlog

    from mcpeak.command.redact import redact

    def redacted(_logger: Any, _name: str, facts: MutableMapping[str, Any]) -> Mapping[str, Any]:
        clean: dict[str, Any] = redact(
            {"pid": os.getpid(), **facts}
        )  # a forked stage has the logger of its parent
        return clean

    processors: list[Any] = [
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        redacted,
        structlog.processors.JSONRenderer(),
    ]
    return structlog.wrap_logger(
        structlog.WriteLogger(_file()),
        processors=processors,
        wrapper_class=structlog.BoundLogger,
        command=os.path.basename(sys.argv[0]) or "mcpeak",
    )


def _file() -> Any:
    """Open where the lines go: a copy of stderr, or a file that only its owner may read."""
    if _TARGET in ("1", "stderr"):
        return os.fdopen(os.dup(2), "w", encoding="utf-8", errors="backslashreplace")
    opened = os.open(_TARGET, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    return os.fdopen(opened, "w", encoding="utf-8", errors="backslashreplace")
