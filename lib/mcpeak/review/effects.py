"""What the dialogue wants of the world, and what it hears back.

Rule of this file: shapes only. The dialogue yields effects; whoever drives it (a terminal, a test) carries
them out.
"""

from typing import Any, Literal, NamedTuple

Style = Literal["plain", "strong", "good", "bad", "mild", "added", "gone"]


class Line(NamedTuple):
    """A line to show. Its text may hold anything; the terminal cleans it."""

    text: str
    style: Style = "plain"


class Say(NamedTuple):
    """Show lines; hears nothing back."""

    lines: list[Line]


class Ask(NamedTuple):
    """Ask for a line; hears the text, or None at the end of input."""

    prompt: str


class Edit(NamedTuple):
    """Open a text in the person's editor; hears the new text, or Failed."""

    text: str


class Load(NamedTuple):
    """Read a file that the person named; hears its text, or Failed."""

    path: str


class Rerun(NamedTuple):
    """Try one case against the server again; hears a Result, or Failed."""

    suite: dict[str, Any]


class Provide(NamedTuple):
    """Ask a provider; hears its answer as bytes, or Failed."""

    provider: str
    model: str
    request: bytes


class Failed(NamedTuple):
    """An effect did not work. `code`: of the catalogue; `values`: its placeholders."""

    code: str
    values: dict[str, str]


Effect = Say | Ask | Edit | Load | Rerun | Provide
