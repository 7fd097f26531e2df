"""Signals as readable descriptors; one keystroke is one signal."""

import os
import select
import signal

from mcpeak.link.interrupt import SIGNALS, TOGETHER, Interrupts


def readable(descriptor):
    return bool(select.select([descriptor], [], [], 0)[0])


class Clock:
    seconds = 0.0

    def __call__(self):
        return self.seconds


def test_the_first_signal_is_readable_for_ever_and_keeps_its_number():
    with Interrupts() as interrupts:
        os.kill(os.getpid(), signal.SIGTERM)
        assert readable(interrupts.soon)
        assert readable(interrupts.soon)
        assert not readable(interrupts.hard)
        assert (interrupts.signal, interrupts.exit_code) == (signal.SIGTERM, 143)


def test_signals_within_a_moment_are_one():
    clock = Clock()
    with Interrupts(clock) as interrupts:
        interrupts.came(signal.SIGINT)
        clock.seconds = TOGETHER
        interrupts.came(signal.SIGINT)
        assert not readable(interrupts.hard)


def test_a_second_signal_later_means_haste():
    clock = Clock()
    with Interrupts(clock) as interrupts:
        interrupts.came(signal.SIGINT)
        clock.seconds = TOGETHER + 0.1
        interrupts.came(signal.SIGTERM)
        assert readable(interrupts.hard)
        assert interrupts.signal == signal.SIGINT


def test_the_handlers_are_given_back():
    before = [signal.getsignal(number) for number in SIGNALS]
    with Interrupts():
        pass
    assert [signal.getsignal(number) for number in SIGNALS] == before


def test_a_signal_that_was_ignored_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interrupts():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_trouble_elsewhere_stops_the_loops_without_a_signal():
    with Interrupts() as interrupts:
        interrupts.stop()
        assert readable(interrupts.soon)
        assert interrupts.signal is None
