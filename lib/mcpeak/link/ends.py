"""How a process ended, as a record and in words."""

from mcpeak.command.redact import Redactor
from mcpeak.link.child import Ended
from mcpeak.link.tail import Tail
from mcpeak.wire.records import ProcessEnd

_OURS = {"SIGTERM", "SIGKILL"}


def process_end(ended: Ended | None, tail: Tail, ended_by: str | None, redactor: Redactor) -> ProcessEnd:
    """Make the record. An end by our own SIGTERM or SIGKILL is normal if the run was (CONTRACT §5)."""
    end = ended or Ended(None, None)
    by_us = ended_by is not None and ended_by in _OURS and end.signal == ended_by
    return ProcessEnd(
        exit_code=end.code,
        signal=end.signal,
        stderr=[redactor.text(line) for line in tail.lines()],
        dropped_lines=tail.dropped,
        ended_by=ended_by,
        abnormal=end.code != 0 and not by_us,
    )


def how(ended: Ended) -> str:
    """Say how a process ended: `exit code 3`, `signal SIGSEGV`."""
    from mcpeak.messages import label

    if ended.signal is not None:
        return label("link", "ended_signal", signal=ended.signal)
    if ended.code is None:
        return label("link", "ended_unknown")
    return label("link", "ended_code", code=ended.code)
