"""A command line that argparse refuses, in the catalogue's words. Pure; imported only when there is one.

Rule of this file: it goes by argparse's actions and fields, which every Python names alike, never by its
English sentences, which every Python words anew. What fits nothing here keeps argparse's own sentence.
"""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from mcpeak.command.failure import UsageError
from mcpeak.command.text import cut
from mcpeak.messages import label

LONGEST = 120  # code points of a word that are worth quoting
NEAR = 0.6  # how alike a word must be to be what was meant
KINDS: dict[object, str] = {int: "kind_int", float: "kind_float"}


def refused(
    parser: argparse.ArgumentParser,
    wrong: argparse.ArgumentError,
    words: Sequence[str],
    given: argparse.Namespace,
) -> UsageError:
    """Say why a command line was given up, where that came without a hook of its own.

    Args:
        parser: whose command line.
        wrong: what argparse raised.
        words: the command line.
        given: what was read of it so far.
    """
    flags = (each for each in parser._actions if each.option_strings and each.nargs == 0)  # noqa: SLF001 - argparse has no public list
    flag = next((each for each in flags if "/".join(each.option_strings) == wrong.argument_name), None)
    if flag is not None:
        return _usage(parser, "OPTION_TAKES_NO_VALUE", option=flag.option_strings[-1])
    missing = [
        name for name in _missing(parser, given) if wrong.argument_name is None and name in wrong.message
    ]
    if not missing:
        return UsageError("CLI_USAGE", what=str(wrong), program=parser.prog)
    unknown_ones = [word for word in words if _is_option(word) and _name(word) not in _options(parser)]
    if unknown_ones:  # what is missing may be what it was meant to be
        return unknown(parser, unknown_ones)
    return _usage(parser, "ARGUMENT_MISSING", names=", ".join(missing), usage=_usage_line(parser))


def unknown(parser: argparse.ArgumentParser, rest: Sequence[str]) -> UsageError:
    """Say that nobody takes the words that are left: an option that there is not, or a word too many."""
    word = rest[0]
    if not word:
        return _usage(parser, "WORD_EMPTY")
    if not _is_option(word):
        detail = "WORD_UNEXPECTED_SERVER" if _takes_server(parser) else "WORD_UNEXPECTED"
        return _usage(parser, detail, word=_short(word))
    name = _short(_name(word))
    near = nearest(_name(word), _options(parser))
    if near is not None:
        return _usage(parser, "OPTION_MISSPELT", option=name, nearest=near)
    return _usage(parser, "OPTION_UNKNOWN_SERVER" if _takes_server(parser) else "OPTION_UNKNOWN", option=name)


def without_value(parser: argparse.ArgumentParser, action: argparse.Action) -> UsageError:
    """Say that an option stands without its value."""
    name = _shown(action)
    value = action.metavar or "|".join(map(str, action.choices or ())) or action.dest.upper()
    return _usage(parser, "OPTION_NEEDS_VALUE", option=name, value=value)


def no_choice(parser: argparse.ArgumentParser, action: argparse.Action, value: object) -> UsageError:
    """Say that a value is none of those that there are."""
    choices = [str(each) for each in action.choices or ()]
    near = nearest(str(value), choices)
    values: dict[str, Any] = {
        "option": _shown(action),
        "value": _short(str(value)),
        "choices": ", ".join(choices),
    }
    if near is None:
        return _usage(parser, "VALUE_NO_CHOICE", **values)
    return _usage(parser, "VALUE_MISSPELT", nearest=near, **values)


def no_value(
    parser: argparse.ArgumentParser, action: argparse.Action, text: str, wrong: argparse.ArgumentError
) -> UsageError:
    """Say that a value does not look as it must: in the words of its own reader, or by its kind."""
    if isinstance(wrong.__context__, argparse.ArgumentTypeError):
        return _usage(parser, "VALUE_REFUSED", option=_shown(action), why=wrong.message)
    kind = label("command", KINDS.get(action.type, "kind_other"))
    return _usage(parser, "VALUE_WRONG", option=_shown(action), value=_short(text), expected=kind)


def _usage(parser: argparse.ArgumentParser, detail: str, **values: Any) -> UsageError:
    return UsageError("CLI_USAGE", detail=detail, program=parser.prog, **values)


def _missing(parser: argparse.ArgumentParser, given: argparse.Namespace) -> list[str]:
    return [
        _shown(each)
        for each in parser._actions  # noqa: SLF001 - argparse has no public list
        if each.required and getattr(given, each.dest, None) is None
    ]


def _shown(action: argparse.Action) -> str:
    if action.option_strings:
        return action.option_strings[-1]
    return action.metavar if isinstance(action.metavar, str) else action.dest


def _usage_line(parser: argparse.ArgumentParser) -> str:
    """Give the positional part of the usage, such as `TOOL [INPUT]`."""
    places = [each for each in parser._actions if not each.option_strings]  # noqa: SLF001 - argparse has no public list
    return " ".join(_shown(each) if each.required else f"[{_shown(each)}]" for each in places)


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return list(parser._option_string_actions)  # noqa: SLF001 - argparse has no public list


def _takes_server(parser: argparse.ArgumentParser) -> bool:
    return "--command" in _options(parser) or " -- " in (parser.usage or "")


def _is_option(word: str) -> bool:
    return len(word) > 1 and word[0] == "-"


def _name(word: str) -> str:
    return word.partition("=")[0]


def _short(word: str) -> str:
    return cut(word, LONGEST)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Find what was meant: the one that begins so, else the one most alike; dashes are no likeness."""
    from difflib import get_close_matches

    names = {name.lstrip("-"): name for name in known}
    bare = word.lstrip("-")[:LONGEST]
    longer = [name for name in names if len(bare) > 1 and name.startswith(bare)]
    near = longer if len(longer) == 1 else get_close_matches(bare, names, n=1, cutoff=NEAR)
    return names[near[0]] if near else None
