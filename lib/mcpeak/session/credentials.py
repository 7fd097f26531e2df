"""How a credential looks: in a path, and in the spellings that hide a known one.

Rule of this file: pure. Text is bytes read as Latin-1, so that every place in it is a place in the bytes.
"""

import base64
import binascii
import re
from html import escape
from urllib.parse import quote

SHORTEST = 8  # characters: a shorter value would turn half of the recording into [REDACTED]
_PLAIN = re.compile(
    r"[a-z]{1,15}|[A-Z]{1,15}|[A-Z][a-z]{1,14}|true|false|null|undefined|\d{1,9}|[\d.:T+Z-]{8,32}"
)
_KNOWN = re.compile(
    r"(?:gh[pousr]_|github_pat_|glpat-|sk-|pk_|rk_|xox[a-z]-|AKIA|AIza|npm_|eyJ)[\w.-]{12,}|bot\d+:[\w-]{20,}"
)
_RUN = re.compile(r"[A-Za-z0-9]{16,}")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")


def latin(text: str) -> str:
    """Read text as the bytes that it is in UTF-8, one character a byte."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def is_telling(value: str) -> bool:
    """Tell whether a secret is long and odd enough to be looked for everywhere, not just under its name."""
    return len(value) >= SHORTEST and _PLAIN.fullmatch(value) is None and "[REDACTED]" not in value


def looks_like_credential(segment: str) -> bool:
    """Tell whether a path segment is more likely a key than a name: known prefixes, long mixed runs."""
    if _KNOWN.fullmatch(segment):
        return True
    if _UUID.fullmatch(segment) or _DIGEST.fullmatch(segment):
        return False
    run = _RUN.search(segment)
    if run is None:
        return False
    kinds = (re.search(r"[a-z]", run[0]), re.search(r"[A-Z]", run[0]), re.search(r"\d", run[0]))
    return sum(kind is not None for kind in kinds) >= 2  # noqa: PLR2004 - letters and digits, or both cases


def decode_base64(text: str) -> str | None:
    """Read base64 (standard or URL-safe, padded or not) that holds printable text; None for anything else."""
    bare = text.rstrip("=")
    if len(bare) % 4 == 1 or _BASE64.fullmatch(text) is None:
        return None
    try:
        data = base64.b64decode(bare.replace("-", "+").replace("_", "/") + "=" * (-len(bare) % 4))
    except (binascii.Error, ValueError):
        return None
    found = data.decode("latin-1")
    return found if found.isprintable() or _is_text(data) else None


def _is_text(data: bytes) -> bool:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return all(letter.isprintable() or letter in "\r\n\t" for letter in text)


def encode_base64(text: str, like: str) -> str:
    """Write base64 in the alphabet and with the padding that `like` has."""
    made = base64.b64encode(text.encode("latin-1")).decode()
    if "-" in like or "_" in like:
        made = made.replace("+", "-").replace("/", "_")
    return made if like.endswith("=") or len(like) % 4 == 0 else made.rstrip("=")


def spellings(secret: str) -> set[str]:
    """Give the ways in which a secret may be spelt: plain, escaped for URL, JSON, HTML, hex, in base64."""
    data = secret.encode("latin-1")
    once = quote(data, safe="")
    made = {
        secret,
        once,
        _lower(once),
        quote(data, safe="").replace("%20", "+"),
        quote(data, safe="/"),
        quote(once, safe=""),
    }
    made |= {secret.replace("\\", "\\\\").replace('"', '\\"'), secret.replace("/", "\\/"), _json(secret)}
    made |= {escape(secret), escape(secret, quote=False), data.hex(), data.hex().upper()}
    return made | _cores(data)


def _lower(quoted: str) -> str:
    return re.sub(r"%[0-9A-F]{2}", lambda found: found[0].lower(), quoted)


def _json(secret: str) -> str:
    import json

    return json.dumps(secret.encode("latin-1").decode("utf-8", "replace"))[1:-1]


def _cores(data: bytes) -> set[str]:
    """Give what base64 makes of the bytes wherever they stand in a longer text: one form an offset."""
    made = set()
    for offset in range(3):
        whole = base64.b64encode(b"\0" * offset + data).decode().rstrip("=")
        first = (0, 2, 3)[offset]
        last = len(whole) if (offset + len(data)) % 3 == 0 else len(whole) - 1
        core = whole[first:last]
        if len(core) >= SHORTEST:
            made |= {core, core.replace("+", "-").replace("/", "_")}
    return made
