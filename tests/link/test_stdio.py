"""Time limits of a server that never stops talking: its lines come by hand, and the clock with them."""

import json
from types import SimpleNamespace

import pytest

from mcpeak.link.client import Closed, ConnectFailed, Halt, Manner
from mcpeak.link.framing import Lines
from mcpeak.link.stdio import StdioClient
from mcpeak.protocol.revisions import wish

STEP = 0.25  # seconds that pass with every line
NOISE = [b"a line of a log", b'{"jsonrpc":"2.0","method":"notifications/message","params":{}}']


class Babble:
    """Pipes that always hold one more line that answers nothing."""

    def __init__(self, noise, first=()):
        self.time = 0.0
        self.sent = []
        self.lines = Lines()
        self.child = SimpleNamespace(ended=None)
        self._noise = noise
        self._first = list(first)

    def clock(self):
        return self.time

    def send(self, data):
        self.sent.append(json.loads(data))

    def receive(self, _deadline):
        self.time += STEP
        assert self.time < 1000, "it waits for ever"
        return [self._first.pop(0) if self._first else self._noise]


class Client(StdioClient):
    def close(self):
        return Closed()


def client(pipes, protocol):
    return Client(pipes, Manner(wish(protocol)), lambda _: None, clock=pipes.clock)


@pytest.mark.parametrize("noise", NOISE, ids=["noise", "notifications"])
def test_a_handshake_has_its_time_limit_whatever_else_is_said(noise):
    pipes = Babble(noise)
    with pytest.raises(ConnectFailed) as failed:
        client(pipes, "legacy").open(3)
    assert (failed.value.detail, pipes.time) == ("HANDSHAKE_TIMEOUT", 3)


def test_a_babbling_server_that_does_not_know_the_probe_is_asked_the_old_way():
    pipes = Babble(NOISE[0])
    with pytest.raises(ConnectFailed):
        client(pipes, "auto").open(30)
    assert [message["method"] for message in pipes.sent] == ["server/discover", "initialize"]


@pytest.mark.parametrize("noise", NOISE, ids=["noise", "notifications"])
def test_a_call_has_its_time_limit_whatever_else_is_said(noise):
    result = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "serverInfo": {"name": "s", "version": "1"},
    }
    pipes = Babble(noise, [json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode()])
    talking = client(pipes, "legacy")
    talking.open(3)
    number = talking.call("t", b"{}")
    began = pipes.time
    assert (talking.wait(number, 2), pipes.time - began) == (Halt.TIMED_OUT, 2)
    assert pipes.sent[-1]["method"] == "notifications/cancelled"
