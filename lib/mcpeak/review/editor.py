"""An edge: the person's own editor, on a private temporary file, in front of the terminal.

Rule of this file: no shell. The editor gets a process group of its own in the foreground, so that its
Ctrl-C ends nothing of ours; the file is gone afterwards.
"""

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping

from mcpeak.review.effects import Failed

LARGEST = 16 * 1024 * 1024


def edit(text: str, terminal: int, environ: Mapping[str, str]) -> str | Failed:
    """Open a text in $VISUAL or $EDITOR, else vi; give what was saved."""
    chosen = environ.get("VISUAL") or environ.get("EDITOR") or "vi"
    try:
        words = shlex.split(chosen)
    except ValueError:
        words = []
    if not words:
        return Failed("editor_failed", {"editor": chosen})
    folder = tempfile.mkdtemp(prefix="mcpeak-review-")
    path = os.path.join(folder, "suite.json")
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        code = _in_front([*words, path], terminal)
        if code != 0:
            return Failed("editor_failed", {"editor": chosen})
        return read_text(path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def read_text(path: str) -> str | Failed:
    """Read a JSON text file that the person named."""
    try:
        with open(os.path.expanduser(path), "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as refused:
        return Failed("file_unreadable", {"file": path, "why": os.strerror(refused.errno or 0)})
    if len(data) > LARGEST:
        return Failed("file_large", {"file": path})
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")


def _in_front(words: list[str], terminal: int) -> int:
    """Run a program in front of the terminal; give its exit code, 127 when it cannot be started."""
    before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # we hand the terminal over and take it back
    try:
        child = subprocess.Popen(  # noqa: S603 - the person's own editor, without a shell
            words,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            process_group=0,
            restore_signals=True,
        )
    except OSError:
        signal.signal(signal.SIGTTOU, before)
        return 127
    try:
        _give(terminal, child.pid)
        return child.wait()
    finally:
        _give(terminal, os.getpgrp())
        signal.signal(signal.SIGTTOU, before)


def _give(terminal: int, group: int) -> None:
    try:
        os.tcsetpgrp(terminal, group)
    except OSError:  # the terminal is no longer ours, or the child is already gone
        return
