"""Whether an error answer looks like a refusal of the input, or like something that broke (`rejectionBasis`).

Rule of this file: pure; a case that expects no error costs one comparison. An answer whose wording is not
known is `unverified`, which never changes a verdict.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from mcpeak.suite.wordings import BROKEN, REFUSED, UNKNOWN_TOOL
from mcpeak.wire.records import RejectionBasis

INVALID_PARAMS = -32602
"""JSON-RPC 2.0: invalid method parameters."""

READ = 20_000
"""Code points of an answer that are looked at: a refusal says why at its beginning."""


class Rejection(NamedTuple):
    """What is known about an expected error. `body`: if unverified, the only text, not redacted yet."""

    basis: RejectionBasis
    body: str | None = None


NOT_APPLICABLE = Rejection("notApplicable")


def rejection(
    expects_error: bool, result: Mapping[str, Any] | None, error: Mapping[str, Any] | None
) -> Rejection:
    """Judge the answer of one case.

    Args:
        expects_error: an isError assertion of the case expects true.
        result: the tool's result, or None.
        error: the JSON-RPC error {code, message, …}, or None.
    """
    if not expects_error:
        return NOT_APPLICABLE
    if error is not None:
        return Rejection("verified" if _refused_by_protocol(error) else "unverified")
    body = _only_text(result)
    if result is not None and result.get("isError") is True and body is not None and refuses(body):
        return Rejection("verified")
    return Rejection("unverified", body)


def refuses(text: str) -> bool:
    """Tell whether a text reads like the refusal of an input."""
    start = text[:READ]
    return not (_found(BROKEN, start) or _found(UNKNOWN_TOOL, start)) and _found(REFUSED, start)


def _refused_by_protocol(error: Mapping[str, Any]) -> bool:
    message = error.get("message")
    words = message[:READ] if isinstance(message, str) else ""
    if error.get("code") == INVALID_PARAMS:
        return not _found(UNKNOWN_TOOL, words)
    return refuses(words)


def _only_text(result: Mapping[str, Any] | None) -> str | None:
    content = result.get("content") if result is not None else None
    if not isinstance(content, list) or len(content) != 1 or not isinstance(content[0], dict):
        return None
    text = content[0].get("text")
    return text if content[0].get("type") == "text" and isinstance(text, str) else None


def _found(words: tuple[str, ...], text: str) -> bool:
    return _compiled(words).search(text) is not None


@cache
def _compiled(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE | re.MULTILINE)
