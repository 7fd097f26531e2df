"""The message catalogue: every sentence that a user can see, by room and code, in English and Korean.

`messages/<language>/<room>.toml` holds one table a code: `message`, `hint`, and where it helps `cause`
(what `mcpeak explain` adds); labels live in the table `[label]` of their room. Placeholders are `{name}`.
A room's file is read when its first message is needed, so a quiet run pays nothing.
"""

import os
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
    import tomllib  # late: 10 ms that only a program with something to say should pay

    with open(os.path.join(_HERE, language, f"{room}.toml"), "rb") as file:
        return tomllib.load(file)


def say(room: str, code: str, **values: object) -> Words:
    """Fill the sentence and the hint of a code."""
    entry = table(room, _chosen[0])[code]
    return Words(entry["message"].format_map(values), entry.get("hint", "").format_map(values))


def label(room: str, name: str, **values: object) -> str:
    """Fill one label of a room."""
    text: str = table(room, _chosen[0])["label"][name]
    return text.format_map(values)
