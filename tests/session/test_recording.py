"""What is recorded and replayed: bodies of every kind, errors, order, through the whole program."""

import json
import shutil

import pytest

from support.session_api import api
from support.sessions import record, replay
from support.twice import program, same, twice

KINDS = {
    "a slow sender": """
        for method in ('GET', 'POST', 'PUT', 'PATCH'):
            head = f'{method} /json HTTP/1.1\\r\\nHost: h\\r\\nConnection: close'
            tell(said(head + '\\r\\n\\r\\n', slowly=True))
    """,
    "a method in small letters": """
        tell(said('patch /json HTTP/1.1\\r\\nHost: h\\r\\nConnection: close\\r\\n\\r\\n').split()[1])
    """,
    "no Host, as HTTP/1.0 has none": "tell(said('GET /json HTTP/1.0\\r\\n\\r\\n'))",
    "a sender that has said its last word": """
        import socket
        with socket.create_connection((host.split(':')[0], int(host.split(':')[1])), 20) as line:
            line.sendall(b'GET /json HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n')
            line.shutdown(socket.SHUT_WR)
            tell(line.makefile('rb').read())
    """,
    "a look whether somebody is there": """
        import socket
        for _ in range(3):
            socket.create_connection((host.split(':')[0], int(host.split(':')[1]))).close()
        tell(ask('/json')[1])
    """,
    "an API that takes no connections for now": """
        import socket
        with socket.socket() as api, contextlib.ExitStack() as stack:
            api.bind(('127.0.0.2', int(host.split(':')[1])))
            api.listen(0)
            for _ in range(4):  # what the backlog has no place for waits for ever
                one = stack.enter_context(socket.socket(type=socket.SOCK_STREAM | socket.SOCK_NONBLOCK))
                super(socket.socket, one).connect_ex(api.getsockname())
            try:
                urllib.request.urlopen(base.replace('.0.1', '.0.2'), timeout=1)
            except OSError as wrong:
                tell(str(wrong))
        tell(ask('/json')[1])
    """,
    "JSON deeper than anybody nests": """
        for depth in (150, 900, 100_000):
            body = b'[' * depth + b']' * depth
            tell(ask('/mirror', body, Content_Type='application/json')[1] == body)
    """,
    "redirect": "tell(ask('/redirect')[:2])",
    "not found and problem+json": "tell(ask('/broken')[:2])",
    "204": "tell(ask('/empty', b'x')[:2])",
    "head": "tell(ask('/json', method='HEAD')[:2], ask('/json', method='HEAD')[2]['Content-Length'])",
    "put, patch and delete": """
        tell(*(ask('/mirror', b'x', method)[:2] for method in ('PUT', 'PATCH', 'DELETE')))
    """,
    "repeated headers": "answer = ask('/repeated'); tell(answer[1], answer[2].get_all('X-Many'))",
    "chunked": """
        answer = ask('/chunked')
        tell(answer[1], answer[2]['Transfer-Encoding'], answer[2]['Content-Length'])
    """,
    "binary both ways": """
        data = bytes(range(256)) * 100
        answer = ask('/mirror', data, Content_Type='application/octet-stream', X_Answer_Type='image/png')
        tell(answer[1] == data, answer[2]['X-Sum'])
    """,
    "form": "tell(ask('/json', b'a=1&b=2')[1])",
    "multipart": """
        body = b'--B\\r\\nContent-Disposition: form-data; name="f"\\r\\n\\r\\nabc\\r\\n--B--\\r\\n'
        tell(ask('/json', body, Content_Type='multipart/form-data; boundary=B')[1])
    """,
    "text without a type": "tell(ask('/json', b'plain', Content_Type='')[1])",
    "chunked request": """
        connection = http.client.HTTPConnection(host)
        connection.request('POST', '/mirror', iter([b'one', b'two']), encode_chunked=True)
        tell(connection.getresponse().read())
    """,
    "expect 100-continue": "tell(ask('/mirror', b'x' * 2000, Expect='100-continue')[1] == b'x' * 2000)",
    "same request again, in order": "tell(*(ask('/json')[1] for _ in range(5)))",
    "keep-alive": """
        connection = http.client.HTTPConnection(host)
        for n in range(3):
            connection.request('GET', f'/json?n={n}')
            tell(connection.getresponse().read())
    """,
    "closed without an answer": """
        try: ask('/close')
        except Exception as wrong: tell(type(wrong).__name__)
    """,
    "reset": """
        try: ask('/reset')
        except Exception as wrong: tell(type(wrong).__name__, getattr(wrong, 'errno', None))
    """,
    "an answer cut in the middle": """
        try: ask('/half')
        except Exception as wrong: tell(type(wrong).__name__, wrong.partial)
    """,
    "no answer in time": """
        connection = http.client.HTTPConnection(host, timeout=0.5)
        try:
            connection.request('GET', '/silent')
            connection.getresponse()
        except Exception as wrong: tell(type(wrong).__name__)
    """,
    "connection refused": """
        try: urllib.request.urlopen('http://127.0.0.1:9/', timeout=5)
        except Exception as wrong: tell(str(wrong))
    """,
    "refused once, then there": """
        for _ in range(2):
            try: urllib.request.urlopen('http://127.0.0.1:9/', timeout=5)
            except Exception as wrong: tell(str(wrong))
        tell(ask('/json')[1])
    """,
    "a name that does not exist": """
        try: urllib.request.urlopen('http://no-such-name.invalid/', timeout=20)
        except Exception as wrong: tell(type(wrong.reason).__name__)
    """,
    "server-sent events until it has enough": """
        got = []
        answer = urllib.request.urlopen(base + '/events', timeout=20)
        while len(got) < 3:
            line = answer.readline()
            if line.startswith(b'data:'): got.append(line)
        answer.close()
        tell(got)
    """,
    "many at once": """
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            tell(*pool.map(lambda n: ask(f'/mirror?n={n}', str(n).encode())[1], range(16)))
    """,
}


@pytest.mark.parametrize("kind", KINDS)
def test_it_replays_what_it_recorded(kind, tmp_path):
    same(KINDS[kind], tmp_path)


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd"])
def test_a_packed_answer_comes_back_packed_and_without_its_secret(coding, tmp_path):
    from mcpeak.session.coding import decode

    text = f"a = ask('/{coding}', Accept_Encoding='{coding}'); tell(a[2]['Content-Encoding'], a[1])"
    _, replayed, _, _ = twice(text, tmp_path)
    named, data = eval(replayed.out)
    assert (named, json.loads(decode(data, coding))["token"]) == (coding, "[REDACTED]")
    assert replayed.records == []


def test_events_are_kept_with_their_times(tmp_path):
    _, kept = same(KINDS["server-sent events until it has enough"], tmp_path)
    times = [chunk.at_ms for chunk in kept.exchanges[0].response.chunks]
    assert len(times) >= 3
    assert times == sorted(times)
    assert not kept.exchanges[0].response.complete


def test_in_real_time_it_still_answers(tmp_path):
    same("tell(ask('/chunked')[1])", tmp_path, replay_options=("--real-time",))


def test_the_api_is_not_asked_while_a_session_is_replayed(tmp_path):
    file = tmp_path / "x.session"
    text = program("tell(ask('/json')[1], ask('/other')[0])")
    with api() as live:
        record(file, *program("tell(ask('/json')[1])"), live.url)
        replayed = replay(file, *text, live.url)
        assert live.hits == ["GET /json"]
    assert eval(replayed.out)[1] == 599


def test_the_body_of_a_miss_says_what_it_is(tmp_path):
    _, replayed, live, _ = twice(
        "ask('/json')", tmp_path, again="ask('/json'); tell(ask('/other?token=abc')[1])"
    )
    (body,) = eval(replayed.out)
    told = json.loads(body)
    assert (told["error"], told["method"]) == ("REPLAY_MISS", "GET")
    assert told["url"] == f"{live.url}/other?token=[REDACTED]"


def test_a_miss_is_a_failure_with_the_nearest_call_and_what_differs(tmp_path):
    _, replayed, live, _ = twice("ask('/json?q=1')", tmp_path, again="ask('/json?q=1'); ask('/json?q=2')")
    (told,) = replayed.records
    assert (told["type"], told["severity"], told["code"]) == ("notice", "failure", "SESSION_MISS")
    assert told["message"] == f"GET {live.url}/json?q=2: not recorded, asked 1 time"
    assert f"nearest recorded call is GET {live.url}/json?q=1" in told["hint"]
    assert "query `q`: recorded `1`, asked `2`" in told["hint"]


def test_once_too_often_tells_both_counts(tmp_path):
    _, replayed, live, _ = twice("ask('/json')", tmp_path, again="ask('/json'); ask('/json')")
    assert replayed.records[0]["message"] == f"GET {live.url}/json: recorded 1 time, asked 2 times"


def test_new_calls_are_added_when_allowed(tmp_path):
    file = tmp_path / "x.session"
    text = program("tell(ask('/json')[1], ask('/other')[1])")
    with api() as live:
        record(file, *program("tell(ask('/json')[1])"), live.url)
        added = replay(file, *text, live.url, options=("--allow-new",))
        assert live.hits == ["GET /json", "GET /other"]
    assert (added.code, added.codes()) == (0, ["SESSION_ADDED"])
    replayed = replay(file, *text, live.url)
    assert (replayed.out, replayed.records) == (added.out, [])


@pytest.mark.parametrize(
    ("wish", "severity"), [(None, "warning"), ("warn", "warning"), ("fail", "failure"), ("ignore", "info")]
)
def test_what_was_not_asked_for_is_told(wish, severity, tmp_path):
    options = ("--unused", wish) if wish else ()
    _, replayed, live, _ = twice("ask('/a'); ask('/b')", tmp_path, again="ask('/a')", replay_options=options)
    (told,) = replayed.records
    assert (told["severity"], told["code"]) == (severity, "SESSION_UNUSED")
    assert told["message"] == f"1 of 2 recorded calls were not asked for: GET {live.url}/b"


def test_nothing_recorded_and_nothing_replayed_are_told(tmp_path):
    recorded, replayed, _, kept = twice("tell('quiet')", tmp_path)
    assert (recorded.codes(), replayed.codes(), kept.exchanges) == (
        ["SESSION_NOTHING_RECORDED"],
        ["SESSION_EMPTY"],
        (),
    )
    _, replayed, _, _ = twice("ask('/a')", tmp_path, options=("--force",), again="tell('quiet')")
    assert replayed.codes() == ["SESSION_NOTHING_REPLAYED"]


def test_a_rule_kept_in_the_file_holds_when_it_is_replayed(tmp_path):
    text = "tell(ask(f'/json?at={time.time_ns()}')[1][:5])"
    recorded, replayed, _, kept = twice(text, tmp_path, options=("--match", "ignore query at"))
    assert (replayed.out, replayed.records, kept.rules) == (recorded.out, [], ("ignore query at",))


def test_a_rule_may_be_given_when_it_is_replayed(tmp_path):
    file = tmp_path / "x.session"
    with api() as one:
        record(file, *program("tell(ask('/a')[0])"), one.url)
    with api() as other:
        assert (
            replay(
                file, *program("tell(ask('/a')[0])"), other.url, options=("--match", "ignore port")
            ).records
            == []
        )
        assert other.hits == []


def test_headers_and_bodies_are_passed_on_as_they_are(tmp_path):
    text = (
        "ask('/mirror', b'body', X_One='1', Authorization='Bearer keep-me-1234', Accept_Encoding='gzip, dcb')"
    )
    _, _, live, kept = twice(text, tmp_path)
    sent = live.headers[0]
    assert (live.bodies, sent["X-One"], sent["Authorization"]) == ([b"body"], "1", "Bearer keep-me-1234")
    assert sent["Accept-Encoding"] == "gzip"
    assert "Proxy-Authorization" not in sent
    assert kept.exchanges[0].request.header("authorization") == "[REDACTED]"


def test_what_speaks_no_http_passes_while_recording_and_fails_while_replaying(tmp_path):
    import socket
    import threading

    text = """
        import socket
        with socket.create_connection(host.split(':')) as line:
            line.sendall(b'\\x00\\x01hello')
            try: tell(line.recv(99))
            except ConnectionResetError: tell('reset')
    """
    server = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{server.getsockname()[1]}"

    def greet():
        connection, _ = server.accept()
        with connection:
            connection.sendall(connection.recv(99)[::-1])

    threading.Thread(target=greet, daemon=True).start()
    file = tmp_path / "x.session"
    recorded = record(file, *program(text), url)
    assert recorded.out == repr((b"\x00\x01hello"[::-1],)) + "\n"
    assert "SESSION_NOT_RECORDED" in recorded.codes()
    replayed = replay(file, *program(text), url)
    server.close()
    assert replayed.out == "('reset',)\n"
    assert {"SESSION_NOT_REPLAYED"} <= set(replayed.codes())


def test_a_server_that_speaks_first_is_heard(tmp_path):
    import socket
    import threading

    server = socket.create_server(("127.0.0.1", 0))

    def greet():
        connection, _ = server.accept()
        with connection:
            connection.sendall(b"220 ready\r\n")
            connection.recv(1)

    threading.Thread(target=greet, daemon=True).start()
    text = "import socket\nwith socket.create_connection(host.split(':')) as line: tell(line.recv(99))"
    recorded = record(tmp_path / "x.session", *program(text), f"http://127.0.0.1:{server.getsockname()[1]}")
    server.close()
    assert recorded.out == "(b'220 ready\\r\\n',)\n"


def test_a_passed_target_is_left_alone(tmp_path):
    file = tmp_path / "x.session"
    with api() as live:
        target = live.url.removeprefix("http://")
        words = (*program("tell(ask('/json')[0])"), live.url)
        assert record(file, *words, options=("--pass", target)).codes() == ["SESSION_NOTHING_RECORDED"]
        assert replay(file, *words, options=("--pass", "127.0.0.1")).out == "(200,)\n"
        assert len(live.hits) == 2


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_node_gets_the_errors_that_it_would_have_got(tmp_path):
    text = """
        const told = [];
        for (const path of ["/close", "/reset"]) {
          await fetch(process.argv[1] + path).catch((e) => told.push(e.cause.code));
        }
        await fetch(process.argv[2]).catch((e) => told.push(e.cause.code, e.cause.message));
        await fetch("http://no-such-name.invalid/").catch((e) => told.push(e.cause.code));
        console.log(JSON.stringify(told));
    """
    file = tmp_path / "x.session"
    with api() as closed:
        pass
    words = ("node", "--input-type=module", "-e", text)
    with api() as live:
        recorded = record(file, *words, live.url, closed.url)
    replayed = replay(file, *words, live.url, closed.url)
    refused = f"connect ECONNREFUSED 127.0.0.1:{closed.port}"
    told = ["UND_ERR_SOCKET", "ECONNRESET", "ECONNREFUSED", refused, "ENOTFOUND"]
    assert json.loads(recorded.out) == told
    assert (replayed.out, replayed.records) == (recorded.out, [])
