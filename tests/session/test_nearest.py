from mcpeak.session.exchange import Request
from mcpeak.session.matching import form_of
from mcpeak.session.nearest import Difference, differences, nearest

JSON = (("Content-Type", "application/json"),)


def form(method="GET", url="http://h/x", headers=(), body=b""):
    return form_of(Request(method, url, headers, body))


def test_nothing_recorded_has_no_nearest():
    assert nearest(form(), []) is None


def test_the_same_path_is_nearer_than_the_same_query():
    near = form(url="http://h/x?a=2")
    found = nearest(form(url="http://h/x?a=1"), [form(url="http://h/y?a=1"), near])
    assert found == (near, [Difference("query", "a", "2", "1")])


def test_every_part_that_differs_is_named():
    one = form(url="http://h:1/x?a=1&b=2", headers=(("Accept", "x"),))
    other = form("POST", "https://g/y?b=2&a=1", headers=JSON, body=b"{}")
    parts = [difference.part for difference in differences(one, other)]
    assert parts == ["method", "scheme", "host", "port", "path", "order", "header", "header", "kind"]


def test_json_bodies_differ_at_their_paths():
    one, other = (
        form(headers=JSON, body=body) for body in (b'{"a":{"b":[1,2]},"c":1}', b'{"a":{"b":[1,3]},"d":1}')
    )
    assert list(differences(one, other)) == [
        Difference("json", "$.a.b[1]", "2", "3"),
        Difference("json", "$.c", "1", None),
        Difference("json", "$.d", None, "1"),
    ]


def test_true_is_not_1():
    one, other = (form(headers=JSON, body=body) for body in (b"[true]", b"[1]"))
    assert list(differences(one, other)) == [Difference("json", "$[0]", "true", "1")]


def test_long_values_are_cut():
    found = list(differences(form(body=b"a" * 500), form(body=b"b" * 500)))
    assert len(found[0].recorded) == 80
