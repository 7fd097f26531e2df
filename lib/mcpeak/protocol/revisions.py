"""The protocol revisions that exist, as data; client and mock read the same table.

Source: the specification's revision folders, and PROTOCOL.md §1. Newest first.
"""

from typing import Literal, NamedTuple

Era = Literal["legacy", "modern"]


class Revision(NamedTuple):
    """One released revision. Legacy opens with `initialize`, modern carries `_meta` on every request."""

    name: str
    era: Era


REVISIONS = (
    Revision("2026-07-28", "modern"),
    Revision("2025-11-25", "legacy"),
    Revision("2025-06-18", "legacy"),
    Revision("2025-03-26", "legacy"),
    Revision("2024-11-05", "legacy"),
    Revision("2024-10-07", "legacy"),
)
ERA_OF: dict[str, Era] = {revision.name: revision.era for revision in REVISIONS}
LEGACY = tuple(revision.name for revision in REVISIONS if revision.era == "legacy")
MODERN = tuple(revision.name for revision in REVISIONS if revision.era == "modern")

NO_VERSION_HEADER = frozenset({"2025-03-26", "2024-11-05", "2024-10-07"})
"""Revisions whose HTTP transport knows no MCP-Protocol-Version header (it came with 2025-06-18)."""


class Wish(NamedTuple):
    """What the user asked of `--protocol`. `offered_…`: what we name first; `pinned`: no other will do."""

    eras: frozenset[Era]
    offered_legacy: str = LEGACY[0]
    offered_modern: str = MODERN[0]
    pinned: bool = False


def wish(word: str = "auto") -> Wish:
    """Read `auto`, `legacy`, `modern` or the name of a revision.

    Raises:
        ValueError: no such word and no such revision.
    """
    if word == "auto":
        return Wish(frozenset({"legacy", "modern"}))
    if word in ("legacy", "modern"):
        return Wish(frozenset({"legacy"}) if word == "legacy" else frozenset({"modern"}))
    era = ERA_OF.get(word)
    if era is None:
        raise ValueError(word)
    if era == "legacy":
        return Wish(frozenset({era}), offered_legacy=word, pinned=True)
    return Wish(frozenset({era}), offered_modern=word, pinned=True)


WISHES = ("auto", "legacy", "modern", *(revision.name for revision in REVISIONS))
