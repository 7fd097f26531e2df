"""The command line that repeats a case, and a server as its user named it."""

import pytest

from mcpeak.report import repeat
from mcpeak.wire.records import ServerFacts
from support.streams import case, finished, fold, started

NODE = "node server.mjs"
REPLAY = "mcpeak-session replay s.db -- node server.mjs"
RECORD = "/x/mcpeak-session record --force --pass h 's p.db' -- node server.mjs"


def line(target, reached_by=None):
    begun = started(1, source="s.json", server=ServerFacts(target=target), reached_by=reached_by)
    (suite,) = fold(begun, *case(0, "c", "failed"), finished("failed")).suites
    return repeat.command(suite, suite.cases[0])


@pytest.mark.parametrize(
    ("target", "reached_by", "words"),
    [
        (NODE, None, "-- node server.mjs"),
        (NODE, "--env KEY --cwd d -- node server.mjs", "--env KEY --cwd d -- node server.mjs"),
        (NODE, "--config c.json --server w", "--config c.json --server w"),
        (REPLAY, None, "--session s.db -- node server.mjs"),
        (RECORD, None, "--session 's p.db' --pass h -- node server.mjs"),
        (
            RECORD,
            "--env KEY --record-session 's p.db' --force --pass h -- node server.mjs",
            "--env KEY --session 's p.db' --pass h -- node server.mjs",
        ),
    ],
)
def test_the_line_reaches_the_server_as_the_run_did(target, reached_by, words):
    assert line(target, reached_by) == f"mcpeak test s.json --filter c {words}"


def test_without_a_server_there_is_no_line():
    assert line("") == ""


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (NODE, NODE),
        ("http://127.0.0.1/mcp", "http://127.0.0.1/mcp"),
        (REPLAY, "--session s.db -- node server.mjs"),
        (RECORD, "--record-session 's p.db' --force --pass h -- node server.mjs"),
    ],
)
def test_a_server_is_shown_as_its_user_named_it(target, words):
    assert repeat.server_words(target) == words
