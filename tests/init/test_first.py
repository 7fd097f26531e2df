"""The first suite for a server passes the checker, whatever the server is called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.init.first import file_name, laid_out, suite
from mcpeak.suite.read import ReadSuite, read_suite


@given(st.text(), st.lists(st.text(min_size=1).filter(str.strip), min_size=1))
def test_it_is_valid(server: str, tools: list[str]):
    assert isinstance(read_suite(laid_out(suite(server, tools, "listed")), "s"), ReadSuite)


@pytest.mark.parametrize(
    ("server", "name"),
    [
        ("Weather Server", "weather-server.suite.json"),
        ("../../etc", "etc.suite.json"),
        ("날씨", "server.suite.json"),
    ],
)
def test_the_file_is_named_after_the_server(server: str, name: str):
    assert file_name(server) == name
