"""The loop over a child's pipes, against real pipes and a clock that tests move."""

import os
import select

import pytest

from mcpeak.link.child import Ended
from mcpeak.link.pipes import LINGER, Pipes, Quiet
from mcpeak.link.spawn import Started


class FakeChild:
    """A child that lives until it is told to end."""

    pid = 0
    alarm = None
    ended = None

    def poll(self):
        return self.ended


class Far:
    """The other ends of the pipes."""

    def __init__(self):
        self.stdin, self.in_ = os.pipe()
        self.out, self.stdout = os.pipe()
        self.err, self.stderr = os.pipe()
        for descriptor in (self.in_, self.out, self.err):
            os.set_blocking(descriptor, False)
        self.open = {self.stdin, self.stdout, self.stderr}

    def close(self, *descriptors):
        for descriptor in descriptors or list(self.open):
            os.close(descriptor)
            self.open.discard(descriptor)


@pytest.fixture
def far():
    far = Far()
    yield far
    far.close()


@pytest.fixture
def pipes(far):
    time = [0.0]

    def clock():
        time[0] += 0.05
        return time[0]

    pipes = Pipes(Started(0, far.in_, far.out, far.err), FakeChild(), None, None, clock)
    yield pipes
    pipes.close()


def test_lines_arrive_whole(pipes, far):
    os.write(far.stdout, b'{"a":1}\n{"b"')
    assert pipes.receive(10) == [b'{"a":1}']
    os.write(far.stdout, b":2}\n")
    assert pipes.receive(10) == [b'{"b":2}']


def test_silence_ends_at_the_deadline(pipes):
    assert pipes.receive(0.2) is Quiet.TIMEOUT


def test_what_is_there_at_the_deadline_is_still_read(pipes, far):
    os.write(far.stdout, b"late\n")
    assert pipes.receive(0) == [b"late"]


def test_the_end_of_stdout_is_told_after_its_last_line(pipes, far):
    os.write(far.stdout, b"last words")
    far.close(far.stdout)
    assert pipes.receive(10) == [b"last words"]
    assert pipes.receive(10) is Quiet.CLOSED


def test_a_message_larger_than_the_pipe_goes_out_while_we_wait(pipes, far):
    os.set_blocking(far.stdin, False)
    size = 1_000_000
    pipes.send(b"x" * size)
    read = 0
    while read < size:
        pipes.serve(0)
        try:
            read += len(os.read(far.stdin, 65536))
        except BlockingIOError:
            continue
    assert read == size


def test_stderr_is_read_while_we_wait(pipes, far):
    os.write(far.stderr, b"one\ntwo\n")
    assert pipes.receive(0.2) is Quiet.TIMEOUT
    assert pipes.tail.lines() == ["one", "two"]


def test_a_closed_stdin_means_that_no_answer_comes(pipes, far):
    far.close(far.stdin)
    pipes.send(b"hello\n")
    assert pipes.receive(10) is Quiet.CLOSED


def test_a_crash_with_an_open_stdout_is_given_a_moment(pipes):
    pipes.child.ended = Ended(1, None)
    assert pipes.receive(1000) is Quiet.CLOSED
    assert pipes._clock() < LINGER + 1


def test_a_good_end_with_an_open_stdout_is_a_launcher(pipes):
    pipes.child.ended = Ended(0, None)
    assert pipes.receive(0.5) is Quiet.TIMEOUT


def test_an_interrupt_ends_the_waiting(pipes):
    read, write = os.pipe()
    pipes.watch(read)
    os.write(write, b"!")
    assert pipes.receive(10) is Quiet.INTERRUPTED
    pipes.watch(None)
    os.close(read)
    os.close(write)


def test_closing_gives_every_descriptor_back(far):
    pipes = Pipes(Started(0, far.in_, far.out, far.err), FakeChild())
    pipes.close()
    for descriptor in (far.in_, far.out, far.err):
        with pytest.raises(OSError):
            os.fstat(descriptor)
    assert select.select([], [], [], 0) == ([], [], [])
