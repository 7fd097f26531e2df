import signal

import pytest

from mcpeak.front.codes import wired
from mcpeak.front.fork import Ended
from mcpeak.front.verdict import killed, verdict


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        ([0, 0, 0], 0),
        ([1, 0, 0], 1),
        ([0, 4, 1], 1),
        ([0, 70, 0], 1),
        ([0, -9, 0], 1),
        ([0, 141, 0], 1),
        ([0, 141, 141], 141),
        ([0, 130, 1], 130),
        ([0, 143, 1], 143),
    ],
)
def test_anything_but_good_everywhere_is_red(codes, code):
    assert verdict(Ended(codes, None)) == code


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 1)]
)
def test_a_signal_to_us_decides(number, code):
    assert verdict(Ended([0, 0, 0], number)) == code


def test_only_a_kill_that_we_did_not_pass_on_is_told():
    assert killed(Ended([0, -9, 1], None)) == [(1, 9)]
    assert killed(Ended([-15, 143, 1], signal.SIGTERM)) == []


@pytest.mark.parametrize(("code", "ours"), [(0, 0), (2, 1), (70, 1), (130, 130), (141, 141), (143, 143)])
def test_a_wired_command_ends_with_few_codes(code, ours):
    assert wired(code) == ours


def test_a_forgiven_stage_may_say_no_and_nothing_worse():
    assert verdict(Ended([0, 1, 0], None), [False, True, False]) == 0
    assert verdict(Ended([0, 4, 0], None), [False, True, False]) == 1
    assert verdict(Ended([1, 1, 0], None), [False, True, False]) == 1
