"""The reading end of a pipe: lines in, records out, and the rules that keep a cut stream from looking green.

Rule of this file: no I/O of its own beyond iterating over the lines that it is given.
"""

from collections.abc import Iterable, Iterator

import msgspec

from mcpeak.wire.json import JsonError, parse
from mcpeak.wire.records import COUNTED, STREAM, AnyRecord, Begin, Counts, End, Unknown

_decode = msgspec.json.Decoder(AnyRecord).decode
_TAGS = frozenset(str(kind.__struct_config__.tag) for kind in AnyRecord.__args__)


class BadLine(Exception):  # noqa: N818 - named for what it is; the boundary makes words of it
    """A line that is no record. `number`: 1-based; `line`: its bytes; `why`: the decoder's words."""

    def __init__(self, number: int, line: bytes, why: str) -> None:
        super().__init__(number, why)
        self.number = number
        self.line = line
        self.why = why


class CutStream(Exception):  # noqa: N818 - as BadLine
    """The input stopped, or began anew, before its `end` record; or fewer records came than `end` counts."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def decode(line: bytes) -> AnyRecord | Unknown:
    """Make a record of one line.

    Raises:
        ValueError: the line is no JSON object with a `type`, or a known type with the wrong shape.
    """
    try:
        return _decode(line)
    except (msgspec.DecodeError, RecursionError) as refused:
        return _beyond_msgspec(line, refused)


def _beyond_msgspec(line: bytes, refused: Exception) -> AnyRecord | Unknown:
    """Tell an unknown type from a bad line, and read what msgspec refuses (lone surrogates, deep nesting)."""
    try:
        value = parse(line)
    except JsonError:
        raise ValueError(str(refused)) from refused
    tag = value.get("type") if isinstance(value, dict) else None
    if not isinstance(tag, str):
        raise ValueError(str(refused)) from refused  # noqa: TRY004 - the line is wrong, not an argument
    if tag in _TAGS:
        return _convert(value, refused)
    return Unknown(tag)


def _convert(value: object, refused: Exception) -> AnyRecord:
    from mcpeak.wire.json import raw_fields  # late: only lines beyond msgspec need it

    try:
        record: AnyRecord = msgspec.convert(raw_fields(value), AnyRecord)
    except (msgspec.ValidationError, RecursionError):
        raise ValueError(str(refused)) from refused
    return record


def read(lines: Iterable[bytes]) -> Iterator[tuple[AnyRecord | Unknown, bytes]]:
    r"""Yield each record with the bytes of its line, `begin` and `end` taken away and checked.

    Args:
        lines: what the stage before wrote, cut at `\n`.

    Raises:
        BadLine: a line that is no record.
        CutStream: input without its last `end`, a `begin` within a stream, records lost on the way.
    """
    open_since: int | None = None
    ended = False
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = decode(line)
        except ValueError as wrong:
            raise BadLine(number, line, str(wrong)) from wrong
        if type(record) is Begin:
            if open_since is not None:
                raise CutStream("begin")
            if record.stream != STREAM:
                raise CutStream("version")
            open_since, ended = number, False
        elif type(record) is End:
            _compare(record.counts, seen)
            open_since, ended, seen = None, True, {}
        else:
            open_since, ended = open_since or number, False
            counter = COUNTED.get(type(record))
            if counter is not None:
                seen[counter] = seen.get(counter, 0) + 1
            yield record, line
    if not ended:
        raise CutStream("end" if open_since is not None else "empty")


def _compare(counts: Counts, seen: dict[str, int]) -> None:
    for name in COUNTED.values():
        told = getattr(counts, name)
        if told is not None and told != seen.get(name, 0):
            raise CutStream("counts")
