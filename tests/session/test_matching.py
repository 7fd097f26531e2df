import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.session.exchange import Request
from mcpeak.session.matching import form_of
from mcpeak.session.rules import Rule, parse, without

JSON = (("Content-Type", "application/json"),)
FORM = (("Content-Type", "application/x-www-form-urlencoded"),)


def form(*rules, method="POST", url="http://h/x", headers=(), body=b""):
    return form_of(Request(method, url, headers, body), [parse(rule) for rule in rules])


def multipart(boundary, value="v"):
    body = f'--{boundary}\r\nContent-Disposition: form-data; name="f"\r\n\r\n{value}\r\n--{boundary}--\r\n'
    return form(headers=(("Content-Type", f"multipart/form-data; boundary={boundary}"),), body=body.encode())


def test_json_is_compared_by_value():
    one = form(headers=JSON, body=b'{"a": 1, "b": [true, 1.0]}')
    assert one == form(headers=JSON, body=b'{"b":[true,1],"a":1.0}')
    assert one != form(headers=JSON, body=b'{"b":[1,1],"a":1}')
    assert one != form(headers=JSON, body=b'{"b":[true,2],"a":1}')


def test_big_integers_are_compared_exactly():
    assert form(headers=JSON, body=b"9007199254740993") != form(headers=JSON, body=b"9007199254740992")


def test_a_form_is_compared_by_its_fields():
    assert form(headers=FORM, body=b"a=1&b=%20") == form(headers=FORM, body=b"b=+&a=1")
    assert form(headers=FORM, body=b"a=1") != form(headers=FORM, body=b"a=2")


def test_json_under_the_wrong_name_is_still_json():
    assert form(headers=FORM, body=b'{"a":1,"b":2}').body == form(headers=FORM, body=b'{"b":2, "a":1}').body


def test_multipart_is_compared_without_its_boundary():
    assert multipart("AAA") == multipart("BBB")
    assert multipart("AAA") != multipart("AAA", "w")


def test_other_bodies_are_compared_byte_by_byte():
    assert form(body=b"\x00\x01") == form(body=b"\x00\x01") != form(body=b"\x00\x02")
    assert form(body=b"x" * 100_000).body.startswith('"sha256:')


def test_a_content_coding_makes_no_difference():
    import gzip

    packed = form(headers=(*JSON, ("Content-Encoding", "gzip")), body=gzip.compress(b'{"a": 1}'))
    assert packed == form(headers=JSON, body=b'{"a":1}')


def test_the_order_of_the_query_counts():
    assert form(url="http://h/?a=1&b=2") != form(url="http://h/?b=2&a=1")


@pytest.mark.parametrize("name", ["Accept", "Accept-Language", "Content-Type", "Range"])
def test_these_headers_count(name):
    assert form(headers=((name, "a"),)) != form(headers=((name, "b"),))


@pytest.mark.parametrize("name", ["User-Agent", "Authorization", "Date", "Accept-Encoding", "X-Request-Id"])
def test_other_headers_do_not(name):
    assert form(headers=((name, "a"),)) == form(headers=((name, "b"),)) == form()


@pytest.mark.parametrize(
    ("rule", "one", "other"),
    [
        ("ignore query ts", {"url": "http://h/?a=1&ts=1"}, {"url": "http://h/?ts=2&a=1"}),
        ("ignore port", {"url": "http://h:1/x"}, {"url": "http://h:2/x"}),
        ("ignore body", {"body": b"1"}, {"body": b"2"}),
        ("ignore header accept", {"headers": (("Accept", "a"),)}, {}),
        ("ignore form ts", {"headers": FORM, "body": b"a=1&ts=1"}, {"headers": FORM, "body": b"a=1&ts=2"}),
        ("ignore json $.id", {"headers": JSON, "body": b'{"id":1}'}, {"headers": JSON, "body": b'{"id":2}'}),
        (
            "ignore json items[*].at on http://h/*",
            {"headers": JSON, "body": b'{"items":[{"at":1,"b":1},{"at":2}]}'},
            {"headers": JSON, "body": b'{"items":[{"at":3,"b":1},{}]}'},
        ),
    ],
)
def test_a_rule_leaves_a_part_out(rule, one, other):
    assert form(**one) != form(**other)
    assert form(rule, **one) == form(rule, **other)


def test_a_rule_may_add_a_header():
    rule = "compare header X-Tenant"
    assert form(rule, headers=(("X-Tenant", "a"),)) != form(rule, headers=(("X-Tenant", "b"),))


def test_a_rule_with_a_pattern_leaves_other_urls_alone():
    assert form("ignore query ts on http://other/*", url="http://h/?ts=1").url == "http://h/?ts=1"


@pytest.mark.parametrize(
    "text", ["", "ignore", "ignore query", "compare body", "ignore json", "drop query a", "ignore query a b"]
)
def test_what_is_no_rule_is_refused(text):
    assert parse(text) is None


def test_a_rule_is_read():
    assert parse(" ignore  query ts on https://h/* ") == Rule("ignore", "query", "ts", "https://h/*")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(VALUES, st.lists(st.sampled_from(["a", "b", "[0]", "[*]", "*"]), max_size=4))
def test_leaving_a_path_out_twice_changes_nothing_for_names(value, steps):
    path = "$" + "".join(step if step.startswith("[") else f".{step}" for step in steps)
    once = without(value, path)
    if "[0]" not in steps:
        assert without(once, path) == once
