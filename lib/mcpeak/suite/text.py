"""Reading a suite's text: quick where the C reader tells the truth, careful where it would not."""

from mcpeak.suite.outline import Outline
from mcpeak.suite.quick import UNSURE, read_quickly


def read_text(text: str) -> Outline:
    """Read a suite's text.

    Raises:
        JsonError: it is no JSON, or nested too deeply.
    """
    try:
        return read_quickly(text)
    except UNSURE:
        from mcpeak.suite.careful import read_carefully

        return read_carefully(text)
