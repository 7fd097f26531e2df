"""The command line of mcpeak-session.

Rule of this file: arguments in, plain values out.
"""

import argparse
from collections.abc import Sequence
from typing import Any

from mcpeak.command.failure import UsageError
from mcpeak.command.options import Parser, program
from mcpeak.messages import label, table
from mcpeak.messages import language as current
from mcpeak.session.rules import Rule, parse

PROGRAM = "mcpeak-session"
ACTIONS = ("record", "replay", "inspect", "prune", "redact")
_WRAPS = ("record", "replay")
_ALLOWED = {
    "force": ("record",),
    "redact": ("record", "replay", "redact"),
    "redact_paths": ("record", "replay", "redact"),
    "match": _WRAPS,
    "passed": _WRAPS,
    "ca": _WRAPS,
    "insecure": _WRAPS,
    "allow_new": ("replay",),
    "unused": ("replay",),
    "real_time": ("replay",),
    "json": ("inspect",),
}
_NAMES = {"passed": "--pass"}


def parser(arguments: Sequence[str]) -> Parser:
    """Build the parser in the language that the arguments choose."""
    made = program(PROGRAM, "session", arguments)
    told = table("session", current())["option"]
    made.usage = label("session", "usage")
    made.add_argument("action", choices=ACTIONS, metavar="ACTION", help=told["action"])
    made.add_argument("file", metavar="FILE", help=told["file"])
    group = made.add_argument_group(label("session", "group_record"))
    group.add_argument("--force", action="store_true", help=told["force"])
    group.add_argument("--redact", action="append", default=[], metavar="NAME", help=told["redact"])
    group.add_argument("--redact-paths", action="store_true", help=told["redact_paths"])
    group = made.add_argument_group(label("session", "group_replay"))
    group.add_argument("--allow-new", action="store_true", help=told["allow_new"])
    group.add_argument("--unused", choices=("ignore", "warn", "fail"), help=told["unused"])
    group.add_argument("--real-time", action="store_true", help=told["real_time"])
    group = made.add_argument_group(label("session", "group_both"))
    group.add_argument("--match", action="append", default=[], metavar="RULE", help=told["match"])
    group.add_argument(
        "--pass", dest="passed", action="append", default=[], metavar="HOST[:PORT]", help=told["pass"]
    )
    group.add_argument("--ca", action="append", default=[], metavar="FILE", help=told["ca"])
    group.add_argument("--insecure", action="store_true", help=told["insecure"])
    group = made.add_argument_group(label("session", "group_inspect"))
    group.add_argument("--json", action="store_true", help=told["json"])
    return made


def read(arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """Read the arguments: the options, and the command after `--`.

    Raises:
        UsageError: they make no sense.
    """
    words = list(arguments)
    at = words.index("--") if "--" in words else len(words)
    ours, command = words[:at], words[at + 1 :]
    given = parser(ours).parse_args(ours)
    for name, actions in _ALLOWED.items():
        if getattr(given, name) and given.action not in actions:
            option = _NAMES.get(name, "--" + name.replace("_", "-"))
            raise _wrong("OPTION_ELSEWHERE", option=option, action=given.action, actions=", ".join(actions))
    if given.action in _WRAPS and not command:
        raise _wrong("COMMAND_MISSING", action=given.action, file=given.file)
    if given.action in _WRAPS and not command[0]:
        raise _wrong("WRAPPED_EMPTY")
    if given.action not in _WRAPS and at < len(words):
        raise _wrong("COMMAND_UNWANTED", action=given.action)
    rules(given.match)
    return given, command


def rules(texts: Sequence[str]) -> list[Rule]:
    """Read `--match` rules.

    Raises:
        UsageError: one is none.
    """
    found = []
    for text in texts:
        rule = parse(text)
        if rule is None:
            raise _wrong("RULE_INVALID", rule=text)
        found.append(rule)
    return found


def _wrong(word: str, **values: Any) -> UsageError:
    return UsageError("CLI_USAGE", room="session", detail=word, program=PROGRAM, **values)
