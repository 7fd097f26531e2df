"""What is plain is read and written as h11 would have done it; everything else is left to h11."""

import h11
import pytest

from mcpeak.session.exchange import Chunk, Exchange, Request, Response
from mcpeak.session.plain import read, write

GET = b"GET /a?b=c HTTP/1.1\r\nHost: api.example\r\nX-One:  two \r\n\r\n"
POST = b"POST /a HTTP/1.1\r\nHost: h:81\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhel"


def answered(*headers, chunks=(b"yes",), status=200, **rest):
    response = Response(status, "OK", headers, tuple(Chunk(0, data) for data in chunks), **rest)
    return Exchange(Request("GET", "http://h/"), response)


def test_a_plain_request_is_read():
    asked = read(GET, "api.example:80")
    headers = (("Host", "api.example"), ("X-One", "two"))
    assert asked == (Request("GET", "http://api.example/a?b=c", headers, b"", "api.example:80"), 0, False)


def test_the_rest_of_a_body_is_counted():
    asked = read(POST, "h:81")
    assert (asked.missing, asked.closes, asked.request.body) == (2, True, b"hel")
    assert read(POST + b"lo", "h:81").missing == 0


@pytest.mark.parametrize(
    "data",
    [
        b"",
        GET[:-2],
        GET + b"GET / HTTP/1.1\r\n",
        POST + b"lo, more",
        GET.replace(b"GET", b"HEAD"),
        GET.replace(b"GET", b"get"),
        GET.replace(b"HTTP/1.1", b"HTTP/1.0"),
        GET.replace(b"/a", b"http://h/a"),
        GET.replace(b"X-One", b"Transfer-Encoding"),
        GET.replace(b"X-One", b"Upgrade"),
        GET.replace(b"X-One", b"Expect"),
        GET.replace(b"X-One", b"Host"),
        GET.replace(b"X-One", b"Connection"),
        GET.replace(b"X-One", b"Content-Length"),
        GET.replace(b"X-One", b"X One"),
        GET.replace(b"Host", b"Hose"),
        GET.replace(b"two", b"tw\xc3\xb6"),
        GET.replace(b" two", b"\r\n two"),
        GET.replace(b"\r\n", b"\n"),
        POST.replace(b"5", b"+5"),
    ],
)
def test_whatever_is_unusual_is_not_plain(data):
    assert read(data, "api.example:80") is None


@pytest.mark.parametrize("closes", [True, False])
@pytest.mark.parametrize(
    "exchange",
    [
        answered(("Content-Length", "3"), ("X-\xe9".replace("\xe9", "e"), "caf\xe9")),
        answered(("Set-Cookie", "a"), ("Set-Cookie", "b"), chunks=(b"ye", b"", b"s")),
        answered(("Content-Length", "0"), chunks=(), status=404),
        answered(("Connection", "close, X-Hop"), ("X-Hop", "1"), ("Transfer-Encoding", "chunked")),
    ],
)
def test_an_answer_says_what_h11_reads_in_it(exchange, closes):
    machine = h11.Connection(h11.CLIENT)
    machine.send(h11.Request(method="GET", target="/", headers=[("Host", "h")]))
    machine.send(h11.EndOfMessage())
    machine.receive_data(write(exchange, closes=closes))
    head, body = machine.next_event(), b""
    while isinstance(event := machine.next_event(), h11.Data):
        body += event.data
    machine_closes = machine.our_state is h11.MUST_CLOSE
    assert (head.status_code, body, machine_closes) == (
        exchange.response.status,
        exchange.response.body,
        closes,
    )


@pytest.mark.parametrize(
    "exchange",
    [
        Exchange(Request("GET", "http://h/"), None, "reset"),
        answered(complete=False),
        answered(trailers=(("a", "b"),)),
        answered(status=204),
        answered(status=304),
        answered(status=101),
        answered(("Content-Length", "4")),
        answered(("Content-Length", "3"), ("Content-Length", "3")),
        answered(("X", "a\r\nInjected: b")),
        answered(("X y", "a")),
        answered(chunks=(b"x" * 70_000,)),
    ],
)
def test_an_answer_that_is_not_plain_is_not_written(exchange):
    assert write(exchange, closes=False) is None
