import socket

from mcpeak.session.tables import Glance, is_held, tables

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
REST = " 00000000:00000000 00:00000000 00000000     0        0 7 1 0000000000000000 20 4 30 10 -1\n"
LOOPBACK = ["0100007F:D431", "0" * 24 + "01000000:D431", "0" * 16 + "FFFF00000100007F:D431", "00000000:0000"]
OUTSIDE = ["0100000A:01BB", "B80D0120000000000000000001000000:01BB"]


def rows(*remotes, port="1F90", state="01"):
    lines = [f"   {n}: 0100007F:{port} {remote} {state}{REST}" for n, remote in enumerate(remotes)]
    return HEAD + "".join(lines)


def looks(*tables):
    """Give what a glance says of each table; the first is the one from before the child."""
    left = list(tables)
    glance = Glance(lambda: left.pop(0))
    return [glance.is_worth_it() for _ in range(len(left))]


def test_loopback_and_listeners_are_not_worth_a_look():
    assert looks(HEAD, rows(*LOOPBACK)) == [False]


def test_other_machines_are():
    assert [looks(HEAD, rows(remote)) for remote in OUTSIDE] == [[True]] * 2


def test_what_is_over_is_nobodys():
    assert looks(HEAD, rows(*OUTSIDE, state="06")) == [False]


def test_what_was_there_before_the_child_is_not():
    assert looks(rows(*OUTSIDE), rows(*OUTSIDE)) == [False]
    assert looks(rows(*OUTSIDE), rows(*OUTSIDE, port="1F91")) == [True]


def test_a_connection_is_looked_for_twice():
    assert looks(HEAD, *[rows(OUTSIDE[0])] * 4) == [True, True, False, False]


def test_where_there_are_no_tables_every_look_is_worth_it():
    assert looks(None, None, None) == [True, True]


def test_the_tables_of_this_machine_can_be_read():
    assert Glance(tables).is_worth_it() in (True, False)


def test_a_socket_that_was_shut_down_is_still_held_and_one_that_was_closed_is_not():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        near = socket.create_connection(listener.getsockname())
        with listener.accept()[0]:
            ports = near.getsockname()[1], near.getpeername()[1]
            assert is_held(*ports, tables())
            near.shutdown(socket.SHUT_WR)
            assert is_held(*ports, tables())
            near.close()
            assert not is_held(*ports, tables())
    assert not is_held(*ports, None)
