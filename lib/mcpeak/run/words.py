"""Diagnostics: a code with its sentence, its remedy, and the server's own words. Pure."""

from typing import Any

from msgspec import UNSET

from mcpeak.command.redact import Redactor
from mcpeak.command.text import cut
from mcpeak.messages import say
from mcpeak.protocol import errors
from mcpeak.protocol.events import RpcError
from mcpeak.run.answers import bounded
from mcpeak.wire.json import JsonError, parse
from mcpeak.wire.records import Diagnostic, Violation

NOTES = 20  # lines of the server's own words that a diagnostic quotes
WIDTH = 1000  # code points of one of them


def diagnostic(
    code: str,
    *,
    room: str = "run",
    word: str | None = None,
    expected: Any = UNSET,
    actual: Any = UNSET,
    notes: list[str] | None = None,
    violations: list[Violation] | None = None,
    total: int | None = None,
    **values: Any,
) -> Diagnostic:
    """Make a diagnostic; `word`: the catalogue's entry where one code has several sentences."""
    words = say(room, word or code, **values)
    return Diagnostic(
        code=code,
        message=words.message,
        hint=words.hint,
        expected=expected,
        actual=actual,
        notes=notes or None,
        violations=violations,
        total_violations=total,
    )


def notes_of(text: str, redactor: Redactor) -> list[str]:
    """Cut the server's words into lines, blank ones left out; what is beyond the limit is counted."""
    lines = [cut(line, WIDTH) for line in redactor.text(text).splitlines() if line.strip()]
    return lines if len(lines) <= NOTES else [*lines[:NOTES], f"… (+{len(lines) - NOTES})"]


def rpc_diagnostic(error: RpcError, redactor: Redactor, *, canned: bool = False) -> Diagnostic:
    """Say that a request was answered with a JSON-RPC error. `canned`: answers of ours may be the cause."""
    name = errors.NAMES.get(error.code) if canned or error.code != errors.USER_REJECTED else None
    words = say("run", "OPERATION_FAILED", number=error.code)
    hint = say("protocol", name).hint if name else words.hint
    return Diagnostic(
        code="OPERATION_FAILED",
        message=words.message,
        hint=hint,
        actual=rpc_value(error, redactor),
        notes=notes_of(error.message, redactor) or None,
    )


def rpc_value(error: RpcError, redactor: Redactor) -> dict[str, Any]:
    """Give a JSON-RPC error as a report shows it."""
    value: dict[str, Any] = {"code": error.code, "message": bounded(redactor.text(error.message))}
    if bytes(error.data) not in (b"", b"null"):
        try:
            value["data"] = bounded(redactor.value(parse(bytes(error.data))))
        except JsonError:
            value["data"] = bounded(redactor.text(bytes(error.data).decode("utf-8", "replace")))
    return value
