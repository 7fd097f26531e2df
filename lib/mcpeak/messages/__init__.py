"""The message catalogue: every sentence that a user can see, by room and code, in English and Korean.

`messages/<language>/<room>.toml` holds one table a code: `message`, `hint`, and where it helps `cause`
(what `mcpeak explain` adds); labels live in the table `[label]` of their room. Placeholders are `{name}`.
A room's file is read when its first message is needed. What was parsed is kept beside the files as Python
keeps its bytecode, and taken from there while the file has not changed: the TOML reader alone costs a third
of a filter's whole start.
"""

import marshal
import os
import sys
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

LANGUAGES = ("en", "ko")
_HERE = os.path.dirname(__file__)
_chosen = ["en"]


class Words(NamedTuple):
    """A message and the remedy that goes with it."""

    message: str
    hint: str


def use(language: str) -> None:
    """Choose the language of this process (`command.language.choose` finds out which)."""
    _chosen[0] = language if language in LANGUAGES else "en"


def language() -> str:
    """Tell the language in use: `en` or `ko`."""
    return _chosen[0]


@cache
def table(room: str, language: str) -> dict[str, Any]:
    """Read one room's sentences in one language."""
    path = os.path.join(_HERE, language, f"{room}.toml")
    facts = os.stat(path)
    fresh = (sys.implementation.cache_tag, facts.st_mtime_ns, facts.st_size)
    kept = os.path.join(_HERE, "__pycache__", f"{language}.{room}.marshal")
    return _kept(kept, fresh) or _parsed(path, kept, fresh)


def _kept(path: str, fresh: tuple[object, ...]) -> dict[str, Any] | None:
    """Load what was parsed before, if it was parsed from the file as it is now."""
    try:
        with open(path, "rb") as file:
            stamp, sentences = marshal.load(file)  # noqa: S302 - ours, and as trusted as the bytecode beside it
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return sentences if stamp == fresh else None


def _parsed(path: str, kept: str, fresh: tuple[object, ...]) -> dict[str, Any]:
    """Parse a file, and keep the result where that is allowed and wanted."""
    import tomllib

    with open(path, "rb") as file:
        sentences = tomllib.load(file)
    if not sys.dont_write_bytecode:
        with suppress(OSError):
            _keep(kept, (fresh, sentences))
    return sentences


def _keep(path: str, whole: Any) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    unfinished = f"{path}.{os.getpid()}"
    with open(unfinished, "xb") as file:
        marshal.dump(whole, file)
    os.replace(unfinished, path)


def say(room: str, code: str, **values: object) -> Words:
    """Fill the sentence and the hint of a code."""
    entry = table(room, _chosen[0])[code]
    return Words(entry["message"].format_map(values), entry.get("hint", "").format_map(values))


def label(room: str, name: str, **values: object) -> str:
    """Fill one label of a room."""
    text: str = table(room, _chosen[0])["label"][name]
    return text.format_map(values)
