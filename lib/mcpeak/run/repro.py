"""The lines that show a failure again when they are piped into the server, secrets left out. Pure."""

from mcpeak.command.redact import Redactor
from mcpeak.protocol import messages
from mcpeak.run.cases import Case, call_params

LONGEST = 64 * 1024
"""Bytes; a longer request is not repeated in a record."""
NUMBER = 1000
"""The id of the request, beyond those of the handshake."""


def repro(opening: list[bytes], era: str, case: Case, redactor: Redactor) -> list[str] | None:
    """Give the handshake that worked and the case's request, one line an entry."""
    operation = case.operation
    method = "tools/list" if operation.type == "listTools" else "tools/call"
    params = None
    if method == "tools/call":
        params = call_params(case)
    probe = next((line for line in opening if b'"server/discover"' in line), b"")
    if era == "modern":
        params = messages.joined(_meta(probe), params)
    lines = [line for line in opening if line is not probe]
    lines.append(messages.request(NUMBER, method, params))
    if sum(map(len, lines)) > LONGEST:
        return None
    return [redactor.text(line.decode("utf-8", "replace")) for line in lines]


def _meta(probe: bytes) -> bytes:
    """Take the `_meta` member out of the probe: every modern request carries the same."""
    start = probe.find(b'"_meta"')
    return probe[start:-2] if start >= 0 else b""
