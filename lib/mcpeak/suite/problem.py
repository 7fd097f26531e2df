"""What the checks find: a code, a path, and the values of its sentence; the words are the catalogue's."""

from typing import Any, Final, NamedTuple

from mcpeak.suite.nearest import nearest
from mcpeak.suite.order import sorted_keys
from mcpeak.suite.paths import Path


class Problem(NamedTuple):
    """One problem. `words`: the catalogue's entry where it is more exact than `code`; `values` fill it."""

    code: str
    path: Path
    words: str = ""
    values: dict[str, Any] = {}  # noqa: RUF012 - never changed, and a factory would cost each problem


Found = list[Problem]

_SAME_MEANING: Final = {
    "args": "input",
    "arguments": "input",
    "params": "input",
    "timeout": "timeoutMs",
    "description": "name",
    "title": "name",
    "tests": "cases",
    "version": "schemaVersion",
    "value": "expected",
}

_BLANK = " \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
_BLANK += "\u2028\u2029\u202f\u205f\u3000\ufeff"  # white space as ECMA-262 has it, U+200B is none


def is_blank(text: str) -> bool:
    """Tell whether a text has nothing but white space (CONTRACT §1)."""
    return not text.strip(_BLANK)


def missing(found: Found, path: Path, field: str) -> None:
    """Report a required field that is not there."""
    found.append(Problem("MISSING_REQUIRED_FIELD", (path, field), values={"field": field}))


def wrong_type(found: Found, path: Path, expected: str, actual: Any, code: str = "INVALID_TYPE") -> None:
    """Report a value of another type. `expected`: the label of what should stand there."""
    values = {"expected": expected, "actual": actual}
    found.append(Problem(code, path, "INVALID_TYPE" if code == "INVALID_VALUE" else code, values))


def unknown_word(found: Found, path: Path, word: Any, allowed: tuple[str, ...]) -> None:
    """Report a word that is none of the allowed ones."""
    near = nearest(word, allowed) if isinstance(word, str) else None
    words = "UNKNOWN_WORD_NEAR" if near else "UNKNOWN_WORD"
    values = {"actual": word, "allowed": allowed, "near": near}
    found.append(Problem("INVALID_VALUE", path, words, values))


def unknown_fields(
    found: Found,
    holder: dict[str, Any],
    allowed: tuple[str, ...],
    path: Path,
    elsewhere: dict[str, tuple[str, ...]] | None = None,
) -> None:
    """Report each key that is not allowed here, sorted. `elsewhere`: the fields of other types."""
    if holder.keys() <= _as_set(allowed):
        return
    for key in sorted_keys(key for key in holder if key not in allowed):
        near = meant(key, [word for word in allowed if word not in holder])
        words = "UNKNOWN_FIELD_NEAR" if near else "UNKNOWN_FIELD"
        if key == "$schema":
            words = "UNKNOWN_FIELD_SCHEMA"
        owner = next((kind for kind, fields in (elsewhere or {}).items() if key in fields), None)
        if owner is not None:
            words = "UNKNOWN_FIELD_OF_TYPE"
        values = {"field": key, "allowed": allowed, "near": near, "owner": owner}
        found.append(Problem("UNKNOWN_FIELD", (path, key), words, values))


def meant(word: str, free: list[str]) -> str | None:
    """Find the field that a word was meant to be: one of the same meaning, else the nearest in spelling."""
    same = _SAME_MEANING.get(word)
    return same if same in free else nearest(word, free)


_sets: dict[tuple[str, ...], frozenset[str]] = {}


def _as_set(words: tuple[str, ...]) -> frozenset[str]:
    known = _sets.get(words)
    if known is None:
        known = _sets[words] = frozenset(words)
    return known


def text_field(found: Found, holder: dict[str, Any], field: str, path: Path) -> None:
    """Check a required field that holds non-blank text."""
    text = holder.get(field)
    if isinstance(text, str):
        if is_blank(text):
            found.append(Problem("INVALID_VALUE", (path, field), "BLANK_TEXT", {"field": field}))
    elif field in holder:
        wrong_type(found, (path, field), "text", text)
    else:
        missing(found, path, field)
