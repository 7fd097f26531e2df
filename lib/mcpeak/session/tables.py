"""The kernel's tables of TCP connections (proc_net_tcp), for a glance that costs next to nothing.

Rule of this file: an edge; it reads two files. They do not say whose a connection is: that is asked of the
processes, which takes long, and only while there is a connection to another machine that is not known yet.
"""

import os
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

TABLES = ("/proc/self/net/tcp", "/proc/self/net/tcp6")
_LOOKS = 2  # at the processes, for one connection: the first may come while it changes hands
_LOOPBACK = ("0000000000000000FFFF0000", "")  # an IPv4 address in an IPv6 one, or by itself
_SIX = "00000000000000000000000001000000"


class Glance:
    """Tells whether a look at the processes can find anything.

    Args:
        read: gives the tables' lines; None where there are no such tables.
    """

    def __init__(self, read: "Callable[[], list[str] | None] | None" = None) -> None:
        self._read = read or lines
        self._known: Counter[str] = Counter()
        for row in self._rows() or ():
            self._known[row] = _LOOKS  # older than the child

    def is_worth_it(self) -> bool:
        """Tell whether there is a connection to another machine that was not looked for yet."""
        rows = self._rows()
        if rows is None:
            return True
        fresh = [row for row in rows if self._known[row] < _LOOKS]
        self._known.update(fresh)
        return bool(fresh)

    def _rows(self) -> list[str] | None:
        found = self._read()
        return None if found is None else [row for row in map(_connection, found) if row]


def lines() -> list[str] | None:
    """Read the tables; None where there are none (other systems than Linux)."""
    found = []
    for table in TABLES:
        if os.path.exists(table):
            with open(table, encoding="ascii") as file:
                found += file.read().splitlines()[1:]
    return found or None


def _connection(line: str) -> str:
    """Give both ends and the inode of a connection to another machine; "" for any other line."""
    fields = line.split()
    address, _, port = fields[2].partition(":")
    if port == "0000" or address == _SIX or (address.endswith("7F") and address[:-8] in _LOOPBACK):
        return ""
    return " ".join((fields[1], fields[2], fields[9]))
