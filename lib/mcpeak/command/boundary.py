"""Where exceptions become words and exit codes; the only place that does so."""

import os
import sys
from collections.abc import Callable

from mcpeak.command import descriptors, exits, log
from mcpeak.command.failure import Failure
from mcpeak.command.text import clean
from mcpeak.messages import label, say

_BOUNDED: list[str] = []
"""Programs whose boundary is around us: one within the other is one begin and one end in the log."""


def tell(program: str, code: str, message: str, hint: str, detail: str | None = None) -> None:
    """Write one problem for people on stderr: what, then the remedy, indented."""
    name = f"{code}/{detail}" if detail else code
    lines = [f"{program}: {label('command', 'error')} [{name}]: {clean(message)}"]
    lines += [f"  {clean(line)}" for line in hint.splitlines()]
    to_stderr("\n".join(lines) + "\n")


def to_stderr(text: str) -> None:
    """Write to stderr whatever its encoding; a closed stderr is no reason to fail."""
    try:
        sys.stderr.flush()
        os.write(2, text.encode("utf-8", "backslashreplace"))
    except (OSError, ValueError, AttributeError):
        pass


def silence_stdout() -> None:
    """Point stdout to /dev/null, so that nothing at exit trips over a closed pipe."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)


def bounded(program: str, work: Callable[[], int]) -> int:
    """Run a program's work; give the exit code, having said what went wrong.

    A KeyboardInterrupt that reaches us is an interrupt without anything left to save.
    """
    if program in _BOUNDED:
        return _bounded(program, work)
    _BOUNDED.append(program)
    descriptors.hold()
    log.note("begin", stage=program)
    try:
        code = _bounded(program, work)
    finally:
        _BOUNDED.remove(program)
    log.note("end", stage=program, exit=code)
    return code


def _bounded(program: str, work: Callable[[], int]) -> int:
    try:
        return work()
    except Failure as wrong:
        words = wrong.words
        tell(program, wrong.code, words.message, words.hint, wrong.detail)
        return wrong.exit
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    except SystemExit as answered:  # `--help` and `--version` have answered
        return answered.code if isinstance(answered.code, int) else exits.GOOD
    except Exception as wrong:  # noqa: BLE001 - the boundary: whatever nobody expected ends here
        return _unexpected(program, wrong)


def _unexpected(program: str, wrong: Exception) -> int:
    if isinstance(wrong, ModuleNotFoundError | FileNotFoundError):
        return _absent(program, wrong)
    if isinstance(wrong, _gone()):
        silence_stdout()
        return _without_stdout(program, getattr(wrong, "why", None))
    return _bug(program)


def _gone() -> tuple[type[Exception], ...]:
    """Name what means that whoever read our stdout has gone; asked only when something was raised."""
    from mcpeak.wire.writer import StdoutClosed  # late: msgspec costs 30 ms, which `--version` need not pay

    return StdoutClosed, BrokenPipeError


def _without_stdout(program: str, why: str | None) -> int:
    """Tell of a full disk; to a reader that left there is nothing to say."""
    if why is None:
        return exits.STDOUT_CLOSED
    return _told(program, exits.UNREADABLE, "STDOUT_FAILED", why=why)


def _absent(program: str, wrong: ModuleNotFoundError | FileNotFoundError) -> int:
    """Tell of a package that is not installed, or of a working folder that is gone; all else is our bug."""
    if isinstance(wrong, FileNotFoundError):
        return _told(program, exits.UNREADABLE, "FOLDER_GONE") if _nowhere() else _bug(program)
    name = (wrong.name or "").partition(".")[0]
    if name in ("", "mcpeak"):
        return _bug(program)
    return _told(program, exits.BUG, "PACKAGE_ABSENT", name=name, executable=sys.executable)


def _nowhere() -> bool:
    """Tell whether the folder that we were started in is gone."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _told(program: str, exit_code: int, code: str, **values: object) -> int:
    words = say("command", code, **values)
    tell(program, code, words.message, words.hint)
    return exit_code


def _bug(program: str) -> int:
    import traceback

    from mcpeak import __version__

    words = say(
        "command",
        "CLI_INTERNAL_ERROR",
        version=__version__,
        python=sys.version.split()[0],
        platform=sys.platform,
    )
    to_stderr(traceback.format_exc())
    tell(program, "CLI_INTERNAL_ERROR", words.message, words.hint)
    return exits.BUG
