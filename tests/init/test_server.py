"""The printed commands name the server as the user did, and show no secret of its command line."""

import pytest

from mcpeak.init.server import server_words
from mcpeak.init.tool import parser


@pytest.mark.parametrize(
    ("given", "command", "words"),
    [
        ([], None, "-- node s.mjs"),
        (["--url", "http://h/mcp?a&b"], None, "--url 'http://h/mcp?a&b'"),
        (
            ["--url", "http://h/mcp"],
            ["srv", "--api-key", "x"],
            "--url http://h/mcp -- srv --api-key [REDACTED]",
        ),
        (["--header-env", "A=B", "--url", "http://h/"], None, "--url http://h/ --header-env A=B"),
    ],
)
def test_the_words(given: list[str], command: list[str] | None, words: str):
    assert server_words(parser(given).parse_args(given), command, "node s.mjs") == words
