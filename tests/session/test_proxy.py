import base64
import socket
from contextlib import contextmanager

import pytest

from mcpeak.session.authority import Authority
from mcpeak.session.doors import Doors
from mcpeak.session.exchange import Chunk, Exchange, Request, Response
from mcpeak.session.ledger import Ledger
from mcpeak.session.played import PlayedDesk
from mcpeak.session.proxy import Proxy
from mcpeak.session.redact import Redactor

KEPT = [
    Exchange(
        Request("GET", "http://api.example/a", target="api.example:80"),
        Response(200, "OK", (), (Chunk(0, b"yes"),)),
    )
]
RIGHT = b"Proxy-Authorization: Basic " + base64.b64encode(b"mcpeak:token") + b"\r\n"
WRONG = b"Proxy-Authorization: Basic " + base64.b64encode(b"mcpeak:guess") + b"\r\n"


@contextmanager
def proxy():
    doors = Doors()
    served = Proxy(doors, PlayedDesk(Ledger(KEPT), Redactor()), Authority({}), "token")
    try:
        yield doors.ports
    finally:
        served.close()


def say(port, text, more=b""):
    """Send bytes; give all that comes back."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
        line.sendall(text)
        heard = b""
        if more:
            heard = line.recv(1000)
            line.sendall(more)
        while piece := line.recv(1000):
            heard += piece
        return heard


ABSOLUTE = b"GET http://api.example/a HTTP/1.1\r\nHost: api.example\r\nConnection: close\r\n"


def test_who_knows_the_token_is_answered():
    with proxy() as (port, _):
        assert say(port, ABSOLUTE + RIGHT + b"\r\n").endswith(b"yes\r\n0\r\n\r\n")


@pytest.mark.parametrize("password", [b"", WRONG])
def test_who_does_not_is_asked_for_it(password):
    with proxy() as (port, _):
        assert say(port, ABSOLUTE + password + b"\r\n").startswith(b"HTTP/1.1 407 ")
        assert say(port, b"CONNECT api.example:80 HTTP/1.1\r\n" + password + b"\r\n").startswith(
            b"HTTP/1.1 407 "
        )


def test_a_tunnel_is_served():
    inner = b"GET /a HTTP/1.1\r\nHost: api.example\r\nConnection: close\r\n\r\n"
    with proxy() as (port, _):
        heard = say(port, b"CONNECT api.example:80 HTTP/1.1\r\n" + RIGHT + b"\r\n", inner)
    assert heard.startswith(b"HTTP/1.1 200 Connected\r\n\r\nHTTP/1.1 200 OK")


def test_a_hook_announces_what_arrives_at_the_door():
    with (
        proxy() as (port, door),
        socket.create_connection(("127.0.0.1", door), timeout=20) as line,
        socket.create_connection(("127.0.0.1", port), timeout=20) as told,
    ):
        told.sendall(b"MCPEAK token\n%d api.example 80\n" % line.getsockname()[1])
        line.sendall(b"GET /a HTTP/1.1\r\nHost: api.example\r\nConnection: close\r\n\r\n")
        heard = b""
        while piece := line.recv(1000):
            heard += piece
    assert heard.endswith(b"yes\r\n0\r\n\r\n")


def test_a_hook_with_the_wrong_token_is_not_heard():
    with proxy() as (port, _):
        assert say(port, b"MCPEAK guess\n1 api.example 80\n") == b""


@pytest.mark.parametrize(
    "text", [b"\0\1\2\r\n\r\n", b"CONNECT\r\n\r\n", b"CONNECT x HTTP/1.1\r\n\r\n", b"GET / HTTP/9\r\n\r\n"]
)
def test_garbage_ends_only_its_own_connection(text):
    with proxy() as (port, _):
        say(port, text)
        assert say(port, ABSOLUTE + RIGHT + b"\r\n").endswith(b"yes\r\n0\r\n\r\n")
