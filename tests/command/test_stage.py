"""The frame of a record-writing program."""

import os

import pytest

from mcpeak.command import exits, stage
from mcpeak.command.failure import InputError
from mcpeak.wire.reader import BadLine, CutStream, decode
from mcpeak.wire.records import End, Error, Issue, Notice
from mcpeak.wire.writer import Writer


@pytest.fixture
def piped(capfd: pytest.CaptureFixture[str]):
    """Stdout as a pipe; gives a function that reads the records written to it."""
    reading, writing = os.pipe()
    saved = os.dup(1)
    os.dup2(writing, 1)
    os.close(writing)

    def records():
        os.dup2(saved, 1)
        with os.fdopen(reading, "rb") as file:
            return [decode(line) for line in file]

    yield records
    os.dup2(saved, 1)
    os.close(saved)


def failing(wrong: Exception):
    def work(_: Writer) -> int:
        raise wrong

    return work


def test_a_failure_becomes_an_error_record_before_the_end(piped, capfd: pytest.CaptureFixture[str]):
    code = stage.run_stage("run", failing(InputError("CLI_USAGE", what="w", program="p")))
    records = piped()
    assert code == exits.UNREADABLE
    assert isinstance(records[-2], Error)
    assert isinstance(records[-1], End)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [(CutStream("end"), "STREAM_CUT"), (BadLine(3, b"x\x1b\n", "why"), "STREAM_LINE_INVALID")],
)
def test_broken_input_becomes_an_error_record(
    wrong: Exception, code: str, piped, capfd: pytest.CaptureFixture[str]
):
    assert stage.run_stage("run", failing(wrong)) == exits.UNREADABLE
    assert piped()[-2].code == code


def test_a_bug_leaves_the_stream_without_its_end(piped, capfd: pytest.CaptureFixture[str]):
    assert stage.run_stage("run", failing(RuntimeError("ours"))) == exits.BUG
    assert not [record for record in piped() if isinstance(record, End)]


def test_a_stage_within_a_pipe_does_not_speak(piped, capfd: pytest.CaptureFixture[str]):
    stage.run_stage("run", failing(InputError("CLI_USAGE", what="w", program="p")))
    piped()
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
