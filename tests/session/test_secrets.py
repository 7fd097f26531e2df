"""40 secrets in 12 places and 4 encodings: none of them is in what is kept."""

import base64
import json
import random
import string
from urllib.parse import quote, quote_plus

import pytest

from mcpeak.session.credentials import latin, spellings
from mcpeak.session.exchange import Chunk, Exchange, Recording, Request, Response
from mcpeak.session.keeping import cleanse
from mcpeak.session.ledger import Ledger
from mcpeak.session.played import redacted
from mcpeak.session.redact import Redactor
from mcpeak.session.store import to_bytes

ALPHABETS = [
    string.ascii_letters + string.digits,
    string.hexdigits,
    string.ascii_letters + string.digits + "-_",
    string.ascii_letters + string.digits + "+/=!$%&*()#@ ",
    string.ascii_letters + "äöü€한글" + string.digits,
]


def secrets():
    chance = random.Random(7)
    made = []
    for number in range(40):
        letters = ALPHABETS[number % len(ALPHABETS)]
        text = "".join(chance.choice(letters) for _ in range(chance.randint(12, 40)))
        made.append(f"{number:02d}{text.strip()}Z")
    return made


ENCODINGS = {
    "plain": lambda text: text,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64url": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "url": lambda text: quote(text, safe=""),
}
JSON = (("Content-Type", "application/json"),)
FORM = (("Content-Type", "application/x-www-form-urlencoded"),)
PARTS = (("Content-Type", "multipart/form-data; boundary=B"),)
EVENTS = (("Content-Type", "text/event-stream"),)


def asked(url="http://api.example/x", headers=(), body=b""):
    return Exchange(Request("POST", url, headers, body), Response(200, "OK", (), (Chunk(1, b"ok"),)))


def answered(headers=(), body=b"ok"):
    return Exchange(Request("POST", "http://api.example/x"), Response(200, "OK", headers, (Chunk(1, body),)))


def multipart(value):
    return f'--B\r\nContent-Disposition: form-data; name="password"\r\n\r\n{value}\r\n--B--\r\n'.encode()


PLACES = {
    "header": lambda v: asked(headers=(("X-Api-Key", latin(v)),)),
    "bearer": lambda v: asked(headers=(("Authorization", f"Bearer {latin(v)}"),)),
    "basic": lambda v: asked(
        headers=(("Authorization", "Basic " + base64.b64encode(f"u:{v}".encode()).decode()),)
    ),
    "cookie": lambda v: asked(headers=(("Cookie", f"a=1; session={quote(v)}"),)),
    "query": lambda v: asked(url=f"http://api.example/x?api_key={quote(v, safe='')}&q=1"),
    "form": lambda v: asked(headers=FORM, body=f"a=b&client_secret={quote_plus(v)}".encode()),
    "json": lambda v: asked(headers=JSON, body=json.dumps({"a": [{"password": v}]}).encode()),
    "multipart": lambda v: asked(headers=PARTS, body=multipart(v)),
    "answer": lambda v: answered(JSON, json.dumps({"access_token": v, "n": 1}, ensure_ascii=False).encode()),
    "set-cookie": lambda v: answered((("Set-Cookie", f"sid={quote(v)}; Path=/"),)),
    "location": lambda v: answered((("Location", f"https://api.example/?token={quote(v, safe='')}"),)),
    "events": lambda v: answered(EVENTS, b"data: " + json.dumps({"secret": v}).encode() + b"\n\n"),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("place", PLACES)
def test_no_secret_is_kept(place, encoding):
    """Each secret stands once under its name, and once without one in a text, in the same encoding."""
    exchanges = []
    for secret in secrets():
        value = ENCODINGS[encoding](secret)
        exchanges += [answered(body=f"remember <{value}> well".encode()), PLACES[place](value)]
    data = to_bytes(Recording(cleanse(exchanges, Redactor())))
    text = data.decode("latin-1")
    left = [
        s for s in secrets() for form in spellings(latin(s)) | {latin(ENCODINGS[encoding](s))} if form in text
    ]
    assert left == []


@pytest.mark.parametrize(
    "place", ["header", "bearer", "basic", "cookie", "query", "form", "json", "multipart"]
)
def test_another_secret_still_finds_its_answer(place):
    """Matching works on the redacted form, so secrets may change between runs."""
    one, other = secrets()[:2]
    ledger = Ledger(cleanse([PLACES[place](one)], Redactor()))
    assert ledger.answer(redacted(PLACES[place](other).request, Redactor())) is not None
