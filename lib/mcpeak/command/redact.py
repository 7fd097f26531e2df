"""Secrets kept out of everything that is written after a run (CONTRACT §4, "Secrets").

Two kinds: values under keys whose last words say so (`x-api-key`, `client_secret`, `accessTokens`), and the
values of variables that were passed on by name (`--env`, `--header-env`), wherever they appear. Pure.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Raw

from mcpeak.wire.json import JsonError, dumps_line, parse

REDACTED = "[REDACTED]"
SHORTEST = 8  # characters; a shorter value of a variable would turn half of the text into [REDACTED]
DEEPEST = 8  # JSON texts within JSON texts; each level doubles the escapes, so nobody means more
LARGE = 1024 * 1024  # bytes; beyond that no copy is made to look for names


def is_secret_name(name: str) -> bool:
    """Tell whether a key's trailing words join to a secret's name; a number at the end does not hide it."""
    from mcpeak.command.secret_names import is_secret  # late: its patterns take milliseconds to compile

    return is_secret(name)


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
        if not _hints(text):
            return text
        if text.lstrip()[:1] in ("{", "[") and depth < DEEPEST:
            try:
                value = parse(text.encode("utf-8", "surrogatepass"))
            except JsonError:
                return _without_pairs(text)
            redacted, changed = self._walk(value, depth + 1)
            return encode(redacted).decode("utf-8", "surrogatepass") if changed else text
        return _without_pairs(text)

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
        small = len(raw) <= LARGE
        hints = _hints(str(raw, "latin-1")) if small else _hinted_bytes(raw)
        return hints or (bool(self._forms) and any(form in bytes(raw) for form in self._forms))

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


def _hinted(text: str) -> bool:
    from mcpeak.command.secret_names import HINT  # late, as above

    return HINT.search(text) is not None


def _hinted_bytes(raw: Raw) -> bool:
    from mcpeak.command.secret_names import hint_in_bytes  # late, as above

    return hint_in_bytes().search(raw) is not None


def _without_pairs(text: str) -> str:
    from mcpeak.command.secret_names import without_pairs  # late, as above

    return without_pairs(text)


def _hints(text: str) -> bool:
    """Tell whether a secret's name may stand in a text; the words alone are looked for first, much faster."""
    low = text.lower()
    return (
        "key" in low
        or "token" in low
        or "secret" in low
        or "passw" in low
        or "cookie" in low
        or "credential" in low
        or "authorization" in low
        or "\\u00" in low
        or "@" in low
    ) and _hinted(text)


def encode(value: object) -> bytes:
    """Write a JSON value, lone surrogates and any depth included."""
    try:
        return msgspec.json.encode(value)
    except (UnicodeEncodeError, OverflowError, RecursionError, msgspec.EncodeError):
        return dumps_line(value)


def _forms(secret: str) -> set[bytes]:
    """Give the ways in which JSON, and JSON text within JSON, may spell a string."""
    forms = {secret.encode("utf-8", "surrogatepass")}
    for spell in (encode, dumps_line):
        text = secret
        for _ in range(3):
            text = spell(text).strip()[1:-1].decode()
            forms.add(text.encode())
    return forms
