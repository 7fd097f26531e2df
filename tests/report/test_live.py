"""On a terminal lines come as cases finish."""

from mcpeak.report.fold import Fold
from mcpeak.report.human import Human, Style, render
from mcpeak.report.live import Live
from mcpeak.report.paint import Paint
from mcpeak.wire.records import Finding, Shard
from mcpeak.wire.writer import encode
from support.streams import case, finished, is_error, started, written


class Screen:
    """Takes what is written, piece by piece."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.fold = Fold()
        self.human = Human(Style(paint=Paint(on=False)))
        self.live = Live(self.human, self.take)

    def take(self, data: bytes, /) -> None:
        self.pieces.append(data.decode())

    def show(self, *records: object) -> str:
        before = len(self.pieces)
        for record in records:
            self.fold.see(record, encode(record))
            self.live.see(record, self.fold.tally)
        return "".join(self.pieces[before:])

    def whole(self) -> str:
        self.live.finish(self.fold.close())
        return "".join(self.pieces)


def test_each_case_is_written_when_it_finishes() -> None:
    screen = Screen()
    assert screen.show(started(2)) == "Weather server (2 cases)\n"
    assert screen.show(case(0, "a")[0]) == ""
    assert screen.show(case(0, "a")[1]) == "✓ a  case a\n"
    assert "2 passed" in screen.show(*case(1, "b"), finished("passed", "passed"))


def test_in_the_end_it_is_what_a_file_would_hold() -> None:
    records = [
        written("aa", "b"),
        started(2),
        *case(0, "aa"),
        *case(1, "b", "failed"),
        finished("passed", "failed"),
    ]
    records += [started(1, name="Other"), *case(0, "c"), finished("passed")]
    screen = Screen()
    screen.show(records[0])
    screen.show(*records[1:])
    assert screen.whole() == "".join(f"{line}\n" for line in render(screen.fold.tally, screen.human))


def test_suites_that_run_side_by_side_do_not_mix() -> None:
    screen = Screen()
    screen.show(started(1), started(1, run=1, name="Other"), *case(0, "b", run=1), finished("passed", run=1))
    screen.show(*case(0, "a"), finished("passed"))
    text = screen.whole()
    assert text.index("✓ a") < text.index("Other (1 case)") < text.index("✓ b")


def test_a_share_waits_for_the_others_before_it_is_summed_up() -> None:
    screen = Screen()
    shown = screen.show(started(1, shard=Shard(index=1, of=2)), *case(0, "a"), finished("passed"))
    assert "total" not in shown
    assert "2 passed" in screen.show(
        started(1, shard=Shard(index=2, of=2)), *case(1, "b"), finished("passed")
    )


def test_causes_that_are_known_only_after_the_last_case_are_told_before_the_sum() -> None:
    """A file has them under their cases, which a terminal has shown long before."""
    finding = Finding(
        severity="warning", code="TOOL_NOT_DECLARED", case_id="b", path="operation.tool", detail={"tool": "x"}
    )
    screen = Screen()
    screen.show(started(2), *case(0, "a"), *case(1, "b", "failed", assertions=[is_error(False, True)]))
    told = screen.show(finished("passed", "failed", findings=[finding]))
    assert (
        "Causes in the suite, found after the last case:\n✗ b  case b\n    cause     The server declares"
        in told
    )
    paper = "".join(f"{line}\n" for line in render(screen.fold.tally, screen.human))
    (cause,) = [line for line in paper.splitlines() if "cause " in line]
    assert f"{cause}\n" in told
