from mcpeak.session.tables import Glance, lines

HEAD = "   0: 0100007F:1F90 "
REST = " 01 00000000:00000000 00:00000000 00000000     0        0 {} 1 0000000000000000 20 4 30 10 -1"
LOOPBACK = ["0100007F:D431", "0" * 24 + "01000000:D431", "0" * 16 + "FFFF00000100007F:D431", "00000000:0000"]
OUTSIDE = ["0100000A:01BB", "B80D0120000000000000000001000000:01BB"]


def rows(*remotes, inode=7):
    return [HEAD + remote + REST.format(inode) for remote in remotes]


def looks(*tables):
    """Give what a glance says of each table; the first is the one from before the child."""
    left = list(tables)
    glance = Glance(lambda: left.pop(0))
    return [glance.is_worth_it() for _ in range(len(left))]


def test_loopback_and_listeners_are_not_worth_a_look():
    assert looks([], rows(*LOOPBACK)) == [False]


def test_other_machines_are():
    assert [looks([], rows(remote)) for remote in OUTSIDE] == [[True]] * 2


def test_what_was_there_before_the_child_is_not():
    assert looks(rows(*OUTSIDE), rows(*OUTSIDE)) == [False]
    assert looks(rows(*OUTSIDE), rows(*OUTSIDE, inode=8)) == [True]


def test_a_connection_is_looked_for_twice():
    assert looks([], *[rows(OUTSIDE[0])] * 4) == [True, True, False, False]


def test_where_there_are_no_tables_every_look_is_worth_it():
    assert looks(None, None, None) == [True, True]


def test_the_tables_of_this_machine_can_be_read():
    assert Glance(lines).is_worth_it() in (True, False)
