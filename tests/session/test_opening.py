"""What a connection begins with is told by its first bytes, however slowly they come."""

import pytest

from mcpeak.session.opening import kind_of

KINDS = {
    "tls": [b"\x16\x03\x01", b"\x16"],
    "http2": [b"PRI * HTTP/2.0\r\n\r\nSM"],
    "http": [b"POST /a HTTP/1.1\r\nHost: h", b"patch /a HTTP/1.0\n", b"M-SEARCH * HTTP/1.1\r\n"],
    "other": [b"", b"\0", b"*1\r\n", b"PING\r\n", b"get key\r\n", b"x" * 33, b"\x80", b"GET /\r\n"],
}


@pytest.mark.parametrize(("kind", "first"), [(kind, first) for kind, all_ in KINDS.items() for first in all_])
def test_the_kind_is_told(kind, first):
    assert kind_of(first) == kind


@pytest.mark.parametrize("whole", [b"POST /a HTTP/1.1\r\n", b"PRI * HTTP/2.0\r\n", b"get /a HTTP/1.1\n"])
def test_a_slow_sender_is_waited_for(whole):
    told = [kind_of(whole[:size]) for size in range(1, len(whole) + 1)]
    assert told[:-2].count(None) >= len(whole) - 5
    assert told[-1] in ("http", "http2")
    assert "other" not in told


def test_a_request_line_without_end_is_http_at_last():
    assert kind_of(b"GET /" + b"a" * (1 << 15)) == "http"
