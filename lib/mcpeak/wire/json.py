"""JSON beyond msgspec: lone surrogates, any depth, integers of any size, duplicate keys, positions.

`parse` is what everybody calls: fast where msgspec tells the truth, careful where it would bend a value.
The careful reader is iterative (no recursion limit) and names line and column of what is wrong.
"""

from typing import Any


class JsonError(ValueError):
    """The bytes are no JSON text. `line`, `column`: 1-based, in code points; `code`: what is wrong."""

    def __init__(self, code: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"{code} at line {line}, column {column}")
        self.code = code
        self.line = line
        self.column = column


def parse(data: bytes) -> Any:
    """Make a value of JSON bytes (UTF-8), exactly: integers keep every digit, surrogates survive.

    Raises:
        JsonError: no JSON, invalid UTF-8, NaN or Infinity, a number beyond a double.
    """
    raise NotImplementedError


def dumps_line(value: object) -> bytes:
    """Write any value or record as one line of ASCII JSON, whatever its depth."""
    raise NotImplementedError


def raw_fields(value: object) -> object:
    """Turn a parsed record so that msgspec.convert accepts it: fields of type Raw become Raw again."""
    raise NotImplementedError
