"""An edge: the person's terminal, apart from the pipes: lines out, lines in.

Rule of this file: whole lines only, so that a resized window, an input method and a slow line all do no harm.
Whatever is shown is cleaned first.
"""

import os
from collections.abc import Mapping

from mcpeak.command.text import clean
from mcpeak.review.effects import Line, Style

PATH = "/dev/tty"
LONGEST = 1_000_000
"""Bytes of a typed line; a terminal gives far less."""

COLOURS: dict[Style, str] = {
    "plain": "",
    "strong": "1",
    "good": "32",
    "bad": "31",
    "mild": "2",
    "added": "32",
    "gone": "31",
}


class Terminal:
    """The controlling terminal.

    Raises:
        OSError: there is none.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.descriptor = os.open(PATH, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        self._colours = "NO_COLOR" not in environ and environ.get("TERM", "") not in ("", "dumb")
        self._typed = b""

    def say(self, lines: list[Line]) -> None:
        """Show lines."""
        self._write("".join(f"{self._painted(line)}\r\n" for line in lines))

    def ask(self, prompt: str) -> str | None:
        """Ask for a line; None: the end of input."""
        self._write(f"{clean(prompt)} ")
        while b"\n" not in self._typed:
            got = os.read(self.descriptor, 65536)
            if not got or len(self._typed) > LONGEST:
                self._write("\r\n")
                return None
            self._typed += got
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode("utf-8", "replace").rstrip("\r")

    def close(self) -> None:
        """Let go of the terminal."""
        os.close(self.descriptor)

    def _painted(self, line: Line) -> str:
        text = clean(line.text)
        code = COLOURS[line.style] if self._colours else ""
        return f"\x1b[{code}m{text}\x1b[0m" if code else text

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "backslashreplace")
        while data:
            data = data[os.write(self.descriptor, data) :]
