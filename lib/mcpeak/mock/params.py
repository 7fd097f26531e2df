"""Arguments that travel in HTTP headers, too (`x-mcp-header`), and how a header says a value.

Rule of this file: pure. Source: SEP-2243; PROTOCOL.md §2, "x-mcp-header".
"""

import base64
import binascii
from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import UNSET

from mcpeak.messages import say
from mcpeak.mock.answers import Refusal
from mcpeak.mock.stringify import stringify
from mcpeak.protocol.errors import HEADER_MISMATCH

Headers = Mapping[str, str]


class ParamHeader(NamedTuple):
    """An argument that travels in a header, too (`x-mcp-header`). `path`: its keys in the arguments."""

    header: str
    path: tuple[str, ...]

    def check(self, headers: Headers, arguments: Any) -> None:
        """Refuse a header that does not say what the argument says; no argument, no header."""
        value = arguments
        for step in self.path:
            value = value.get(step, UNSET) if isinstance(value, dict) else UNSET
        if value is UNSET or value is None:
            if self.header.lower() in headers:
                raise mismatch(self.header, headers[self.header.lower()], "-")
            return
        told = headers.get(self.header.lower())
        if told is None:
            raise missing(self.header)
        meant = decoded(told)
        if meant is None or not _equal(meant, value):
            raise mismatch(self.header, told, stringify(value))


def param_headers(schema: Any, path: tuple[str, ...] = ()) -> list[ParamHeader]:
    """Find the arguments of a tool that have an `x-mcp-header`; only chains of `properties` count."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    found: list[ParamHeader] = []
    if not isinstance(properties, dict) or len(path) > 8:  # noqa: PLR2004 - deeper than any tool goes
        return found
    for name, part in properties.items():
        told = part.get("x-mcp-header") if isinstance(part, dict) else None
        if isinstance(told, str) and told:
            found.append(ParamHeader(f"Mcp-Param-{told}", (*path, name)))
        found += param_headers(part, (*path, name))
    return found


def _equal(told: str, value: Any) -> bool:
    if isinstance(value, bool):
        return told == ("true" if value else "false")
    if isinstance(value, int | float):
        try:
            return float(told) == float(value)
        except (ValueError, OverflowError):
            return told == str(value)
    return isinstance(value, str) and told == value


def decoded(told: str) -> str | None:
    """Take a header value out of its `=?base64?…?=` wrapper; None when that is broken."""
    if not (told.startswith("=?base64?") and told.endswith("?=")):
        return told
    try:
        return base64.b64decode(told[9:-2], validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None


def missing(header: str) -> Refusal:
    """Refuse a request without a header."""
    return Refusal(HEADER_MISMATCH, say("mock", "HEADER_MISSING", header=header).message, status=400)


def mismatch(header: str, told: str, meant: str) -> Refusal:
    """Refuse a header that contradicts the body."""
    sentence = say("mock", "HEADER_MISMATCH", header=header, told=told, meant=meant).message
    return Refusal(HEADER_MISMATCH, sentence, status=400)
