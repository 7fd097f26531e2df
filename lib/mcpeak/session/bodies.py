"""What a body is, for comparing: JSON by value, forms by field, multipart by part, the rest as it stands.

Rule of this file: pure; bodies come here without their content coding.
"""

import contextlib
import json
import re
from hashlib import sha256
from itertools import accumulate
from typing import Any, NamedTuple

from mcpeak.session.url import pairs

_VAGUE = ("", "application/x-www-form-urlencoded")  # what clients say when nobody told them better
_DEEPEST = 200  # levels; recursion ends at 1000 frames, of which the caller has taken some
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")
LONGEST = 1 << 16  # bytes of a text that are compared as text; longer ones by their digest


class Body(NamedTuple):
    """`kind`: none, json, form, multipart, text, binary; `value`: JSON, equal when the bodies are."""

    kind: str
    value: Any


def read(data: bytes, content_type: str) -> Body:
    """Read a body.

    Args:
        data: its bytes, content coding taken off.
        content_type: its header, "" when there is none.
    """
    if not data:
        return Body("none", None)
    essence = content_type.partition(";")[0].strip().lower()
    if essence == "multipart/form-data" or essence.startswith("multipart/"):
        parts = multipart(data, content_type)
        if parts is not None:
            return Body("multipart", parts)
    is_json = "json" in essence or (essence in _VAGUE and data.lstrip()[:1] in (b"{", b"["))
    if is_json and not _is_deep(data):
        with contextlib.suppress(ValueError):
            return Body("json", json.loads(data))
    if essence == "application/x-www-form-urlencoded":
        return Body("form", [list(pair) for pair in sorted(pairs(data.decode("utf-8", "replace")))])
    return Body(*_plain(data))


def _is_deep(data: bytes) -> bool:
    """Tell whether JSON is nested deeper than is read by value, wherever it is read."""
    if data.count(b"[") + data.count(b"{") <= _DEEPEST:
        return False
    steps = (1 if mark in b"[{" else -1 for mark in _BRACKET.findall(_STRING.sub(b"", data)))
    return max(accumulate(steps), default=0) > _DEEPEST


def _plain(data: bytes) -> tuple[str, str]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return "binary", digest(data)
    return "text", text if len(data) <= LONGEST else digest(data)


def digest(data: bytes) -> str:
    """Name bytes by their SHA-256."""
    return f"sha256:{sha256(data).hexdigest()}"


def multipart(data: bytes, content_type: str) -> list[list[str]] | None:
    """Read a multipart body (RFC 2046 §5.1.1): for each part its headers without boundary, and its content.

    None when it is not what its header says.
    """
    found = re.search(r'boundary="?([^";]+)"?', content_type, re.IGNORECASE)
    if found is None:
        return None
    mark = b"--" + found[1].encode("latin-1", "replace")
    pieces = (b"\r\n" + data).split(b"\r\n" + mark)
    if len(pieces) < 2:  # noqa: PLR2004 - without one boundary there is no part
        return None
    parts = []
    for piece in pieces[1:]:
        if piece.startswith(b"--"):
            break
        head, _, content = piece.partition(b"\r\n\r\n")
        lines = sorted(
            line.strip().decode("utf-8", "replace") for line in head.split(b"\r\n") if line.strip()
        )
        parts.append(["\n".join(lines), _plain(content)[1]])
    return parts


def canonical(value: Any) -> str:
    """Write a JSON value so that equal ones are written alike: 1 = 1.0, key order free, true is not 1."""
    return json.dumps(_even(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _even(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _even(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_even(item) for item in value]
    return value
