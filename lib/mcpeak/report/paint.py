"""Colour, where it is wanted: five styles and the marks of the verdicts.

Rule of this file: pure; whether colour is wanted is decided at the edge (`wanted` only knows the rules).
"""

from collections.abc import Mapping

MARKS = {"passed": "✓", "failed": "✗", "timedOut": "⧖", "cancelled": "⊘", "notRun": "·", "skipped": "·"}
STYLES = {"passed": "32", "failed": "31", "timedOut": "33", "cancelled": "33", "notRun": "2", "skipped": "2"}
_OTHERS = {"bold": "1", "dim": "2", "warning": "33", "info": "36", "failure": "31"}


class Paint:
    """Puts a style around a text, or leaves it as it is."""

    def __init__(self, on: bool) -> None:
        self._codes = STYLES | _OTHERS if on else {}

    def __call__(self, style: str, text: str) -> str:
        """Give the text in a style: a verdict's name, `bold`, `dim`, `info`, `warning`, `failure`."""
        code = self._codes.get(style)
        return f"\x1b[{code}m{text}\x1b[0m" if code and text else text


def wanted(choice: str, environ: Mapping[str, str], terminal: bool) -> bool:
    """Decide on colour: `--color`, then NO_COLOR (even when empty), then FORCE_COLOR, then the terminal."""
    if choice != "auto":
        return choice == "always"
    if "NO_COLOR" in environ:
        return False
    force = environ.get("FORCE_COLOR")
    if force is not None:
        return force not in ("0", "false")
    return terminal and environ.get("TERM") != "dumb"
