import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.session.credentials import looks_like_credential
from mcpeak.session.edits import apply, moved
from mcpeak.session.exchange import REDACTED
from mcpeak.session.redact import Redactor, suspicious_segments

SECRET = "hunter2-hunter2"


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ('{"token": "abc", "n": 1}', '{"token": "[REDACTED]", "n": 1}'),
        (
            '{"a": {"apiKey": ["x", 5, true, null]}}',
            '{"a": {"apiKey": ["[REDACTED]", "[REDACTED]", true, null]}}',
        ),
        (
            '{"credentials": {"user": "u", "pin": 12}}',
            '{"credentials": {"user": "[REDACTED]", "pin": "[REDACTED]"}}',
        ),
        ('{"total_tokens": 12, "tokenCount": 3}', '{"total_tokens": 12, "tokenCount": 3}'),
        ('{"token": "cut off', '{"token": "[REDACTED]'),
        ('{"\\u0074oken": "abc"}', '{"\\u0074oken": "[REDACTED]"}'),
        ('data: {"token": "abc"}\n\n', 'data: {"token": "[REDACTED]"}\n\n'),
        ("grant=x&client_secret=abc&z=1", "grant=x&client_secret=[REDACTED]&z=1"),
        ("http://h/p?api_key=a,b&q=1", "http://h/p?api_key=[REDACTED]&q=1"),
        ("http://h/p?user%5Bpassword%5D=a", "http://h/p?user%5Bpassword%5D=[REDACTED]"),
        ("https://u:pw@h/x", "https://[REDACTED]@h/x"),
        ("<password>abc</password>", "<password>[REDACTED]</password>"),
        ('<a token="abc"/>', '<a token="[REDACTED]"/>'),
        ("API_KEY=abc\nX=1", "API_KEY=[REDACTED]\nX=1"),
        ("password: abc\r\nuser: x", "password: [REDACTED]\r\nuser: x"),
        ("the password: must be long", "the password: must be long"),
        ("Authorization: Bearer abc123def4", "Authorization: Bearer [REDACTED]"),
        ("use Basic authentication here", "use Basic authentication here"),
        ('{"s": "{\\"password\\": \\"abc\\"}"}', '{"s": "{\\"password\\": \\"[REDACTED]\\"}"}'),
        ("x=%7B%22token%22%3A%22abc%22%7D", "x=%7B%22token%22%3A%22[REDACTED]%22%7D"),
        ('{"page": "next", "cookies": "yes"}', '{"page": "next", "cookies": "[REDACTED]"}'),
    ],
)
def test_values_under_secret_names_go_wherever_they_stand(text, redacted):
    assert Redactor().text(text) == redacted


def test_redacting_twice_changes_nothing():
    once = Redactor().text(f'{{"token": "{SECRET}"}} and api_key={SECRET}')
    assert Redactor().text(once) == once


def test_base64_of_something_with_a_secret_is_opened_and_closed_again():
    inner = base64.b64encode(b'{"client_secret": "abc", "x": 1}').decode()
    found = Redactor().text(f"state={inner}")
    assert json.loads(base64.b64decode(found.removeprefix("state="))) == {"client_secret": REDACTED, "x": 1}


def test_a_value_learned_by_its_name_goes_where_it_has_none():
    redactor = Redactor()
    redactor.text(f'{{"token": "{SECRET}"}}')
    assert redactor.url(f"http://h/me/{SECRET}/x") == "http://h/me/[REDACTED]/x"


@pytest.mark.parametrize("word", ["disabled", "password", "none", "12345678", "2026-11-30"])
def test_a_plain_word_under_a_secret_name_is_not_looked_for_elsewhere(word):
    redactor = Redactor()
    redactor.text(f'{{"token": "{word}"}}')
    assert redactor.text(f"it is {word}") == f"it is {word}"


def test_the_password_of_basic_credentials_is_learned():
    redactor = Redactor()
    value = base64.b64encode(f"me:{SECRET}".encode()).decode()
    assert redactor.headers((("Authorization", f"Basic {value}"),)) == (("Authorization", REDACTED),)
    assert redactor.text(SECRET) == REDACTED


def test_cookies_keep_their_names_and_how_they_are_kept():
    headers = (("Set-Cookie", "sid=abc; Path=/; Max-Age=5; HttpOnly"), ("Cookie", "sid=abc; b=c"))
    assert Redactor().headers(headers) == (
        ("Set-Cookie", "sid=[REDACTED]; Path=/; Max-Age=5; HttpOnly"),
        ("Cookie", "sid=[REDACTED]; b=[REDACTED]"),
    )


def test_names_may_be_added():
    assert Redactor(["appid"]).url("http://h/?AppId=1&id=2") == "http://h/?AppId=[REDACTED]&id=2"


def test_known_values_go_everywhere():
    assert Redactor(known=[SECRET]).text(f"x {SECRET} y") == "x [REDACTED] y"


def test_a_multipart_field_is_found_by_its_name():
    body = f'--B\r\nContent-Disposition: form-data; name="password"\r\n\r\n{SECRET}\r\n--B--\r\n'
    assert SECRET not in Redactor().text(body)


@pytest.mark.parametrize(
    ("segment", "looks"),
    [
        ("ghp_0123456789abcdefABCD", True),
        ("bot123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", True),
        ("T4kD93kfLsPq02mXvB7q", True),
        ("how-to-write-2-tests-in-python-2026", False),
        ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", False),
        ("a94a8fe5ccb19ba61c4c0873d391e987982fbbd3", False),
        ("weather", False),
        ("internationalisation", False),
    ],
)
def test_a_path_segment_looks_like_a_credential_or_not(segment, looks):
    assert looks_like_credential(segment) is looks
    assert bool(suspicious_segments(f"https://h/hooks/{segment}?q=1")) is looks


def test_paths_are_redacted_when_asked_for():
    url = "https://h/hooks/T4kD93kfLsPq02mXvB7q"
    assert Redactor(paths=True).url(url) == "https://h/hooks/[REDACTED]"
    assert Redactor().url(url) == url


@given(st.text(), st.integers(0, 40))
def test_a_place_moves_with_the_edits(text, place):
    text = f"ab token=xyz cd {text}".encode("utf-8", "replace").decode("latin-1")
    edits = Redactor().edits(text)
    after = apply(text, edits)
    place = min(place, len(text))
    assert 0 <= moved(place, edits) <= len(after)
    assert moved(len(text), edits) == len(after)


@given(st.text())
def test_any_text_can_be_redacted(text):
    Redactor().text(text.encode("utf-8", "replace").decode("latin-1"))
