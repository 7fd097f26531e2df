"""The options of mcpeak-run, and the plain values they become."""

import argparse
from typing import TYPE_CHECKING

from mcpeak.command.failure import UsageError
from mcpeak.command.options import Parser, describe
from mcpeak.command.target import targets_of
from mcpeak.messages import label
from mcpeak.run.settings import Settings

if TYPE_CHECKING:
    from mcpeak.link.client import Manner

LONGEST = 2_147_483  # seconds: what a poll can wait
PROTOCOLS = "auto, legacy, modern, 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05"


def add_options(parser: Parser) -> None:
    """Add all options but those of TARGET."""
    speak = parser.add_argument_group(label("run", "group_server"))
    speak.add_argument("--start-timeout", type=_seconds, metavar="SECONDS", help=_help("start_timeout"))
    speak.add_argument("--protocol", metavar="WHICH", help=_help("protocol"))
    speak.add_argument("--roots", action="append", metavar="DIR", help=describe("http", "roots"))
    speak.add_argument("--answers", metavar="FILE", help=describe("http", "answers"))
    speak.add_argument("--ca", metavar="FILE", help=describe("http", "ca"))
    speak.add_argument("--proxy", metavar="URL", help=describe("http", "proxy"))
    speak.add_argument("--reset-cmd", metavar="CMD", help=_help("reset_cmd"))
    cases = parser.add_argument_group(label("run", "group_cases"))
    cases.add_argument("--filter", action="append", metavar="GLOB", help=_help("filter"))
    cases.add_argument("--shard", type=_share, metavar="I/N", help=_help("shard"))
    cases.add_argument("--jobs", type=_positive, metavar="N", help=_help("jobs"))
    cases.add_argument("--repeat", type=_positive, metavar="N", help=_help("repeat"))
    cases.add_argument("--matrix", action="store_true", help=_help("matrix"))
    trouble = parser.add_argument_group(label("run", "group_trouble"))
    trouble.add_argument("--max-timeouts", type=_count, metavar="N", help=_help("max_timeouts"))
    trouble.add_argument("--restart", action="store_true", help=_help("restart"))
    trouble.add_argument("--retry", type=_count, metavar="N", help=_help("retry"))
    trouble.add_argument("--fail-fast", action="store_true", help=_help("fail_fast"))
    trouble.add_argument("--strict", action="store_true", help=_help("strict"))
    trouble.add_argument("--strict-stdio", action="store_true", help=_help("strict_stdio"))


def settings_of(given: argparse.Namespace, command: list[str] | None) -> Settings:
    """Make plain values of the parsed options.

    Raises:
        UsageError, InputError: a TARGET or an option that cannot be used.
    """
    usual = Settings(())
    return Settings(
        targets=tuple(targets_of(given, command)),
        protocol=_protocol(given.protocol) or usual.protocol,
        start_timeout=usual.start_timeout if given.start_timeout is None else given.start_timeout,
        max_timeouts=usual.max_timeouts if given.max_timeouts is None else given.max_timeouts,
        restart=given.restart,
        retry=given.retry or 0,
        fail_fast=given.fail_fast,
        filter=tuple(given.filter or ()),
        shard=given.shard,
        jobs=given.jobs or 1,
        matrix=given.matrix,
        strict=given.strict,
        strict_stdio=given.strict_stdio,
        manner=_manner(given),
        reset=_reset(given.reset_cmd),
        repeat=given.repeat,
        asked=_asked(given),
    )


def _asked(given: argparse.Namespace) -> tuple[str, ...]:
    from mcpeak.run.again import options_of

    return options_of(given)


def _manner(given: argparse.Namespace) -> "Manner | None":
    """Check how to speak before any server starts; None: the usual way, which needs no early import."""
    if not (given.roots or given.answers or given.ca or given.proxy):
        return None
    from mcpeak.link.manner import manner_of

    return manner_of(given.protocol, given.roots, given.answers, given.ca, given.proxy)


def _reset(command: str | None) -> tuple[str, ...]:
    if command is None:
        return ()
    from mcpeak.command.reset import words_of

    return tuple(words_of(command))


def _help(option: str) -> str:
    return describe("run", option)


def _wrong(name: str, text: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(label("run", name, text=text))


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise _wrong("wrong_count", text)
    return int(text)


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise _wrong("wrong_positive", text)
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= LONGEST:
        raise _wrong("wrong_seconds", text)
    return seconds


def _share(text: str) -> tuple[int, int]:
    share, mark, of = text.partition("/")
    if not mark or not (share.isdigit() and of.isdigit()) or not 1 <= int(share) <= int(of):
        raise _wrong("wrong_share", text)
    return int(share), int(of)


def _protocol(word: str | None) -> str | None:
    if word is not None and word not in PROTOCOLS.split(", ") and word != "2024-10-07":
        raise UsageError("CLI_USAGE", room="http", detail="PROTOCOL_UNKNOWN", word=word, known=PROTOCOLS)
    return word
