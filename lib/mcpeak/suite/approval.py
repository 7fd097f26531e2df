"""Writing a fingerprint into a suite's own text: it is replaced or inserted there, nothing else moves.

Rule of this file: pure; text in, text out. White space, order, escapes and line ends of the rest stay.
"""

from mcpeak.suite.outline import Outline
from mcpeak.suite.paths import ROOT
from mcpeak.suite.places import Places
from mcpeak.wire.scan import scan


def with_fingerprint(outline: Outline, digest: str) -> str:
    """Give the text of a suite with this fingerprint in its approval block.

    Args:
        outline: a suite without duplicate keys that has a `name`.
        digest: 64 hexadecimal digits.
    """
    text = outline.text
    if "approval" not in outline.fields:
        return _inserted(outline, digest)
    places = Places(outline, [((ROOT, "approval"), "fingerprint")])
    at = places.offset(((ROOT, "approval"), "fingerprint"))
    if at is None:  # no object, or one without a fingerprint: nothing in it can be kept
        at = outline.fields["approval"][1]
        block = f'{{"fingerprint": "{digest}"}}'
    else:
        block = f'"{digest}"'
    return text[:at] + block + text[_end(text, at) :]


def _end(text: str, at: int) -> int:
    """Find the offset behind the value at an offset."""
    end = at
    for event in scan(text, at, infinite=True):
        end = event.end
    return end


def _inserted(outline: Outline, digest: str) -> str:
    """Put the block behind `name`, spaced as `name` itself is."""
    text = outline.text
    key_at, value_at = outline.fields["name"]
    end = _end(text, value_at)
    space = text[_space_start(text, key_at) : key_at]
    colon = text[_end(text, key_at) : value_at]
    step = space.rpartition("\n")[2] if "\n" in space else ""
    inner, outer = (space + step, space) if "\n" in space else ("", "")
    block = f'"approval"{colon}{{{inner}"fingerprint"{colon}"{digest}"{outer}}}'
    return f"{text[:end]},{space}{block}{text[end:]}"


def _space_start(text: str, at: int) -> int:
    """Find where the white space before an offset begins."""
    return len(text[:at].rstrip(" \t\r\n"))
