"""An edge: the command that puts the world back before a run (`--reset-cmd`).

Rule of this file: no shell, one minute, no process left; what the command says goes to nobody's stdout, and
its last words are told when it fails.
"""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from mcpeak.command.failure import InputError
from mcpeak.command.text import clean, cut
from mcpeak.messages import label

LIMIT = 60.0  # seconds (CONTRACT §7, issue: --reset-cmd)
SAID = 300  # code points of its last words


def words_of(command: str) -> list[str]:
    """Cut a command into words as a POSIX shell would, running none.

    Raises:
        InputError: RESET_COMMAND_FAILED: a quote is open, or nothing is there.
    """
    import shlex

    try:
        words = shlex.split(command)
    except ValueError as wrong:
        raise _failed(command, str(wrong)) from wrong
    if not words:
        raise _failed(command, label("command", "reset_empty"))
    return words


def run_reset(words: Sequence[str], cwd: str | None = None, limit: float = LIMIT) -> None:
    """Run the reset command to its end.

    Raises:
        InputError: RESET_COMMAND_FAILED: it cannot be started, does not end with 0, or takes too long.
    """
    name = " ".join(words)
    try:
        child = subprocess.Popen(  # noqa: S603 - the user's own command, without a shell
            list(words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            start_new_session=True,
        )
    except OSError as refused:
        raise _failed(name, os.strerror(refused.errno or 0)) from refused
    try:
        said, _ = child.communicate(timeout=limit)
    except subprocess.TimeoutExpired as late:
        raise _failed(name, label("command", "reset_late", seconds=f"{limit:g}")) from late
    finally:
        _end(child)
    if child.returncode != 0:
        raise _failed(name, label("command", "reset_code", code=child.returncode, said=_last(said)))


def _end(child: "subprocess.Popen[bytes]") -> None:
    """End whatever is left of the command, its children included."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    if child.stdout is not None:
        child.stdout.close()


def _last(said: bytes) -> str:
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return cut(clean(lines[-1]), SAID) if lines else "-"


def _failed(command: str, why: str) -> InputError:
    return InputError("RESET_COMMAND_FAILED", command=cut(clean(command), SAID), why=why)
