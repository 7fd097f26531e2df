"""The progress line: one line, on stderr, gone in the end."""

import pytest

from mcpeak.report.progress import CLEAR, Progress, wanted
from support.streams import case, finished, started


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def watched(width: int = 80) -> tuple[Progress, list[str], Clock]:
    drawn: list[str] = []
    clock = Clock()
    return Progress(width, clock, drawn.append), drawn, clock


@pytest.mark.parametrize(
    ("environ", "terminal", "answer"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm"}, False, False),
        ({"TERM": "xterm", "CI": "true"}, True, False),
        ({"TERM": "dumb"}, True, False),
        ({}, True, False),
    ],
)
def test_it_is_drawn_on_a_terminal_only_and_not_under_ci(
    environ: dict[str, str], terminal: bool, answer: bool
) -> None:
    assert wanted(environ, terminal=terminal) is answer


def test_it_has_the_count_the_current_case_and_the_time() -> None:
    line, drawn, clock = watched()
    clock.now = 3.4
    line.see(started(7))
    line.see(case(0, "seoul")[0])
    line.draw()
    assert drawn[-1] == f"{CLEAR}0/7  seoul  3.4 s"


def test_it_never_fills_more_than_one_line() -> None:
    line, drawn, _ = watched(width=20)
    line.see(started(7))
    line.see(case(0, "서울" * 30)[0])
    line.draw()
    assert len(drawn[-1].removeprefix(CLEAR)) < 20


def test_it_does_not_flicker() -> None:
    line, drawn, clock = watched()
    clock.now = 1
    line.see(started(1000))
    for index in range(500):
        line.see(case(index, "a")[1])
    assert len(drawn) == 1


def test_it_makes_room_for_others_and_vanishes() -> None:
    line, drawn, clock = watched()
    clock.now = 1
    line.see(started(1))
    line.around(lambda data: drawn.append(data.decode()))(b"a line\n")
    assert drawn[-2:] == [CLEAR, "a line\n"]
    line.draw()
    line.see(finished("passed"))
    assert drawn[-1] == CLEAR
