"""Following nextCursor: the end, the loop, and pages of the wrong shape."""

import pytest
from msgspec import Raw

from mcpeak.protocol.errors import PeerMistake
from mcpeak.protocol.pages import MAX_PAGES, Pages


def page(text: str) -> Raw:
    return Raw(text.encode())


@pytest.mark.parametrize("end", ["", ',"nextCursor":null'])
def test_absent_and_null_cursor_end_the_list(end: str) -> None:
    pages = Pages()
    pages.take(page(f'{{"tools":[{{"name": "a"}}]{end}}}'))
    assert pages.done
    assert [bytes(item) for item in pages.items] == [b'{"name": "a"}']


def test_empty_cursor_is_a_cursor() -> None:
    pages = Pages()
    pages.take(page('{"tools":[],"nextCursor":""}'))
    assert (pages.done, pages.params) == (False, b'{"cursor":""}')


def test_cursor_goes_back_byte_for_byte() -> None:
    pages = Pages()
    pages.take(page(r'{"tools":[],"nextCursor":"\u0061\ud800"}'))
    assert pages.params == rb'{"cursor":"\u0061\ud800"}'


def test_first_page_needs_no_params() -> None:
    assert Pages().params is None


def test_repeated_cursor_is_named() -> None:
    pages = Pages()
    pages.take(page('{"tools":[],"nextCursor":"x"}'))
    with pytest.raises(PeerMistake) as wrong:
        pages.take(page('{"tools":[],"nextCursor":"x"}'))
    assert (wrong.value.code, wrong.value.values) == ("PAGINATION_CURSOR_REPEATED", {"cursor": '"x"'})


def test_endless_list_ends() -> None:
    pages = Pages()
    for number in range(MAX_PAGES - 1):
        pages.take(page(f'{{"tools":[],"nextCursor":"{number}"}}'))
    with pytest.raises(PeerMistake) as wrong:
        pages.take(page('{"tools":[],"nextCursor":"one more"}'))
    assert wrong.value.code == "PAGINATION_TOO_LONG"


@pytest.mark.parametrize(
    "result", ["{}", "[]", '{"tools":{}}', '{"tools":null}', '{"tools":[],"nextCursor":7}']
)
def test_wrong_shape_is_the_servers_mistake(result: str) -> None:
    with pytest.raises(PeerMistake) as wrong:
        Pages().take(page(result))
    assert wrong.value.code == "LIST_SHAPE_INVALID"


def test_tools_beyond_the_fast_decoder_are_kept() -> None:
    pages = Pages()
    deep = "[" * 2000 + "]" * 2000
    pages.take(page('{"tools":[{"name":"\\ud800"},{"x":' + deep + "}]}"))
    assert len(pages.items) == 2
