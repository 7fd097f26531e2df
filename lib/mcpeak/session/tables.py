"""The kernel's tables of TCP connections (proc_net_tcp), for a glance that costs next to nothing.

Rule of this file: an edge; it reads two files. They do not say whose a connection is: that is asked of the
processes, which takes long, and only while there is a connection to another machine that is not known yet.
"""

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_TABLES = ("/proc/self/net/tcp", "/proc/self/net/tcp6")
_LOOKS = 2  # at the processes, for one connection: the first may come while it changes hands
_LOOPBACK = r"(?:0{16}FFFF0000)?[0-9A-F]{6}7F:|0{24}01000000:"
_OPEN = r"(?!06|0A)"  # neither over (TIME_WAIT: nobody's any more) nor listening
_OUTSIDE = re.compile(
    rf"^ *\d+: ([0-9A-F]+:[0-9A-F]{{4}} (?!{_LOOPBACK})[0-9A-F]+:(?!0000)[0-9A-F]{{4}}) {_OPEN}", re.MULTILINE
)


class Glance:
    """Tells whether a look at the processes can find anything.

    Args:
        read: gives the tables; None where there are none.
    """

    def __init__(self, read: "Callable[[], str | None] | None" = None) -> None:
        self._read = read or tables
        self._known = Counter(dict.fromkeys(self._outside() or (), _LOOKS))  # older than the child

    def is_worth_it(self) -> bool:
        """Tell whether there is a connection to another machine that was not looked for yet."""
        ends = self._outside()
        if ends is None:
            return True
        fresh = [pair for pair in ends if self._known[pair] < _LOOKS]
        self._known.update(fresh)
        return bool(fresh)

    def _outside(self) -> list[str] | None:
        """Give both ends of each open connection to another machine."""
        text = self._read()
        return None if text is None else _OUTSIDE.findall(text)


def is_held(near: int, far: int, text: str | None) -> bool:
    """Tell whether a process still holds the socket at port `near` whose other end is at port `far`.

    One that has closed its socket has none any more; one that has only shut it down waits for an answer.
    """
    line = rf":{near:04X} [0-9A-F]+:{far:04X} (?:\S+ +){{6}}([1-9]\d*) "
    return text is not None and re.search(line, text) is not None


def tables() -> str | None:
    """Read the tables; None where there are none (other systems than Linux)."""
    found = []
    for table in _TABLES:
        try:
            with open(table, encoding="ascii") as file:
                found.append(file.read())
        except FileNotFoundError:
            continue
    return "".join(found) or None
