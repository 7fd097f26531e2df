from mcpeak.session.exchange import Chunk, Exchange, Request, Response
from mcpeak.session.played import play


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
