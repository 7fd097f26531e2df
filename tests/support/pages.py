"""What a page of docs/ tells its test: files to write, commands to run, and how each must end."""

import re
from dataclasses import dataclass, field
from pathlib import Path

_FENCE = re.compile(r"((?:<!--[^\n]*-->\n)*)```(\w*)\n(.*?)```", re.DOTALL)
_NOTE = re.compile(r"<!-- (exit|file|not run|needs): (.*?) -->")


@dataclass
class Block:
    """One fenced block: its language, its text, and the notes in comments right above it."""

    language: str
    text: str
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def commands(self) -> list[str]:
        """The lines that begin with `$ `."""
        return [line[2:] for line in self.text.splitlines() if line.startswith("$ ")]


def blocks(page: Path) -> list[Block]:
    """Read the fenced blocks of a page in order."""
    found = _FENCE.findall(page.read_text("utf-8"))
    return [Block(language, text, dict(_NOTE.findall(notes))) for notes, language, text in found]
