"""A server as it is reached: the values that the TARGET options and the `mcpServers` files come to."""

from typing import NamedTuple

PASSED_ON = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER")
"""What a server gets of our environment unasked (CONTRACT §4)."""


class Command(NamedTuple):
    """A process to start. `env`: its whole environment."""

    argv: tuple[str, ...]
    env: dict[str, str]
    cwd: str | None = None


class Target(NamedTuple):
    """Which server. `command` alone: stdio; `url` alone: HTTP; both: the command starts the HTTP server.

    `secrets`: values that must not be written anywhere; `name`: its name in a configuration file.
    """

    command: Command | None
    url: str | None
    headers: dict[str, str]
    secrets: tuple[str, ...]
    name: str | None = None
