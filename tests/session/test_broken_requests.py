"""A request that is no valid HTTP goes nowhere, and the run is told: the server saw a connection end."""

import pytest

from support.twice import twice


@pytest.mark.parametrize("field", ["Host: other", "X Y: 1"])
def test_a_request_with_mistakes_is_told_live_and_replayed(field, tmp_path):
    text = f"tell(said('GET /json HTTP/1.1\\r\\nHost: h\\r\\n{field}\\r\\n\\r\\n'))"
    recorded, replayed, live, _ = twice(text, tmp_path)
    assert (recorded.out, replayed.out, live.hits) == ("(b'',)\n", "(b'',)\n", [])
    (one,) = recorded.records
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
