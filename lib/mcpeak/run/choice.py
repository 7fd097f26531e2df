"""Which cases of a suite run: not those held back, then `--filter`, then the share of `--shard`. Pure."""

from collections.abc import Collection
from fnmatch import fnmatchcase

from mcpeak.run.cases import Chosen, Suite, read_case
from mcpeak.suite.nearest import nearest

EXAMPLES = 5
"""How many ids are named where a filter fits none."""


def choose(
    suite: Suite,
    patterns: tuple[str, ...],
    shard: tuple[int, int] | None,
    held_back: Collection[str] = (),
) -> list[Chosen]:
    """Choose cases; each keeps its place in the suite.

    Args:
        suite: the suite, read.
        patterns: globs for case ids; a case that one of them fits is chosen; none: all.
        shard: (share, of): every `of`-th of what is chosen, from the `share`-th on.
        held_back: ids of a draft's cases that nobody has allowed yet.
    """
    chosen = [Chosen(place, raw) for place, raw in enumerate(suite.cases)]
    if held_back:
        chosen = [case for case in chosen if read_case(case.raw).id not in held_back]
    if patterns:
        chosen = [case for case in chosen if _fits(read_case(case.raw).id, patterns)]
    if shard is not None:
        chosen = chosen[shard[0] - 1 :: shard[1]]
    return chosen


def tools_of(suite: Suite, ids: Collection[str]) -> list[str]:
    """Give the tools that the cases of these ids call, in their order."""
    cases = [read_case(raw) for raw in suite.cases]
    return list(dict.fromkeys(case.operation.tool for case in cases if case.id in ids))


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def ids_of(suite: Suite) -> list[str]:
    """Give the ids of a suite's cases, in their order."""
    return [read_case(raw).id for raw in suite.cases]


def examples(ids: list[str], patterns: tuple[str, ...]) -> list[str]:
    """Name a few ids for a filter that fits none: those that look like it, else the first."""
    known = list(dict.fromkeys(ids))
    near: list[str] = []
    for pattern in patterns:
        word = pattern.strip("*?")
        like = [name for name in known if word and word.casefold() in name.casefold()]
        found = nearest(word, known)
        near += like if like or found is None else [found]
    return list(dict.fromkeys(near or known))[:EXAMPLES]
