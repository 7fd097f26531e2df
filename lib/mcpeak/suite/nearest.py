"""The known word that a mistyped one was probably meant to be."""

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Find the known word that is at most a third of its letters away, the nearest first; None if none is."""
    best: str | None = None
    best_distance = 0
    folded = word.casefold()
    for candidate in known:
        limit = max(1, max(len(word), len(candidate)) // 3)
        if abs(len(word) - len(candidate)) > limit:
            continue
        distance = edits(folded, candidate.casefold())
        if distance <= limit and (best is None or distance < best_distance):
            best, best_distance = candidate, distance
    return best


def edits(one: str, other: str) -> int:
    """Count letters to insert, delete, replace or swap with their neighbour (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
