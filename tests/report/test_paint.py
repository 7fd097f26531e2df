"""Colour only where it is wanted (CONTRACT §5)."""

import pytest

from mcpeak.report.paint import Paint, wanted


@pytest.mark.parametrize(
    ("choice", "environ", "terminal", "answer"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": ""}, True, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": "0"}, True, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colour(choice: str, environ: dict[str, str], terminal: bool, answer: bool) -> None:
    assert wanted(choice, environ, terminal) is answer


def test_a_style_closes_itself() -> None:
    assert Paint(on=True)("failed", "x") == "\x1b[31mx\x1b[0m"
    assert Paint(on=False)("failed", "x") == "x"
