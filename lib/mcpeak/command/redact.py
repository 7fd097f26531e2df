"""Secrets kept out of everything that is written after a run (CONTRACT §4, "Secrets").

Two kinds: values under keys whose last words say so (`x-api-key`, `client_secret`, `accessTokens`), and the
values of variables that were passed on by name (`--env`, `--header-env`), wherever they appear. Pure.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Raw

from mcpeak.wire.json import JsonError, dumps_line, parse

REDACTED = "[REDACTED]"
SHORTEST = 8  # characters; a shorter value of a variable would turn half of the text into [REDACTED]
DEEPEST = 8  # JSON texts within JSON texts; each level doubles the escapes, so nobody means more
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

# May there be a secret name in these bytes? (An escape may hide one.)
_HINT = re.compile(rb"%b[\s\d_\"'\\.-]{0,16}[:=]|\\u00" % _ENDINGS.encode(), re.IGNORECASE)

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
def is_secret_name(name: str) -> bool:
    """Tell whether a key's trailing words join to a secret's name; a number at the end does not hide it."""
    words = [word.lower() for word in _WORD.findall(name)]
    while words and words[-1].isdigit():
        words.pop()
    for count in range(1, min(_LONGEST, len(words)) + 1):
        joined = "".join(words[-count:])
        if joined in _NAMES or joined.removesuffix("s") in _NAMES:
            return True
    return False


def redact(value: object) -> Any:
    """Give a JSON value with what stands under secret keys replaced; the value itself stays as it is."""
    return Redactor().value(value)


class Redactor:
    """Redacts text, values and raw JSON.

    Args:
        secrets: values of variables that were passed on; shorter ones than `SHORTEST` are left alone.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = sorted(
            {secret for secret in secrets if len(secret) >= SHORTEST}, key=len, reverse=True
        )
        self._forms = [form for secret in self._secrets for form in _forms(secret)]

    def text(self, text: str, depth: int = 0) -> str:
        """Redact text: JSON by its keys, anything else by what looks like a name and its value."""
        text = self.known(text)
        if not _HINT.search(text.encode("utf-8", "surrogatepass")):
            return text
        if text.lstrip()[:1] in ("{", "[") and depth < DEEPEST:
            try:
                value = parse(text.encode("utf-8", "surrogatepass"))
            except JsonError:
                return _pairs(text)
            redacted, changed = self._walk(value, depth + 1)
            return encode(redacted).decode("utf-8", "surrogatepass") if changed else text
        return _pairs(text)

    def known(self, text: str) -> str:
        """Redact the values of variables only."""
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, REDACTED)
        return text

    def value(self, value: object) -> Any:
        """Redact a JSON value of any depth; the result shares nothing that was changed."""
        return self._walk(value, 0)[0]

    def suspects(self, raw: Raw) -> bool:
        """Tell whether raw JSON may hold a secret; False is certain."""
        if _HINT.search(raw):
            return True
        return bool(self._forms) and any(form in bytes(raw) for form in self._forms)

    def raw(self, raw: Raw) -> Raw:
        """Redact raw JSON; without a secret in it, its bytes stay as they are."""
        if not self.suspects(raw):
            return raw
        try:
            value = parse(bytes(raw))
        except JsonError:  # it may hold a secret and cannot be looked into
            return Raw(encode(REDACTED))
        redacted, changed = self._walk(value, 0)
        return Raw(encode(redacted)) if changed else raw

    def _walk(self, value: object, depth: int) -> tuple[Any, bool]:
        """Copy a value without recursion; tell whether anything was redacted."""
        root: list[Any] = [value]
        todo: list[Any] = [root]  # containers that are ours to change
        changed = False
        while todo:
            box = todo.pop()
            if isinstance(box, dict) and self._secrets:
                changed = self._rename(box) or changed
            for key, item in list(box.items() if isinstance(box, dict) else enumerate(box)):
                fresh = (
                    REDACTED
                    if isinstance(key, str) and is_secret_name(key)
                    else self._item(item, todo, depth)
                )
                changed = changed or (fresh is not item and not isinstance(fresh, (dict, list)))
                box[key] = fresh
        return root[0], changed

    def _item(self, item: Any, todo: list[Any], depth: int) -> Any:
        if isinstance(item, str):
            return self.text(item, depth)
        if isinstance(item, (dict, list)):
            copy = item.copy()
            todo.append(copy)
            return copy
        if self._secrets and type(item) in (int, float) and str(item) in self._secrets:
            return REDACTED
        return item

    def _rename(self, box: dict[str, Any]) -> bool:
        if all(self.known(key) == key for key in box):
            return False
        items = [(self.known(key), item) for key, item in box.items()]
        box.clear()
        box.update(items)
        return True


def encode(value: object) -> bytes:
    """Write a JSON value, lone surrogates and any depth included."""
    try:
        return msgspec.json.encode(value)
    except (UnicodeEncodeError, OverflowError, RecursionError, msgspec.EncodeError):
        return dumps_line(value)


def _pairs(text: str) -> str:
    text = _HEADER.sub(lambda found: found["name"] + found["mark"] + REDACTED, text)
    return _PAIR.sub(_replaced, text)


def _replaced(found: re.Match[str]) -> str:
    if not is_secret_name(found["name"]) or found["value"].startswith(REDACTED[:-1]):
        return found[0]
    value = found["value"]
    opening = value[: len(value) - len(value.lstrip("\\\"'"))]
    return f"{found['name']}{found['mark']}{opening}{REDACTED}{opening}"


def _forms(secret: str) -> set[bytes]:
    """Give the ways in which JSON, and JSON text within JSON, may spell a string."""
    forms = {secret.encode("utf-8", "surrogatepass")}
    for spell in (encode, dumps_line):
        text = secret
        for _ in range(3):
            text = spell(text).strip()[1:-1].decode()
            forms.add(text.encode())
    return forms
