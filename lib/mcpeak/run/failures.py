"""Why a call has no answer that can be judged, in words. Pure."""

from typing import Any

from mcpeak.command.redact import Redactor
from mcpeak.command.text import clean, cut
from mcpeak.link.child import Ended
from mcpeak.link.client import Died, Failed, Halt, TooLong
from mcpeak.link.ends import how
from mcpeak.messages import label, say
from mcpeak.protocol.events import Unreadable
from mcpeak.run.answers import Fault
from mcpeak.run.words import diagnostic, notes_of
from mcpeak.wire.records import Diagnostic

_ODD = {"id": "OPERATION_FAILED_ID", "unended": "OPERATION_FAILED_UNENDED"}
"""What is odd about an answer that could be read, but that other clients wait for in vain."""
QUOTED = 200  # code points of a line that are worth quoting


def fault(seen: Fault) -> Diagnostic:
    """Say what is wrong with an answer's shape."""
    return diagnostic("OPERATION_FAILED", word=seen.word, **seen.values)


def timeout(limit_ms: int) -> Diagnostic:
    """Say that the time limit ran out."""
    return diagnostic("CASE_TIMEOUT", limit=limit_ms)


def lines(texts: list[str], redactor: Redactor) -> list[str]:
    """Give the server's own words line by line."""
    return notes_of("\n".join(texts), redactor)


def why(
    outcome: Unreadable | TooLong | Failed | Died | Halt | Fault, last: str, redactor: Redactor
) -> Diagnostic:
    """Say why there is no answer. `last`: the last lines that the server wrote to stderr."""
    if isinstance(outcome, Died):
        return died(outcome, last, redactor)
    if isinstance(outcome, Unreadable):
        return _unreadable(outcome, redactor)
    if isinstance(outcome, TooLong):
        return _too_long(outcome, redactor)
    if isinstance(outcome, Failed):
        values: dict[str, Any] = {**outcome.values, "actual": {"code": outcome.code}}
        return diagnostic("OPERATION_FAILED", room="http", word=outcome.words, **values)
    if isinstance(outcome, Fault):
        if outcome.word.startswith("PAGINATION"):
            code = outcome.word if outcome.word == "PAGINATION_CURSOR_REPEATED" else "OPERATION_FAILED"
            return diagnostic(code, room="protocol", word=outcome.word, **outcome.values)
        room = "protocol" if outcome.word == "LIST_SHAPE_INVALID" else "run"
        return diagnostic("OPERATION_FAILED", room=room, word=outcome.word, **outcome.values)
    raise TypeError(outcome)


def died(outcome: Died, last: str, redactor: Redactor) -> Diagnostic:
    """Say that the server can no longer answer, and its last words."""
    words = {
        "forked": "SERVER_EXITED_FORKED",
        "stdout": "SERVER_EXITED_STDOUT",
        "stdin": "SERVER_EXITED_STDIN",
    }
    told = how(outcome.ended or Ended(None, None))
    actual = (
        None if outcome.ended is None else {"exitCode": outcome.ended.code, "signal": outcome.ended.signal}
    )
    if outcome.why.startswith("HTTP"):
        values: dict[str, Any] = {**outcome.values}
        return diagnostic("SERVER_EXITED", room="http", word=outcome.why, **values)
    word = words.get(outcome.why, "SERVER_EXITED")
    return diagnostic("SERVER_EXITED", word=word, actual=actual, notes=notes_of(last, redactor), how=told)


def _unreadable(line: Unreadable, redactor: Redactor) -> Diagnostic:
    word = _ODD.get(line.why)
    if word is not None:
        return diagnostic("OPERATION_FAILED", word=word, notes=[quoted(line.line, redactor)], id=line.id)
    reason = label("protocol", f"unreadable_{line.why}", at=line.at)
    words = say("protocol", "ANSWER_UNREADABLE", why=reason)
    return Diagnostic(
        code="OPERATION_FAILED",
        message=words.message,
        hint=words.hint,
        notes=[quoted(line.line, redactor, around=line.at)],
    )


def _too_long(line: TooLong, redactor: Redactor) -> Diagnostic:
    return diagnostic(
        "OPERATION_FAILED",
        word="OPERATION_FAILED_TOO_LONG",
        size=line.size,
        notes=[quoted(line.line, redactor)],
    )


def quoted(line: bytes, redactor: Redactor, around: int = 0) -> str:
    """Quote a line of the server, bytes that are no UTF-8 escaped, cut around the place that matters."""
    start = max(around - QUOTED // 2, 0)
    part = line[start : start + 4 * QUOTED].decode("utf-8", "backslashreplace")
    return ("…" if start else "") + cut(clean(redactor.text(part)), QUOTED)
