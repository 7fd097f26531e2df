"""How wide text is on a terminal, and text fitted to a width: padded, cut in the middle, wrapped.

Rule of this file: pure; it knows no terminal, only numbers of columns.
"""

import re
from collections.abc import Iterator

from mcpeak.command.text import clean

MIDDLE = "…"
SENTENCE = 2000  # code points of a sentence, with whatever it quotes
_STYLE = re.compile("\x1b\\[[0-9;]*m")  # our own colours; anybody else's were cleaned away before


def columns(text: str) -> int:
    """Count the columns that a text takes: wide characters two, combining ones none."""
    if "\x1b" in text:
        text = _STYLE.sub("", text)
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth  # late: 5 ms that only text beyond ASCII should pay

    return max(int(wcswidth(text)), 0)


def padded(text: str, width: int) -> str:
    """Fill a text with blanks up to a width."""
    return text + " " * (width - columns(text))


def cut_middle(text: str, limit: int) -> str:
    """Shorten a text to `limit` code points, its middle left out: both ends tell more than one."""
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 3
    return text[: limit - 1 - tail] + MIDDLE + text[len(text) - tail :]


def one_line(text: str, limit: int) -> str:
    """Make untrusted text one clean line of at most `limit` code points."""
    if len(text) <= limit and text.isprintable():
        return text  # nothing printable needs cleaning, and most texts are
    return clean(cut_middle(text, limit))


def clean_text(text: str) -> str:
    """Make a sentence fit to be shown: clean, and cut where somebody else's words in it are endless."""
    return one_line(text, SENTENCE)


def wrapped(text: str, width: int, indent: int) -> str:
    """Break a line at blanks so that it fits into `width` columns; what follows is indented.

    A word longer than the line stands for itself: a path or a value must stay whole to be copied.
    """
    if columns(text) <= width:
        return text
    return ("\n" + " " * indent).join(_pieces(text, width, indent))


def _pieces(text: str, width: int, indent: int) -> Iterator[str]:
    lead = len(text) - len(text.lstrip(" "))
    line = " " * lead
    room = width
    for word in text[lead:].split(" "):
        candidate = f"{line}{word}" if not line.strip() else f"{line} {word}"
        if columns(candidate) > room and line.strip():
            yield line
            line, room = word, width - indent
        else:
            line = candidate
    yield line
