"""What a connection begins with, told by its first bytes: TLS, HTTP/1, HTTP/2, or something else.

Rule of this file: pure. A sender may be slow, so the bytes at hand may not tell yet.
"""

import re

_TLS_RECORD = 0x16  # RFC 8446 §5.1: handshake
_PREFACE = b"PRI * HTTP/2.0"  # RFC 9113 §3.4
_LONGEST = 1 << 15  # bytes of a request line that are waited for
_REQUEST_LINE = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+ .+ HTTP/1\.\d\r?\n")
_BEGUN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}(?: [^\r\n]*\r?)?")


def kind_of(first: bytes) -> str | None:
    """Tell `tls`, `http`, `http2` or `other`; None: more has to come before anybody can tell."""
    if first[:1] == bytes([_TLS_RECORD]):
        return "tls"
    if first.startswith(_PREFACE):
        return "http2"
    if _REQUEST_LINE.match(first):
        return "http"
    if first and _BEGUN.fullmatch(first):
        return None if len(first) < _LONGEST else "http"
    return "other"
