import os
import pty

import pytest

from mcpeak.command.failure import Failure
from mcpeak.front.arguments import Given
from mcpeak.front.table import load
from mcpeak.front.terminal import check_terminal

GENERATE = load().commands["generate"]


def asked(*names):
    check_terminal(Given([(name, None) for name in names], [], ["x"]), GENERATE)


@pytest.fixture
def no_terminal(monkeypatch):
    monkeypatch.setattr(os, "isatty", lambda _: False)


def test_a_command_that_asks_needs_a_terminal(no_terminal):
    with pytest.raises(Failure) as refused:
        asked()
    assert refused.value.code == "GENERATE_INTERACTIVE_REQUIRED"
    assert "--baseline-only" in refused.value.words.hint
    assert "--yes" in refused.value.words.hint


@pytest.mark.parametrize("name", ["--baseline-only", "--yes"])
def test_with_these_options_nobody_is_asked(no_terminal, name):
    asked(name)


def test_a_command_that_never_asks_needs_none(no_terminal):
    check_terminal(Given([], [], ["x"]), load().commands["test"])


def test_a_terminal_that_cannot_be_opened_is_none(monkeypatch):
    def refuse(*_):
        raise OSError(6, "no such device")

    monkeypatch.setattr(os, "isatty", lambda _: True)
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(Failure):
        asked()


def test_a_person_at_a_terminal_is_asked():
    pid, master = pty.fork()
    if pid == 0:
        try:
            asked()
            os._exit(7)
        finally:
            os._exit(1)
    _, status = os.waitpid(pid, 0)
    os.close(master)
    assert os.waitstatus_to_exitcode(status) == 7
