"""What is wrong with a file that is no JSON, told by the character where reading stopped."""

from typing import Final

from mcpeak.messages import label
from mcpeak.suite.outline import DEEPEST
from mcpeak.suite.words import file_issue
from mcpeak.wire.json import JsonError
from mcpeak.wire.records import Issue

_SLIPS: Final = {"/": "JSON_COMMENT", "#": "JSON_COMMENT", "'": "JSON_SINGLE_QUOTE"}
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")


def no_json(source: str, data: bytes, wrong: JsonError) -> Issue:
    """Word what the reader refused."""
    place = (wrong.line, wrong.column)
    if wrong.code == "encoding":
        entry = "ENCODING_UTF16" if data.startswith(_UTF16) else "SUITE_ENCODING_INVALID"
        return file_issue(source, "SUITE_ENCODING_INVALID", entry, place)
    before, found = _around(data.decode("utf-8"), wrong)
    quoted = _quoted(found)
    if not data.removeprefix(b"\xef\xbb\xbf").strip():
        return file_issue(source, "SUITE_JSON_INVALID", "JSON_EMPTY", place)
    why = label("suite", f"json_{wrong.code}", found=quoted, limit=f"{DEEPEST:,}")
    entry = _entry(wrong.code, before, found)
    return file_issue(source, "SUITE_JSON_INVALID", entry, place, why=why, found=quoted)


def _around(text: str, wrong: JsonError) -> tuple[str, str]:
    """Give the text before the place, and the character there."""
    start = 0
    for _ in range(wrong.line - 1):
        start = text.index("\n", start) + 1
    offset = start + wrong.column - 1
    return text[max(0, offset - 200) : offset].rstrip(" \t\r\n"), text[offset : offset + 1]


def _quoted(found: str) -> str:
    if found == "\ufeff":
        return label("suite", "byte_order_mark")
    return f"`{found}`" if found else label("suite", "nothing")


def _entry(code: str, before: str, found: str) -> str:
    """Choose the sentence: the commonest slips have their own."""
    if code == "deep":
        return "JSON_TOO_DEEP"
    entry = _SLIPS.get(found, "SUITE_JSON_INVALID")
    if code not in ("unexpected", "trailing"):
        entry = "SUITE_JSON_INVALID"
    elif found in ("}", "]") and before.endswith(","):
        entry = "JSON_TRAILING_COMMA"
    elif code == "unexpected" and found in ('"', "{", "[") and before and before[-1] not in ":,[{":
        entry = "JSON_MISSING_COMMA"
    return entry
