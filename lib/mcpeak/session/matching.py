"""When two requests are the same (CONTRACT §8): the form in which they are compared.

Rule of this file: pure; requests come here redacted, so that secrets may change between runs.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from mcpeak.session import coding, url
from mcpeak.session.bodies import Body, canonical, read
from mcpeak.session.exchange import REDACTED, Headers, Request
from mcpeak.session.rules import Rule, without

COMPARED = ("accept", "accept-language", "content-type", "range")
_BOUNDARY = re.compile(r";\s*boundary=(?:\"[^\"]*\"|[^;]*)", re.IGNORECASE)
_NOTHING = canonical(None)
_FORM = 4  # the fields of Form that are texts


class Form(NamedTuple):
    """What of a request is compared; equal forms are the same request."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    kind: str
    body: str


def form_of(request: Request, rules: Sequence[Rule] = ()) -> Form:
    """Bring a redacted request into the form in which it is compared."""
    own = [rule for rule in rules if rule.applies(request.url)]
    body = _body(request, own)
    return Form(
        request.method.upper(),
        _url(request.url, own),
        _headers(request, own),
        body.kind,
        _NOTHING if body.value is None else canonical(body.value),
    )


def _url(text: str, rules: Sequence[Rule]) -> str:
    scheme, host, port, path, query = url.split(text)
    dropped = {rule.name for rule in rules if rule.part == "query"}
    if query is not None and dropped:
        kept = [piece for piece in query.split("&") if not {name for name, _ in url.pairs(piece)} & dropped]
        query = "&".join(kept) if kept else None
    if any(rule.part == "port" for rule in rules):
        port = "*"
    return url.join(url.Parts((scheme, host, port, path, query)))


def _headers(request: Request, rules: Sequence[Rule]) -> tuple[tuple[str, str], ...]:
    compared = set(COMPARED)
    for rule in rules:
        if rule.part == "header":
            (compared.add if rule.action == "compare" else compared.discard)(rule.name.lower())
    return _compared(request.headers, frozenset(compared))


@lru_cache(256)
def _compared(headers: Headers, compared: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Choose and even out the headers that are compared; a client sends the same ones again and again."""
    found: dict[str, list[str]] = {}
    for name, value in headers:
        if name.lower() in compared:
            found.setdefault(name.lower(), []).append(value.strip())
    if "content-type" in found:
        found["content-type"] = [_BOUNDARY.sub("", value) for value in found["content-type"]]
    return tuple(sorted((name, ", ".join(values)) for name, values in found.items()))


def _body(request: Request, rules: Sequence[Rule]) -> Body:
    if any(rule.part == "body" for rule in rules):
        return Body("ignored", None)
    if not request.body:
        return Body("none", None)
    try:
        data = coding.decode(request.body, request.header("content-encoding"))
    except coding.Undecodable:
        data = request.body
    body = read(data, request.header("content-type") or "")
    for rule in rules:
        if rule.part == "json" and body.kind == "json":
            body = Body("json", without(body.value, rule.name))
        elif rule.part == "form" and body.kind == "form":
            body = Body("form", [pair for pair in body.value if pair[0] != rule.name])
    return body


def pattern_of(form: Form) -> re.Pattern[str] | None:
    """Make the pattern of a recorded form in which something was redacted; None when nothing was.

    A secret in a place without a name (a path, a text) is known only by what surrounds it.
    """
    line = line_of(form)
    if REDACTED not in line:
        return None
    return re.compile(".*?".join(re.escape(piece) for piece in line.split(REDACTED)), re.DOTALL)


def line_of(form: Form) -> str:
    """Write a form as one text, for `pattern_of`."""
    return "\0".join((form.method, form.url, repr(form.headers), form.kind, form.body))
