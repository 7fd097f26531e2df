import sys

import pytest

from mcpeak.session import store
from mcpeak.session.exchange import Chunk, Exchange, Recording, Request, Response
from mcpeak.session.played import play
from support.sessions import replay


class Reply:
    """Notes what it is told to do."""

    def __init__(self):
        self.done = []

    def __getattr__(self, name):
        return lambda *values: self.done.append((name, *values))


def played(response, error=None, **rest):
    reply = Reply()
    play(Exchange(Request("GET", "http://h/"), response, error), reply, **rest)
    return [step[0] for step in reply.done]


CHUNKS = (Chunk(100.0, b"a"), Chunk(250.0, b"b"))


def test_an_answer_is_played_chunk_by_chunk():
    assert played(Response(200, "OK", (), CHUNKS)) == ["begin", "data", "data", "end"]


def test_in_real_time_each_chunk_waits_for_its_time():
    now, waited = [0.0], []

    def pause(seconds):
        waited.append(round(seconds, 3))
        now[0] += seconds

    steps = played(Response(200, "OK", (), CHUNKS), pause=pause, clock=lambda: now[0])
    assert waited == [0.1, 0.0, 0.15]
    assert steps == ["begin", "flush", "data", "flush", "data", "end"]


def test_an_answer_that_broke_off_breaks_off_again():
    assert played(Response(200, "OK", (), CHUNKS, complete=False), "reset")[-1] == "reset"
    assert played(Response(200, "OK", (), CHUNKS, complete=False), "closed")[-1] == "cut"


def test_what_the_child_had_enough_of_waits_for_it_to_go():
    assert played(Response(200, "OK", (), CHUNKS, complete=False))[-1] == "hold"


def test_errors_without_an_answer_come_back():
    assert [played(None, error) for error in ("timeout", "reset", "closed")] == [["hold"], ["reset"], ["cut"]]


ASK = """
import http.client, sys
for n in range(2):
    client = http.client.HTTPConnection("api.example", timeout=20)
    client.request("GET", f"/{n}")
    try:
        answer = client.getresponse()
        print(answer.status, answer.read(), answer.getheader("Injected"))
    except (OSError, http.client.HTTPException):
        print("broken off")
"""
BENT = {
    "a header's name": {"headers": (("ключ", "v"),)},
    "a blank in it": {"headers": (("a b", "v"),)},
    "a header within a header": {"headers": (("a", "v\r\nInjected: 1"),)},
    "a header within the reason": {"reason": "OK\r\nInjected: 1"},
    "a length that is none": {"headers": (("Content-Length", "many"),)},
    "a length that is too small": {"headers": (("Content-Length", "1"),)},
    "a status that is none": {"status": 9},
}


@pytest.mark.parametrize("kind", BENT)
def test_an_answer_that_was_bent_by_hand_is_not_given_and_told(kind, tmp_path):
    right = {"status": 200, "reason": "OK", "headers": (), "chunks": (Chunk(0, b"yes"),)}
    kept = [
        Exchange(
            Request("GET", f"http://api.example/{n}", (), b"", "api.example:80"), Response(**right | bent)
        )
        for n, bent in enumerate(({}, BENT[kind]))
    ]
    store.save(str(tmp_path / "x.session"), Recording(tuple(kept)))
    ran = replay(tmp_path / "x.session", sys.executable, "-c", ASK, HOME=str(tmp_path))
    assert (ran.out, ran.err) == ("200 b'yes' None\nbroken off\n", "")
    assert [(one["code"], one["severity"]) for one in ran.records] == [("SESSION_NOT_REPLAYED", "failure")]
