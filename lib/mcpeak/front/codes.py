"""The few exit codes of a wired command (DESIGN: Exit codes). Pure."""

from mcpeak.command import exits

KEPT = (exits.GOOD, exits.INTERRUPTED, exits.TERMINATED, exits.STDOUT_CLOSED)


def wired(code: int) -> int:
    """Give a wired command's exit code for a single program's: 0, 130, 141, 143, else 1."""
    return code if code in KEPT else exits.NO
