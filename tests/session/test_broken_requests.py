"""Requests that cannot be recorded: no valid HTTP goes nowhere, other protocols pass; the run is told."""

import pytest

from support.twice import twice


@pytest.mark.parametrize("field", ["Host: other", "X Y: 1"])
def test_a_request_with_mistakes_is_told_live_and_replayed(field, tmp_path):
    text = f"tell(said('GET /json HTTP/1.1\\r\\nHost: h\\r\\n{field}\\r\\n\\r\\n'))"
    recorded, replayed, live, _ = twice(text, tmp_path)
    assert (recorded.out, replayed.out, live.hits) == ("(b'',)\n", "(b'',)\n", [])
    (one,) = [told for told in recorded.records if told["code"] != "SESSION_NOTHING_RECORDED"]
    assert (one["severity"], one["code"]) == ("warning", "SESSION_NOT_RECORDED")
    assert "no valid HTTP" in one["message"]
    assert (replayed.records[0]["severity"], replayed.codes()[0]) == ("failure", "SESSION_NOT_REPLAYED")


def test_a_child_that_leaves_in_the_middle_of_a_request_made_no_mistake(tmp_path):
    text = """
        import socket
        with socket.create_connection((host.split(":")[0], int(host.split(":")[1])), 20) as line:
            line.sendall(b"POST /json HTTP/1.1\\r\\nHost: h\\r\\nContent-Length: 9\\r\\n\\r\\nabc")
        tell(ask('/json')[1])
    """
    recorded, replayed, _, _ = twice(text, tmp_path)
    assert (recorded.records, replayed.records, replayed.out) == ([], [], recorded.out)


def test_a_websocket_passes_while_recording(tmp_path):
    text = """
        client = http.client.HTTPConnection(host, timeout=20)
        client.request('GET', '/json', headers={'Connection': 'Upgrade', 'Upgrade': 'websocket'})
        try:
            tell(client.getresponse().status)
        except http.client.RemoteDisconnected:
            tell('ended')
    """
    recorded, replayed, live, _ = twice(text, tmp_path)
    assert (recorded.err, replayed.err) == ("", "")
    assert (recorded.out, live.hits) == ("(200,)\n", ["GET /json"])
    assert "SESSION_NOT_RECORDED" in recorded.codes()
    assert (replayed.out, replayed.codes()[0]) == ("('ended',)\n", "SESSION_NOT_REPLAYED")
