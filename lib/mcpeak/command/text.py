"""Untrusted text made fit for a terminal or a log."""

import re

# C0 (but not \n and \t where allowed), DEL, C1, line and paragraph separators, bidi controls, lone surrogates
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def clean(text: str) -> str:
    r"""Replace what could move a cursor, hide or reorder text by its `\uXXXX` form (CONTRACT §4)."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def cut(text: str, limit: int) -> str:
    """Shorten text to `limit` code points, its end marked."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"
