"""The frame of a record-writing program."""

import os
from collections.abc import Callable

import pytest

from mcpeak.command import exits, stage
from mcpeak.command.failure import InputError
from mcpeak.wire.reader import BadLine, CutStream, decode
from mcpeak.wire.records import End, Error, Issue, Notice
from mcpeak.wire.writer import Writer


def piped(work: Callable[[Writer], int]) -> tuple[int, list[object]]:
    """Run a stage with stdout as a pipe; give its exit code and its records."""
    reading, writing = os.pipe()
    saved = os.dup(1)
    os.dup2(writing, 1)
    os.close(writing)
    try:
        code = stage.run_stage("run", work)
    finally:
        os.dup2(saved, 1)
        os.close(saved)
    with os.fdopen(reading, "rb") as file:
        return code, [decode(line) for line in file]


def failing(wrong: Exception):
    def work(_: Writer) -> int:
        raise wrong

    return work


def test_a_failure_becomes_an_error_record_before_the_end():
    code, records = piped(failing(InputError("CLI_USAGE", what="w", program="p")))
    assert code == exits.UNREADABLE
    assert [type(record) for record in records[-2:]] == [Error, End]


@pytest.mark.parametrize(
    ("wrong", "name"),
    [(CutStream("end"), "STREAM_CUT"), (BadLine(3, b"x\x1b\n", "why"), "STREAM_LINE_INVALID")],
)
def test_broken_input_becomes_an_error_record(wrong: Exception, name: str):
    code, records = piped(failing(wrong))
    assert (code, records[-2].code) == (exits.UNREADABLE, name)


def test_a_bug_leaves_the_stream_without_its_end(capfd: pytest.CaptureFixture[str]):
    code, records = piped(failing(RuntimeError("ours")))
    assert code == exits.BUG
    assert not [record for record in records if isinstance(record, End)]


def test_a_stage_within_a_pipe_does_not_speak(capfd: pytest.CaptureFixture[str]):
    piped(failing(InputError("CLI_USAGE", what="w", program="p")))
    assert capfd.readouterr().err == ""


def test_the_last_stage_speaks_in_words(capfd: pytest.CaptureFixture[str]):
    issue = Issue(
        source="a.json", code="INVALID_TYPE", path="id", message="bad\x1b", hint="mend it", line=2, column=7
    )
    stage.tell_record(issue)
    stage.tell_record(Notice(severity="warning", source="a.json", code="N", message="m", hint="h"))
    assert capfd.readouterr().err == (
        "a.json:2:7: error [INVALID_TYPE]: id: bad\\u001b\n  mend it\nwarning [N]: a.json: m\n  h\n"
    )
