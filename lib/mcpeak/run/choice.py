"""Which cases of a suite run: not those held back, then `--filter`, then the share of `--shard`. Pure."""

from collections.abc import Collection
from fnmatch import fnmatchcase

from mcpeak.run.cases import Chosen, Suite, read_case


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


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
