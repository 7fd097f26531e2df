"""Replacing places in a text, and knowing where every other place has moved.

Rule of this file: pure.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Edit(NamedTuple):
    """Put `text` where `start:end` was."""

    start: int
    end: int
    text: str


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Apply edits that are in order and do not overlap."""
    pieces, at = [], 0
    for edit in edits:
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*pieces, text[at:]])


def moved(place: int, edits: Sequence[Edit]) -> int:
    """Tell where a place of the text is after the edits; within one: at its end."""
    shift = 0
    for edit in edits:
        if edit.start >= place:
            break
        if edit.end > place:
            return edit.start + shift + len(edit.text)
        shift += len(edit.text) - (edit.end - edit.start)
    return place + shift


def in_order(edits: list[Edit]) -> list[Edit]:
    """Sort edits; what overlaps is replaced by the longer one, and its rest by the other."""
    made: list[Edit] = []
    end = 0
    for edit in sorted(set(edits), key=lambda edit: (edit.start, -edit.end)):
        if edit.end <= end:
            continue
        made.append(Edit(max(edit.start, end), edit.end, edit.text))
        end = edit.end
    return made


def any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Make a pattern of many words; as it branches on two letters, thousands cost little more than few."""
    tree: dict[str, dict[str, list[str]]] = {}
    for word in sorted(words, key=len, reverse=True):
        tree.setdefault(word[:1], {}).setdefault(word[1:2], []).append(re.escape(word[2:]))
    branches = []
    for one, twos in tree.items():
        rest = "|".join(f"{re.escape(two)}(?:{'|'.join(rests)})" for two, rests in twos.items())
        branches.append(f"{re.escape(one)}(?:{rest})")
    return re.compile("|".join(branches), re.DOTALL)
