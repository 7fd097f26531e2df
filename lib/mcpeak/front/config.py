"""`mcpeak config`: what a command would be given, and whether the line or the project's file says so."""

from shlex import join

from mcpeak.front.arguments import COMMAND, Given
from mcpeak.messages import label


def page(line: Given, together: Given, file: str | None) -> str:
    """Lay out what holds, one setting a line, each with where it comes from."""
    ours, theirs = label("front", "from_line"), file or ""
    rows = [("suites", join(together.files), ours if line.files else theirs)] if together.files else []
    rows += [(name, value or "", ours if line.has(name) else theirs) for name, value in together.options]
    if together.command is not None:
        rows.append((COMMAND, join(together.command), ours if line.command is not None else theirs))
    if not rows:
        return label("front", "no_settings") + "\n"
    first, second = (max(len(row[place]) for row in rows) for place in (0, 1))
    return "".join(f"{name.ljust(first)}  {value.ljust(second)}  {where}\n" for name, value, where in rows)
