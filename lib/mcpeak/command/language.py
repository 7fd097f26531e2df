"""Which language to speak: `--lang`, then MCPEAK_LANG, then the locale."""

from collections.abc import Mapping, Sequence

from mcpeak import messages


def choose(flag: str | None, environ: Mapping[str, str]) -> str:
    """Decide between `en` and `ko` and make it this process's language.

    A flag that names neither is going to be refused, in the language that holds without it.
    """
    wanted = (flag if flag in messages.LANGUAGES else None) or environ.get("MCPEAK_LANG") or _locale(environ)
    language = (
        "ko"
        if wanted.lower().replace("-", "_").split("_")[0].split(".")[0] in ("ko", "kor", "korean")
        else "en"
    )
    messages.use(language)
    return language


def _locale(environ: Mapping[str, str]) -> str:
    return environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or "en"


def flag_in(arguments: Sequence[str]) -> str | None:
    """Find the value of `--lang` before a parser exists, so that even the parser's own words fit."""
    for place, word in enumerate(arguments):
        if word == "--":
            return None
        if word == "--lang" and place + 1 < len(arguments):
            return arguments[place + 1]
        if word.startswith("--lang="):
            return word.removeprefix("--lang=")
    return None
