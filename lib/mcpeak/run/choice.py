"""Which cases of a suite run: `--filter`, then the share of `--shard`. Pure."""

from fnmatch import fnmatchcase

from mcpeak.run.cases import Chosen, Suite, read_case


def choose(suite: Suite, patterns: tuple[str, ...], shard: tuple[int, int] | None) -> list[Chosen]:
    """Choose cases; each keeps its place in the suite.

    Args:
        suite: the suite, read.
        patterns: globs for case ids; a case that one of them fits is chosen; none: all.
        shard: (share, of): every `of`-th of what is chosen, from the `share`-th on.
    """
    chosen = [Chosen(place, raw) for place, raw in enumerate(suite.cases)]
    if patterns:
        chosen = [case for case in chosen if _fits(read_case(case.raw).id, patterns)]
    if shard is not None:
        chosen = chosen[shard[0] - 1 :: shard[1]]
    return chosen


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
