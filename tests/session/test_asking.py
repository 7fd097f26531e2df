"""Clients of http.client ask on a line that stays; whatever cannot be answered there goes the long way."""

import textwrap

import pytest
import trustme

from mcpeak.session.exchange import Chunk, Exchange, Request, Response
from mcpeak.session.frames import answer, cut
from mcpeak.session.ledger import Ledger
from mcpeak.session.played import PlayedDesk
from mcpeak.session.redact import Redactor
from support.session_api import api, write_ca
from support.sessions import record, replay
from support.twice import program, same, twice

KINDS = {
    "many": "for n in range(30): tell(ask(f'/json?n={n % 7}')[:2])",
    "bodies": "for n in range(4): tell(ask('/mirror', b'x' * n)[:2], ask('/json', b'{\"a\": 1}', 'PUT')[:2])",
    "the long way between": """
        for path, method in (('/json', 'GET'), ('/json', 'HEAD'), ('/empty', 'GET'), ('/chunked', 'GET')) * 2:
            tell(ask(path, method=method)[:2])
    """,
    "large answers": "tell(ask('/json')[0]); tell(len(ask('/mirror', b'y' * 300_000)[1]), ask('/json')[0])",
    "large requests": "tell(ask('/json')[0]); tell(ask('/json', b'z' * 3_000_000)[1])",
    "errors": "tell(*[ask(path)[:2] for path in ('/json', '/broken', '/redirect', '/chunked', '/repeated')])",
    "breaking off": """
        for path in ('/json', '/close', '/reset', '/half', '/json'):
            try:
                tell(ask(path)[:2])
            except (OSError, http.client.HTTPException) as wrong:
                tell(type(wrong).__name__)
    """,
    "one connection": """
        ask('/json')
        client = http.client.HTTPConnection(host, timeout=20)
        for path, body in (('/json', None), ('/mirror', b'abc'), ('/json', iter([b'a'])), ('/json', None)):
            client.request('GET', path, body)
            answer = client.getresponse()
            tell(answer.status, answer.read(), answer.getheaders()[2:])
    """,
    "a look at the socket": """
        ask('/json')
        client = http.client.HTTPConnection(host)
        client.connect()
        tell(client.sock.getpeername()[0], client.sock.fileno() > 2)
        client.request('GET', '/json')
        tell(client.getresponse().read())
    """,
    "a look at the answer's descriptor": """
        for _ in range(3):
            client = http.client.HTTPConnection(host)
            client.request('GET', '/json')
            answer = client.getresponse()
            tell(answer.fileno() > 2, answer.read())
    """,
    "nobody wants the answer": """
        ask('/json')
        client = http.client.HTTPConnection(host)
        client.request('GET', '/json?unheard')
        client.close()
        tell(ask('/json')[0])
    """,
    "somebody else's sockets": """
        from unittest import mock
        ask('/json')
        for name in ('socket.create_connection', 'socket.socket'):
            with mock.patch(name, side_effect=OSError('none here')):
                try:
                    tell(ask('/json')[0])
                except OSError as wrong:
                    tell(str(wrong))
        client = http.client.HTTPConnection(host)
        client._create_connection = mock.Mock(side_effect=OSError('nor here'))
        try:
            client.request('GET', '/json')
        except OSError as wrong:
            tell(str(wrong))
    """,
    "all descriptors closed": """
        tell(ask('/json')[1], ask('/json')[1])
        os.closerange(3, 100)
        tell(ask('/json')[1], ask('/json')[1])
    """,
    "two processes": """
        ask('/json'), ask('/json')
        if os.fork() == 0:
            told = [ask('/json?child')[1], ask('/json?child')[1]]
            os.write(1, repr(told).encode() + b'\\n')
            os._exit(0)
        os.wait()
        tell(ask('/json?parent')[1])
    """,
    "threads": """
        ask('/json')
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda n: json.loads(ask(f'/json?n={n}')[1])['path'], range(60)))
        tell(answers)
    """,
}


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_can_tell_the_difference(kind, tmp_path):
    same(KINDS[kind], tmp_path)


def test_a_call_that_was_not_recorded_is_a_miss_there_too(tmp_path):
    again = "print(ask('/json'), ask('/x')[0])"
    _, replayed, _, _ = twice("ask('/json'), ask('/json')", tmp_path, again=again)
    assert "599" in replayed.out
    assert replayed.codes() == ["SESSION_MISS", "SESSION_UNUSED"]


def test_the_line_is_taken_from_the_second_call_on(tmp_path):
    text = """
        def kind():
            client = http.client.HTTPConnection(host)
            client.request('GET', '/json')
            client.getresponse().read()
            return type(client.sock).__name__
        print(kind(), kind(), kind(), file=sys.stderr)
    """
    recorded, replayed, _, _ = twice(text, tmp_path)
    assert (recorded.err, replayed.err) == ("socket socket socket\n", "socket _Asked _Asked\n")


def test_https_costs_no_handshake_there(tmp_path):
    authority = trustme.CA()
    text = textwrap.dedent("""
        import urllib.request
        def ask():
            client = http.client.HTTPSConnection(host)
            client.request('GET', '/json')
            return client.getresponse().read(), type(client.sock).__name__
        print([ask() for _ in range(3)])
    """)
    file = tmp_path / "x.session"
    with api(authority, host="localhost") as live:
        options = ("--ca", str(write_ca(authority, tmp_path)))
        recorded = record(file, *program(text), live.url, options=options, HOME=str(tmp_path))
    replayed = replay(file, *program(text), live.url, HOME=str(tmp_path))
    expected = recorded.out.replace("SSLSocket", "_Asked").replace("_Asked", "SSLSocket", 1)
    assert (replayed.out, replayed.records) == (expected, [])


@pytest.mark.parametrize("option", ["--real-time", "--allow-new"])
def test_what_may_take_its_time_takes_the_long_way(option, tmp_path):
    text = """
        ask('/json')
        client = http.client.HTTPConnection(host)
        client.request('GET', '/json')
        client.getresponse().read()
        print(type(client.sock).__name__, file=sys.stderr)
    """
    _, replayed, _, _ = twice(text, tmp_path, replay_options=(option,))
    assert (replayed.code, replayed.err) == (0, "socket\n")


# --- the frames themselves ---

KEPT = [Exchange(Request("GET", "http://h/a", target="h:80"), Response(200, "OK", (), (Chunk(0, b"yes"),)))]
ASKED = b"GET /a HTTP/1.1\r\nHost: h\r\n\r\n"


def framed(data, host="h", port=80, scheme="http"):
    return b"%d %s %d %s\n%s" % (len(data), host.encode(), port, scheme.encode(), data)


def test_frames_are_cut_wherever_they_were_torn():
    heard, found = bytearray(), []
    for byte in framed(ASKED) + framed(b""):
        heard.append(byte)
        found += cut(heard)
    assert [frame.data for frame in found] == [ASKED, b""]
    assert not heard


@pytest.mark.parametrize("noise", [b"x\n", b"1 h\n", b"-1 h 80 http\n", b"1 h x http\n1"])
def test_noise_is_no_frame(noise):
    with pytest.raises(ValueError):
        cut(bytearray(noise))


def answers(*frames, kept=KEPT):
    desk = PlayedDesk(Ledger(kept), Redactor())
    return [answer(cut(bytearray(frame))[0], desk) for frame in frames]


def test_a_plain_answer_is_given_once():
    first, second = answers(framed(ASKED), framed(ASKED))
    assert first.endswith(b"yes\r\n0\r\n\r\n")
    assert second == b"0\n"


def test_another_scheme_or_port_is_another_request():
    assert answers(framed(ASKED, scheme="https"), framed(ASKED, port=81)) == [b"0\n"] * 2


def test_a_target_that_may_fail_takes_the_long_way():
    failed = Exchange(Request("CONNECT", "h:80", target="h:80"), None, "refused")
    assert answers(framed(ASKED), kept=[*KEPT, failed]) == [b"0\n"]
