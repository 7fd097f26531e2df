"""The names of secrets, and how a name and its value look in plain text (CONTRACT §4, "Secrets"). Pure.

The patterns stand apart from the redactor because they take milliseconds to compile: they are needed only
where a word such as `token` was seen.
"""

import re
from functools import cache, lru_cache

REDACTED = "[REDACTED]"
_NAMES = frozenset(
    (
        "authorization",
        "apikey",
        "accesstoken",
        "refreshtoken",
        "token",
        "secret",
        "clientsecret",
        "password",
        "passwd",
        "cookie",
        "privatekey",
        "secretkey",
        "credential",
    )
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")
_LONGEST = 2  # words of a name that can join to one of the above
_ENDINGS = "(?:authorization|key|token|secret|passw(?:or)?d|cookie|credential)s?"

# A password in a URL (RFC 3986, 3.2.1; deprecated there, used everywhere): `https://user:password@host`.
_LOGIN = r"(?P<user>:(?:\\*/){2}[^\s/\"'@:]{0,256}:)[^\s/\"'@]{1,256}@"
_USERINFO = re.compile(_LOGIN)

# May there be a secret name in this text? (An escape may hide one.)
HINT = re.compile(rf"{_ENDINGS}[\s\d_\"'\\.-]{{0,16}}[:=]|\\u00|{_LOGIN}", re.IGNORECASE)

# A name and its value in plain text: `token=abc`, `"token": "abc"`, `X-Token: Bearer abc`, `password: abc`.
# After an unquoted name and a colon only a value that fills its line counts: "password: must be longer"
# is a remark, not a secret.
_PAIR = re.compile(
    rf"(?<![\w.-])(?P<name>[\w.-]{{0,200}}?{_ENDINGS}[\d_-]{{0,8}})"
    r"(?P<mark>\\*[\"']\s*:\s*|\\*[\"']?\s*=\s*|:\s*(?=(?:(?:Bearer|Basic|Token|Digest)\s+)?[^\s\"']+\s*$|[\"']))"
    r"(?P<value>\"(?:[^\"\\]|\\.)*\"|\\+\".*?\\+\"|'[^']*'"
    r"|(?:(?:Bearer|Basic|Token|Digest)\s+)?[^\s,;&\"'}\])]+)",
    re.IGNORECASE | re.MULTILINE,
)
_HEADER = re.compile(
    r"(?P<name>\b(?:proxy-)?authorization|\b(?:set-)?cookie)(?P<mark>\s*:\s*)(?P<value>[^\r\n\"']+)",
    re.IGNORECASE,
)


@lru_cache(4096)
def is_secret(name: str) -> bool:
    """Tell whether a key's trailing words join to a secret's name; a number at the end does not hide it."""
    words = [word.lower() for word in _WORD.findall(name)]
    while words and words[-1].isdigit():
        words.pop()
    for count in range(1, min(_LONGEST, len(words)) + 1):
        joined = "".join(words[-count:])
        if joined in _NAMES or joined.removesuffix("s") in _NAMES:
            return True
    return False


@cache
def hint_in_bytes() -> re.Pattern[bytes]:
    """Give HINT for what is too large to be copied."""
    return re.compile(HINT.pattern.encode(), re.IGNORECASE)


def without_pairs(text: str) -> str:
    """Redact what looks like a name and its value, and passwords in URLs."""
    text = _USERINFO.sub(lambda found: f"{found['user']}{REDACTED}@", text)
    text = _HEADER.sub(lambda found: found["name"] + found["mark"] + REDACTED, text)
    return _PAIR.sub(_replaced, text)


def _replaced(found: re.Match[str]) -> str:
    if not is_secret(found["name"]) or found["value"].startswith(REDACTED[:-1]):
        return found[0]
    value = found["value"]
    opening = value[: len(value) - len(value.lstrip("\\\"'"))]
    return f"{found['name']}{found['mark']}{opening}{REDACTED}{opening}"
