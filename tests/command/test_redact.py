"""What is a secret, and that it is gone wherever it stood, while everything else stays."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from mcpeak.command.redact import REDACTED, Redactor, is_secret_name, redact

SECRET = "s3cr3t-value-123"


@pytest.mark.parametrize(
    "name",
    [
        "authorization",
        "Authorization",
        "apikey",
        "api_key",
        "x-api-key",
        "apiKeys",
        "APIKey",
        "OPENAI_API_KEY",
        "accessToken",
        "accessTokens",
        "refresh_token",
        "token",
        "tokens",
        "secret",
        "client_secret",
        "password",
        "userPassword",
        "passwd",
        "cookie",
        "Set-Cookie",
        "privateKey",
        "secret-key",
        "credentials",
        "password2",
    ],
)
def test_names_of_secrets(name):
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["tokenCount", "secretary", "key", "monkey", "keys", "tokenizer", "passwordless", "id", ""]
)
def test_names_that_only_look_alike(name):
    assert not is_secret_name(name)


def test_a_value_under_a_secret_key_is_gone_whatever_it_is():
    value = {"a": [{"apiKey": {"v": 1}}, {"token": None}], "b": 1}
    assert redact(value) == {"a": [{"apiKey": REDACTED}, {"token": REDACTED}], "b": 1}


def test_the_value_itself_stays_as_it_is():
    value = {"a": [{"token": "x"}]}
    redact(value)
    assert value == {"a": [{"token": "x"}]}


def test_any_depth_is_walked():
    deep = {"token": "x"}
    for _ in range(50_000):
        deep = {"a": deep}
    found = redact(deep)
    while "a" in found:
        found = found["a"]
    assert found == {"token": REDACTED}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"code":"E1","token":"sk-1"}', '{"code":"E1","token":"[REDACTED]"}'),
        ('{"a": "{\\"token\\": \\"x\\"}"}', '{"a":"{\\"token\\":\\"[REDACTED]\\"}"}'),
        ("Authorization: Bearer abc.def", "Authorization: [REDACTED]"),
        ("Cookie: a=b; c=d", "Cookie: [REDACTED]"),
        ("GET /x?api_key=abc&y=1", "GET /x?api_key=[REDACTED]&y=1"),
        ('sent {"token": "abc", "n": 1} twice', 'sent {"token": "[REDACTED]", "n": 1} twice'),
        ('log {\\"api_key\\":\\"abc\\"}', 'log {\\"api_key\\":\\"[REDACTED]\\"}'),
        ("password: hunter2", "password: [REDACTED]"),
        ("secret='a b'", "secret='[REDACTED]'"),
    ],
)
def test_text_loses_what_stands_under_a_secret_name(text, expected):
    assert Redactor().text(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "password: must be at least 8 characters",
        "tokenCount=5",
        "the key is under the mat",
        '{"key": 1, "name": "token"}',
        "Set token to start",
    ],
)
def test_text_that_holds_no_secret_stays(text):
    assert Redactor().text(text) == text


def test_raw_json_without_a_secret_keeps_its_bytes():
    raw = Raw(b'{ "n": 1.0, "big": 12345678901234567890123, "key": "a=b" }')
    assert Redactor().raw(raw) is raw


def test_raw_json_with_a_secret_is_written_anew():
    raw = Redactor().raw(Raw(b'{"token":"x","n":1.0}'))
    assert msgspec.json.encode(raw) == b'{"token":"[REDACTED]","n":1.0}'


def test_a_secret_key_behind_an_escape_is_seen():
    raw = Redactor().raw(Raw(b'{"\\u0070assword":"x"}'))
    assert msgspec.json.decode(raw) == {"password": REDACTED}


@pytest.mark.parametrize("form", [SECRET, f"a {SECRET} b", f'{{"x":"{SECRET}"}}'])
def test_the_value_of_a_variable_is_gone_wherever_it_stands(form):
    assert SECRET not in Redactor([SECRET]).text(form)


def test_the_value_of_a_variable_is_gone_in_keys_numbers_and_nested_text():
    redactor = Redactor(["12345678", SECRET])
    value = {SECRET: 1, "n": 12345678, "t": f'{{"x":"{SECRET}"}}'}
    assert redactor.value(value) == {REDACTED: 1, "n": REDACTED, "t": f'{{"x":"{REDACTED}"}}'}


def test_a_short_value_of_a_variable_stays():
    assert Redactor(["short"]).text("a short text") == "a short text"


@pytest.mark.parametrize(
    "secret",
    ['quo"te-secret', "back\\slash-secret", "한글비밀번호값입니다", "tab\tsecret-x", "lone\ud800surrogate"],
)
def test_raw_json_is_searched_in_every_spelling(secret):
    for data in (
        msgspec.json.encode(secret) if secret.isprintable() or "\t" in secret else b'"lone\\ud800surrogate"',
    ):
        raw = Redactor([secret]).raw(Raw(b'{"x":' + data + b"}"))
        assert msgspec.json.decode(raw) == {"x": REDACTED}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=8) | st.sampled_from(["token", "apiKey"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(json_values)
def test_redacting_twice_is_redacting_once(value):
    once = redact(value)
    assert redact(once) == once


@given(st.text())
def test_no_text_breaks_the_patterns(text):
    Redactor([SECRET]).text(text)


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("see https://u:hunter2@host/x", "see https://u:[REDACTED]@host/x"),
        ("postgres://:hunter2@db:5432/x", "postgres://:[REDACTED]@db:5432/x"),
        ('{"url": "https://u:hunter2@h/?a=1"}', '{"url":"https://u:[REDACTED]@h/?a=1"}'),
        (r'"https:\/\/u:hunter2@h"', r'"https:\/\/u:[REDACTED]@h"'),
        ("https://host:8080/a@b", "https://host:8080/a@b"),
        ("mail me: a@b.example", "mail me: a@b.example"),
    ],
)
def test_a_password_in_a_url_is_redacted(text: str, harmless: str):
    assert Redactor().text(text) == harmless


def test_a_password_in_a_url_of_raw_json_is_suspected():
    assert Redactor().suspects(Raw(b'{"url":"https://u:hunter2@h/"}'))
