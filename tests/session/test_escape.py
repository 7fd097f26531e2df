import threading

import pytest

from mcpeak.session.escape import Escape, Watch, is_outside


@pytest.mark.parametrize(
    ("address", "outside"),
    [
        ("127.0.0.1:80", False),
        ("[::1]:80", False),
        ("[::ffff:127.0.0.1]:80", False),
        ("192.0.2.1:443", True),
        ("[2001:db8::1]:443", True),
        ("10.0.0.1:5432", True),
    ],
)
def test_only_other_machines_are_outside(address, outside):
    assert is_outside(address) is outside


def watched(*found, passed=()):
    looked = threading.Event()

    def look():
        looked.set()
        return [Escape("node", address) for address in found]

    watch = Watch(look, passed, pause=0.001)
    assert looked.wait(10)
    return [escape.address for escape in watch.close()]


def test_what_goes_outside_is_told_once_and_sorted():
    assert watched("192.0.2.2:1", "192.0.2.1:1", "192.0.2.2:1", "127.0.0.1:1") == [
        "192.0.2.1:1",
        "192.0.2.2:1",
    ]


def test_what_the_user_allowed_is_not():
    assert watched("192.0.2.1:443", "192.0.2.2:5432", passed=["192.0.2.1", "192.0.2.2:5432"]) == []
