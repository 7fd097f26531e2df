"""A person at a terminal, for tests: a program with a pseudo-terminal of its own, and pipes besides."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.programs import BIN, environment

LIMIT = 30.0


class Person:
    """Reads what a program shows, and types."""

    def __init__(
        self,
        program: str,
        *arguments: str,
        stdin: bytes = b"",
        cwd: Path | None = None,
        on_terminal: bool = False,
        **env: str,
    ) -> None:
        self._master, slave = pty.openpty()
        self.resize(24, 80)
        self.shown = ""

        def take_terminal() -> None:
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [sys.executable, str(BIN / program), *arguments],
            stdin=slave if on_terminal else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=environment(TERM="xterm", **env),
            start_new_session=True,
            pass_fds=[slave],  # a terminal that nobody holds open is gone
            preexec_fn=take_terminal,  # noqa: PLW1509 - no thread of ours runs yet
        )
        os.close(slave)
        self._output: dict[str, bytes] = {}
        self._readers = [self._drain("stdout"), self._drain("stderr")]
        if self.process.stdin is not None:
            self.process.stdin.write(stdin)
            self.process.stdin.close()

    def _drain(self, name: str) -> threading.Thread:
        pipe: Any = getattr(self.process, name)

        def read() -> None:
            with pipe:
                self._output[name] = pipe.read()

        thread = threading.Thread(target=read)
        thread.start()
        return thread

    def resize(self, rows: int, columns: int) -> None:
        """Change the window; the program gets SIGWINCH."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def sees(self, text: str) -> str:
        """Wait until the program has shown a text since the last one; give what came up to it."""
        while text not in self.shown:
            if not self._more():
                raise AssertionError(f"{text!r} was not shown; shown was:\n{self.shown}\n{self._output}")
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def _more(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], LIMIT)
        if not ready:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the program has let go of its terminal
            return False
        self.shown += data.decode("utf-8", "replace")
        return bool(data)

    def types(self, text: str) -> None:
        """Type a line."""
        os.write(self._master, text.encode() + b"\n")

    def presses(self, key: bytes) -> None:
        """Press a key, such as Ctrl-D (4) or Ctrl-C (3)."""
        os.write(self._master, key)

    def answers(self, *steps: tuple[str, str]) -> None:
        """Wait for each prompt and type its answer."""
        for prompt, text in steps:
            self.sees(prompt)
            self.types(text)

    def leaves(self) -> tuple[int, bytes, bytes]:
        """Wait for the end; give code, stdout, stderr."""
        watcher = threading.Thread(target=self._watch)
        watcher.start()
        code = self.process.wait(LIMIT)
        for reader in self._readers:
            reader.join(LIMIT)
        watcher.join(LIMIT)
        os.close(self._master)
        return code, self._output["stdout"], self._output["stderr"]

    def _watch(self) -> None:
        while self._more():
            pass


Driver = Callable[..., Person]
