"""The line on which a hook asks for one answer after the other, without a connection for each.

It says `SIZE HOST PORT SCHEME` and a request of that size; it hears `SIZE` and an answer, of size 0 where the
request has to go the long way: not plain, or not in the recording. Rule of this file: pure.
"""

from typing import NamedTuple

from mcpeak.session import plain
from mcpeak.session.line import Desk
from mcpeak.session.url import target_of

_LARGEST = 1 << 22  # bytes of a request; a hook sends larger ones the long way


class Frame(NamedTuple):
    """A request as it was said, and where it goes."""

    host: str
    port: int
    scheme: str
    data: bytes


def cut(heard: bytearray) -> list[Frame]:
    """Take the whole frames off what was heard.

    Raises:
        ValueError: it is no frame.
    """
    found = []
    while (end := heard.find(b"\n") + 1) > 0:
        size, host, port, scheme = heard[:end].decode().split()
        if not size.isdigit() or int(size) > _LARGEST:
            raise ValueError(size)
        if len(heard) < end + int(size):
            break
        found.append(Frame(host, int(port), scheme, bytes(heard[end : end + int(size)])))
        del heard[: end + int(size)]
    return found


def answer(frame: Frame, desk: Desk) -> bytes:
    """Answer a frame."""
    found = _found(frame, desk) or b""
    return b"%d\n%b" % (len(found), found)


def _found(frame: Frame, desk: Desk) -> bytes | None:
    host, port, scheme, data = frame
    if not desk.is_sure(host, port):
        return None
    asked = plain.read(data, target_of(host, port), scheme)
    if asked is None or asked.missing:
        return None
    return desk.open(host, port).at_once(asked.request, closes=asked.closes)
