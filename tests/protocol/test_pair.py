"""A client session and a pure server fed into each other: every kind of server's handshake, and calls."""

import json
from collections import deque

import pytest

from mcpeak.protocol.events import Answer, Ready, Refused, Send
from mcpeak.protocol.messages import ClientInfo
from mcpeak.protocol.revisions import LEGACY, wish
from mcpeak.protocol.session import Session
from support.protocol_server import PureServer

ME = ClientInfo("test", "0")


class Pair:
    """Carries lines to and fro until nobody has anything to say."""

    def __init__(self, server: PureServer, word: str = "auto", lost: tuple[str, ...] = ()) -> None:
        self.session = Session(wish(word), "stdio", ME)
        self.server = server
        self.lost = lost  # methods whose answers are held back
        self.held: list[bytes] = []
        self.events: list = []

    def open(self) -> "Pair":
        return self.carry(self.session.open())

    def carry(self, lines: list[bytes]) -> "Pair":
        queue = deque(lines)
        while queue:
            line = queue.popleft()
            answers = self.server.take(line)
            if json.loads(line).get("method") in self.lost:
                self.held += answers
                continue
            for answer in answers:
                queue += self.hear(answer)
        return self

    def hear(self, line: bytes) -> list[bytes]:
        events = self.session.received(line)
        self.events += [event for event in events if not isinstance(event, Send)]
        return [event.data for event in events if isinstance(event, Send)]

    def methods(self) -> list[str]:
        return [message.get("method", "") for message in self.server.heard]


@pytest.mark.parametrize("habit", ["ts1", "py1", "fast"])
def test_legacy_server_costs_one_round_trip_more(habit: str) -> None:
    pair = Pair(PureServer(habit)).open()
    assert pair.methods() == ["server/discover", "initialize", "notifications/initialized"]
    assert pair.session.era == "legacy"
    assert pair.session.server.protocol_version == "2025-11-25"
    assert isinstance(pair.events[-1], Ready)


@pytest.mark.parametrize("habit", ["py2", "ts2", "modern"])
def test_modern_server_needs_no_initialize(habit: str) -> None:
    pair = Pair(PureServer(habit)).open()
    assert pair.methods() == ["server/discover"]
    assert (pair.session.era, pair.session.server.name) == ("modern", "pure")


def test_initialize_never_overtakes_the_probe() -> None:
    """A pipelined initialize would make a TS 2 server legacy for good."""
    session = Session(wish(), "stdio", ME)
    assert [json.loads(line)["method"] for line in session.open()] == ["server/discover"]


def test_silent_server_gets_initialize_on_the_same_pipe() -> None:
    pair = Pair(PureServer("silent")).open()
    assert pair.session.probing
    pair.carry(pair.session.silence())
    assert pair.session.era == "legacy"
    assert not pair.session.probing


@pytest.mark.parametrize(("habit", "era"), [("py2", "modern"), ("ts2", "legacy"), ("ts1", "legacy")])
def test_slow_server_answers_both_and_its_own_choice_counts(habit: str, era: str) -> None:
    """The probe's answer comes after its time limit, right before that to initialize."""
    pair = Pair(PureServer(habit), lost=("server/discover",)).open()
    pair.lost = ()
    lines = pair.session.silence()
    for late in pair.held:
        assert pair.hear(late) == []
    pair.carry(lines)
    assert pair.session.era == era
    assert sum(isinstance(event, Ready) for event in pair.events) == 1


def test_server_that_lost_the_probe_and_is_modern_is_asked_again() -> None:
    server = PureServer("modern")
    session = Session(wish(), "stdio", ME)
    session.open()
    refusal = server.take(session.silence()[0])[0]
    (again,) = session.received(refusal)
    assert json.loads(again.data)["method"] == "server/discover"
    assert isinstance(session.received(server.take(again.data)[0])[-1], Ready)


def test_modern_server_may_refuse_initialize_with_any_error() -> None:
    """It answered the probe late, and knows no `initialize`."""
    pair = Pair(PureServer("modern"), lost=("server/discover",)).open()
    lines = pair.session.silence()
    assert pair.hear(pair.held[0]) == []
    number = json.loads(lines[0])["id"]
    pair.hear(b'{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"Method not found"}}' % number)
    assert pair.session.era == "modern"


def test_second_half_of_a_hedge_is_dropped_when_it_comes_late() -> None:
    pair = Pair(PureServer("ts1"), lost=("server/discover",)).open()
    pair.carry(pair.session.silence())
    assert pair.session.era == "legacy"
    assert pair.hear(pair.held[0]) == []
    assert pair.session.era == "legacy"


@pytest.mark.parametrize("version", LEGACY)
def test_every_older_revision_is_accepted(version: str) -> None:
    pair = Pair(PureServer("ts1", versions=(version,)), "legacy").open()
    assert pair.session.server.protocol_version == version


def test_unknown_version_names_both() -> None:
    pair = Pair(PureServer("ts1", versions=("2099-01-01",))).open()
    (refused,) = pair.events
    assert isinstance(refused, Refused)
    assert (refused.code, refused.values["answered"], refused.values["offered"]) == (
        "HANDSHAKE_FAILED",
        "2099-01-01",
        "2025-11-25",
    )


def test_pinned_revision_takes_no_other() -> None:
    pair = Pair(PureServer("ts1", versions=("2024-11-05",)), "2025-06-18").open()
    assert isinstance(pair.events[-1], Refused)


def test_pinned_revision_is_offered() -> None:
    pair = Pair(PureServer("py2"), "2025-03-26").open()
    assert pair.methods()[0] == "initialize"
    assert pair.session.server.protocol_version == "2025-03-26"


def test_modern_wish_does_not_fall_back() -> None:
    pair = Pair(PureServer("ts1"), "modern").open()
    assert pair.methods() == ["server/discover"]
    assert isinstance(pair.events[-1], Refused)


def test_legacy_wish_does_not_go_modern() -> None:
    pair = Pair(PureServer("modern"), "legacy").open()
    assert isinstance(pair.events[-1], Refused)


@pytest.mark.parametrize("habit", ["ts1", "py2"])
def test_call_reaches_the_server_as_written_and_comes_back(habit: str) -> None:
    pair = Pair(PureServer(habit)).open()
    arguments = b'{"b":  1.0,\n"a":[]}'
    number, line = pair.session.call("add", arguments)
    assert b'{"b":  1.0, "a":[]}' in line
    pair.carry([line])
    answer = pair.events[-1]
    assert isinstance(answer, Answer)
    assert (answer.id, answer.error, answer.problem) == (number, None, None)


def test_every_modern_request_carries_meta() -> None:
    pair = Pair(PureServer("py2")).open()
    pair.carry([pair.session.call("add", b"{}")[1], pair.session.request("tools/list")[1]])
    for message in pair.server.heard:
        meta = message["params"]["_meta"]
        assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
        assert meta["io.modelcontextprotocol/clientInfo"] == {"name": "test", "version": "0"}
        assert meta["io.modelcontextprotocol/clientCapabilities"] == {}
