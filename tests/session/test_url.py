import pytest

from mcpeak.session.url import join, pairs, split


@pytest.mark.parametrize(
    ("given", "normal"),
    [
        ("HTTP://Api.Example:80/a?b=1#c", "http://api.example/a?b=1"),
        ("https://api.example:443", "https://api.example/"),
        ("https://api.example:8443/", "https://api.example:8443/"),
        ("http://h/x?b=2&a=1", "http://h/x?b=2&a=1"),
        ("http://h/%e2%82%ac", "http://h/%E2%82%AC"),
        ("http://h/?token=%5BREDACTED%5D", "http://h/?token=[REDACTED]"),
        ("http://[::1]:80/x", "http://[::1]/x"),
        ("http://user@h/x", "http://h/x"),
        ("http://h/x?", "http://h/x?"),
        ("127.0.0.1:5432", "127.0.0.1:5432"),
    ],
)
def test_a_url_has_one_form(given, normal):
    assert join(split(given)) == normal


def test_pairs_keep_order_and_blanks():
    assert pairs("b=2&a=&c&a=%20x+y") == [("b", "2"), ("a", ""), ("c", ""), ("a", " x y")]
