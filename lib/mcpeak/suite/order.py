"""The order of keys as ECMAScript sorts strings: by UTF-16 code units (RFC 8785 §3.2.3)."""

from collections.abc import Iterable


def utf16(text: str) -> bytes:
    """Give the key to sort a string by; lone surrogates are units like others."""
    return text.encode("utf-16-be", "surrogatepass")


def sorted_keys(keys: Iterable[str]) -> list[str]:
    """Sort keys by UTF-16 code units; for ASCII that is Python's own order."""
    words = list(keys)
    words.sort(key=None if all(map(str.isascii, words)) else utf16)
    return words
