"""Answers find their requests whatever the order, and whatever else stands between them."""

from hypothesis import given
from hypothesis import strategies as st

from mcpeak.protocol.events import Answer
from mcpeak.protocol.messages import ClientInfo
from mcpeak.protocol.revisions import wish
from mcpeak.protocol.session import Session
from support.protocol_server import PureServer

OTHER = [
    b"",
    b"debug: hello",
    b'{"level":"info"}',
    b"\xff\xfe",
    b'{"jsonrpc":"2.0","method":"notifications/message","params":{}}',
    b'{"jsonrpc":"2.0","id":"x","method":"ping"}',
    b'{"jsonrpc":"2.0","id":99999,"result":{}}',
    b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}',
    b'{"id":1,"result":NaN',
]


@given(st.permutations(range(6)), st.lists(st.sampled_from(OTHER), max_size=12), st.randoms())
def test_each_request_gets_its_own_answer_once(order: list[int], noise: list[bytes], chance: object) -> None:
    server, session = PureServer("ts1"), Session(wish("legacy"), "stdio", ClientInfo("t", "0"))
    session.received(server.take(session.open()[0])[0])
    asked = [session.call("add", b'{"n":%d}' % number) for number in range(6)]
    lines = [server.take(asked[place][1])[0] for place in order] + noise
    chance.shuffle(lines)  # type: ignore[attr-defined] # a Random of hypothesis
    answers = [event for line in lines for event in session.received(line) if isinstance(event, Answer)]
    assert sorted(answer.id for answer in answers) == [number for number, _ in asked]
    for answer in answers:
        place = [number for number, _ in asked].index(answer.id)
        assert b'{\\"n\\": %d}' % place in bytes(answer.result or b"")
