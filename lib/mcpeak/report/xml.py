"""Text made fit for XML 1.0 (https://www.w3.org/TR/xml/#charsets).

Rule of this file: pure; what XML forbids becomes U+FFFD, everything else reads back as it was.
"""

import re

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SPECIAL = re.compile('[\x00-\x1f&<>"\ud800-\udfff\ufffe\uffff\x7f-\x9f]')
_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}
)


def text(value: str) -> str:
    """Escape text between tags; `>` too, so that no `]]>` is left."""
    return _FORBIDDEN.sub("\ufffd", value).translate(_TEXT) if _SPECIAL.search(value) else value


def attribute(value: str) -> str:
    """Escape the value of an attribute in double quotes; line breaks survive as references."""
    return _FORBIDDEN.sub("\ufffd", value).translate(_ATTRIBUTE) if _SPECIAL.search(value) else value
