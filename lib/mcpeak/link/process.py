"""A server process just started: what can be done before anything of the protocol is imported."""

from collections.abc import Callable, Mapping

from mcpeak.command import log
from mcpeak.command.target import Command
from mcpeak.link.child import Child
from mcpeak.link.pipes import Pipes
from mcpeak.link.spawn import spawn

WRAPPER = "mcpeak-session"
"""The one command that gets a descriptor for records of its own, and variables that name the run."""


def start(
    command: Command,
    interrupt: int | None = None,
    hear: Callable[[bytes], None] | None = None,
    named: Mapping[str, str] | None = None,
) -> Pipes:
    """Start a server.

    Args:
        command: what to start.
        interrupt: a descriptor that is readable when we must stop.
        hear: gets each line that a wrapper of the server writes into its records descriptor.
        named: variables for such a wrapper only.

    Raises:
        StartFailed: it cannot be started.
    """
    wrapped = wraps(command)
    env = {**command.env, **(named or {})} if wrapped else command.env
    started = spawn(command.argv, env, command.cwd, records=wrapped)
    log.note(
        "started", server=started.pid, program=command.argv[0], arguments=len(command.argv) - 1, names=[*env]
    )
    return Pipes(started, Child(started.pid), interrupt, hear)


def wraps(command: Command) -> bool:
    """Tell whether a command is a wrapper of ours, run directly or by an interpreter."""
    return any(word.rpartition("/")[2] == WRAPPER for word in command.argv[:2])
