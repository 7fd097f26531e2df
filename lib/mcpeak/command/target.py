"""TARGET: the options that say which server to reach, the same for every program that reaches one.

`-- COMMAND ARG…` (nothing after `--` is parsed), `--command X --arg Y…`, `--url URL`, or `--config FILE`
with `--server NAME`. argparse takes `--arg -m` for two options, so `split` joins such pairs first.
"""

import argparse
import os
from collections.abc import Sequence
from typing import Any

from mcpeak.command.failure import UsageError
from mcpeak.command.reach import PASSED_ON, Command, Target
from mcpeak.messages import label

__all__ = ["PASSED_ON", "Command", "Target", "add_target", "described", "split", "target_of", "targets_of"]


def add_target(parser: argparse.ArgumentParser) -> None:
    """Add the TARGET options."""
    group = parser.add_argument_group(label("link", "target"))
    text = _help
    group.add_argument("--command", metavar="COMMAND", help=text("command"))
    group.add_argument("--arg", action="append", default=[], metavar="ARG", help=text("arg"))
    group.add_argument("--url", metavar="URL", help=text("url"))
    group.add_argument(
        "--header-env", action="append", default=[], metavar="HEADER=ENVVAR", help=text("header_env")
    )
    group.add_argument("--config", metavar="FILE", help=text("config"))
    group.add_argument("--server", metavar="NAME", help=text("server"))
    group.add_argument("--env", action="append", default=[], metavar="NAME", help=text("env"))
    group.add_argument("--cwd", metavar="DIR", help=text("cwd"))


def _help(name: str) -> str:
    from mcpeak.messages import language, table

    sentence: str = table("link", language())["option"][name]
    return sentence


def split(argv: Sequence[str]) -> tuple[list[str], list[str] | None]:
    """Cut a command line at its `--`: our part, ready for argparse, and the command (None without `--`)."""
    words = list(argv)
    command: list[str] | None = None
    if "--" in words:
        place = words.index("--")
        words, command = words[:place], words[place + 1 :]
    ours: list[str] = []
    while words:
        word = words.pop(0)
        if word == "--arg" and words:
            word = f"--arg={words.pop(0)}"
        ours.append(word)
    return ours, command


def target_of(namespace: argparse.Namespace, command: list[str] | None) -> Target:
    """Make the one target of the parsed options.

    Raises:
        UsageError: there is none, or more than one, or an option that does not fit.
        InputError: the configuration file cannot be used.
    """
    targets = targets_of(namespace, command)
    if len(targets) > 1:
        names = ", ".join(target.name or "" for target in targets)
        raise _usage("SERVER_UNNAMED", file=namespace.config, names=names)
    return targets[0]


def targets_of(namespace: argparse.Namespace, command: list[str] | None) -> list[Target]:
    """Make the targets: one, or with `--config` and no `--server` every server in the file."""
    _refuse_empty(namespace)
    given = _argv(namespace, command)
    if namespace.config is not None:
        if given or namespace.url is not None:
            raise _usage("TARGET_TWICE")
        return _configured(namespace)
    if namespace.server is not None:
        raise _usage("SERVER_WITHOUT_CONFIG")
    if not given and namespace.url is None:
        raise _usage("TARGET_MISSING")
    headers, header_secrets = _headers(namespace)
    env, secrets = _environment(namespace)
    started = Command(tuple(given), env, namespace.cwd) if given else None
    return [Target(started, namespace.url, headers, (*secrets, *header_secrets))]


def _refuse_empty(namespace: argparse.Namespace) -> None:
    """Refuse what names nothing: a shell variable that is not set gives an empty word."""
    for name in ("url", "config", "server", "cwd", "env", "header_env"):
        value = getattr(namespace, name)
        if value == "" or (isinstance(value, list) and "" in value):
            option = f"--{name.replace('_', '-')}"
            raise UsageError("CLI_USAGE", detail="VALUE_EMPTY", option=option)


def _argv(namespace: argparse.Namespace, command: list[str] | None) -> list[str]:
    if command is not None and namespace.command is not None:
        raise _usage("TARGET_TWICE")
    if command is None and namespace.command is None:
        if namespace.arg:
            raise _usage("ARG_WITHOUT_COMMAND")
        return []
    argv = [namespace.command, *namespace.arg] if command is None else command
    if command is not None and namespace.arg:
        raise _usage("ARG_WITHOUT_COMMAND")
    if not argv or not argv[0]:
        raise _usage("COMMAND_EMPTY")
    return argv


def _environment(namespace: argparse.Namespace) -> tuple[dict[str, str], list[str]]:
    env = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    secrets = []
    for name in namespace.env:
        if "=" in name:
            raise _usage("ENV_WITH_VALUE", name=name.partition("=")[0])
        env[name] = _variable(name, "--env")
        secrets.append(env[name])
    return env, secrets


def _headers(namespace: argparse.Namespace) -> tuple[dict[str, str], list[str]]:
    headers = {}
    for pair in namespace.header_env:
        header, mark, name = pair.partition("=")
        if not (header and mark and name):
            raise _usage("HEADER_ENV_FORM", pair=header)
        if namespace.url is None:
            raise _usage("HEADER_WITHOUT_URL")
        headers[header] = _variable(name, "--header-env")
    return headers, list(headers.values())


def _variable(name: str, option: str) -> str:
    if name not in os.environ:
        raise _usage("ENV_MISSING", name=name, option=option)
    return os.environ[name]


def _configured(namespace: argparse.Namespace) -> list[Target]:
    from mcpeak.command.servers import read_servers  # late: most people name a command

    env, secrets = _environment(namespace)
    return read_servers(namespace.config, namespace.server, env, secrets, namespace.cwd)


def _usage(detail: str, **values: Any) -> UsageError:
    return UsageError("CLI_USAGE", room="link", detail=detail, **values)


def described(target: Target) -> str:
    """Name a target for people: its command line or URL, secrets left out."""
    import shlex

    from mcpeak.command.redact import Redactor, is_secret_name

    if target.url is not None:
        return Redactor(target.secrets).text(_without_user(target.url))
    words: list[str] = []
    for word in target.command.argv if target.command else ():
        follows = (
            bool(words) and words[-1].startswith("-") and "=" not in words[-1] and is_secret_name(words[-1])
        )
        words.append("[REDACTED]" if follows else word)
    return Redactor(target.secrets).text(
        " ".join(word if word == "[REDACTED]" else shlex.quote(word) for word in words)
    )


def _without_user(url: str) -> str:
    scheme, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"
