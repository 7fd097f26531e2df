"""How a connection over pipes comes to nothing: what happened, and the exception that says so."""

from mcpeak.command.redact import Redactor
from mcpeak.command.text import cut
from mcpeak.link.child import Ended
from mcpeak.link.client import Closed, ConnectFailed, Died
from mcpeak.link.clock import Clock
from mcpeak.link.ends import how
from mcpeak.link.pipes import Pipes
from mcpeak.protocol.events import Refused

SHOWN = 300
"""Code points of one thing that a server says in its refusal."""
LAST_WORDS = 1.0
"""Seconds that a server which closed a pipe may take to end, so that its exit code is known."""


def died(pipes: Pipes, clock: Clock) -> Died:
    """Find out why a server can no longer answer: wait a moment for its exit code and its last lines."""
    child = pipes.child
    deadline = clock() + LAST_WORDS
    while child.poll() is None and (left := deadline - clock()) > 0:
        if pipes.serve(left):
            break
    held = settled(pipes)
    if pipes.stderr is None:
        pipes.tail.close()  # a last line without its end is a line
    if child.ended is not None:
        return Died("exited" if held is None else "forked", child.ended)
    return Died("stdout" if held is None else "stdin")


def settled(pipes: Pipes) -> int | None:
    """Read what a server that ended has left in its pipes; give its stdout if somebody still holds it."""
    seen = -1
    while (pipes.stdout is not None or pipes.stderr is not None) and seen != pipes.taken:
        seen = pipes.taken
        pipes.serve(0)
    return pipes.stdout


def exited(closed: Closed, end: Died, target: str) -> ConnectFailed:
    """Say that the server ended (or closed its pipes) before the handshake was done."""
    last = _last_words(closed)
    words = {"forked": "PROCESS_FORKED", "stdout": "STDOUT_CLOSED", "stdin": "STDOUT_CLOSED"}.get(end.why)
    if words is None and last:
        words = "PROCESS_EXITED_STDERR"
    told = how(end.ended or Ended(None, None))
    return ConnectFailed(
        "PROCESS_EXITED", words=words, process=closed.process, how=told, last=last, target=target
    )


def timed_out(closed: Closed, ended: Ended | None, limit: float, target: str) -> ConnectFailed:
    """Say that the handshake took too long, and why that may be."""
    if closed.forked:
        return exited(closed, Died("forked", ended), target)
    words = "HANDSHAKE_TIMEOUT_BUFFERED" if closed.answered_late else None
    return ConnectFailed("HANDSHAKE_TIMEOUT", words=words, process=closed.process, seconds=f"{limit:g}")


def refused(closed: Closed, event: Refused, redactor: Redactor) -> ConnectFailed:
    """Say that there is no common protocol."""
    from mcpeak.messages import label

    values = {name: cut(str(value), SHOWN) for name, value in event.values.items()}
    reason = redactor.text(label("protocol", event.why, **values))
    return ConnectFailed("HANDSHAKE_FAILED", room="protocol", process=closed.process, reason=reason)


def echoes(closed: Closed, target: str) -> ConnectFailed:
    """Say that what we sent came back, which no server does."""
    return ConnectFailed("HANDSHAKE_FAILED", words="SERVER_ECHOES", process=closed.process, target=target)


def unended(closed: Closed) -> ConnectFailed:
    """Say that the answer is there, but nothing that ends its line."""
    return ConnectFailed("HANDSHAKE_FAILED", words="LINE_UNENDED", process=closed.process)


def _last_words(closed: Closed) -> str:
    lines = closed.process.stderr if closed.process is not None else []
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
