"""A plan as the shell pipeline that does the same, ready to paste. Pure."""

from collections.abc import Callable
from shlex import quote

from mcpeak.front.plan import Step


def explain(steps: list[Step], launch: Callable[[str], list[str]]) -> str:
    """Write the pipeline, one stage a line; `launch` gives the words that start a program."""
    lines = [" ".join(map(quote, [*launch(f"mcpeak-{step.program}"), *step.arguments])) for step in steps]
    return " |\n  ".join(lines) + "\n"
