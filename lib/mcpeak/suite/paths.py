"""Where something is in a suite: linked steps, so that a deep path costs no more than its last step."""

from typing import Any, Final

Path = tuple[Any, str | int] | None
"""(the holder's path, key or index); None is the whole document."""

ROOT: Final[Path] = None


def steps(path: Path) -> tuple[str | int, ...]:
    """List the keys and indexes of a path from the root on."""
    backwards = []
    while path is not None:
        path, step = path
        backwards.append(step)
    return tuple(reversed(backwards))


def written(path: Path) -> str:
    """Write a path as issues name it: `$` for the document, else `cases[0].operation.input.a`, unescaped."""
    if path is None:
        return "$"
    text = "".join(f"[{step}]" if type(step) is int else f".{step}" for step in steps(path))
    return text.removeprefix(".")
