import json

import pytest

from mcpeak.session import store
from mcpeak.session.exchange import Chunk, Exchange, Recording, Request, Response
from support.programs import run
from support.session_api import api
from support.sessions import record, replay, session

TWO = "import sys, urllib.request as u\nfor path in sys.argv[2:]: u.urlopen(sys.argv[1] + path).read()"


def saved(folder, *urls, body=b"ok"):
    calls = [
        Exchange(
            Request("GET", url), Response(200, "OK", (("Content-Type", "text/plain"),), (Chunk(1, body),))
        )
        for url in urls
    ]
    path = folder / "x.session"
    store.save(str(path), Recording(tuple(calls)))
    return path


def test_inspect_shows_each_call(tmp_path):
    shown = run("mcpeak-session", "inspect", str(saved(tmp_path, "http://h/a", "http://h/b"))).stdout.decode()
    assert shown.splitlines() == [
        "calls: 2; the run that recorded them: ended normally",
        "1  GET http://h/a  200 text/plain 2 B",
        "2  GET http://h/b  200 text/plain 2 B",
    ]


def test_inspect_cleans_what_it_shows(tmp_path):
    shown = run("mcpeak-session", "inspect", str(saved(tmp_path, "http://h/\x1b[31m"))).stdout
    assert b"\x1b" not in shown


def test_inspect_gives_json(tmp_path):
    shown = run(
        "mcpeak-session", "inspect", "--json", str(saved(tmp_path, "http://h/a", body=b"\xff"))
    ).stdout
    told = json.loads(shown)
    assert (told["id"], told["url"], told["chunks"]) == (1, "http://h/a", [[1.0, {"base64": "/w=="}]])


def test_prune_drops_what_the_last_replay_did_not_use(tmp_path):
    file = tmp_path / "x.session"
    with api() as live:
        record(file, "python3", "-c", TWO, live.url, "/a", "/b", "/c")
    replay(file, "python3", "-c", TWO, live.url, "/c", "/a", HOME=str(tmp_path))
    pruned = session("prune", str(file), HOME=str(tmp_path))
    assert (pruned.code, pruned.err) == (0, "calls dropped: 1, kept: 2\n")
    assert [one.request.url for one in store.load(str(file)).exchanges] == [f"{live.url}/a", f"{live.url}/c"]
    assert session("prune", str(file), HOME=str(tmp_path)).err == "calls dropped: 0, kept: 2\n"


def test_nothing_is_pruned_without_a_replay(tmp_path):
    file = saved(tmp_path, "http://h/a")
    pruned = session("prune", str(file), HOME=str(tmp_path))
    assert pruned.code == 3
    assert "REPLAY_UNKNOWN" in pruned.err
    assert len(store.load(str(file)).exchanges) == 1


def test_redact_takes_further_names_and_paths_out(tmp_path):
    file = saved(tmp_path, "http://h/T4kD93kfLsPq02mXvB7q/x?appid=abcd1234efgh", body=b"id abcd1234efgh")
    ran = session("redact", "--redact", "appid", "--redact-paths", str(file))
    assert (ran.code, ran.err) == (0, "calls changed: 1 of 1\n")
    (kept,) = store.load(str(file)).exchanges
    assert (kept.request.url, kept.response.body) == (
        "http://h/[REDACTED]/x?appid=[REDACTED]",
        b"id [REDACTED]",
    )


@pytest.mark.parametrize(
    ("words", "detail"),
    [
        (["record", "x"], "COMMAND_MISSING"),
        (["inspect", "x", "--", "true"], "COMMAND_UNWANTED"),
        (["record", "--allow-new", "x", "--", "true"], "OPTION_ELSEWHERE"),
        (["prune", "--json", "x"], "OPTION_ELSEWHERE"),
        (["replay", "--match", "ignore everything", "x", "--", "true"], "RULE_INVALID"),
        (["play", "x"], "CLI_USAGE"),
        ([], "CLI_USAGE"),
    ],
)
def test_wrong_usage_says_what_is_wrong(words, detail, tmp_path):
    ran = session(*words, cwd=tmp_path)
    assert (ran.code, detail in ran.err) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_a_path_that_looks_like_a_credential_is_warned_of_but_not_shown(tmp_path):
    secret = "T4kD93kfLsPq02mXvB7q"
    with api() as live:
        told = record(tmp_path / "x", "python3", "-c", TWO, live.url, f"/hooks/{secret}").records
        quiet = record(
            tmp_path / "y", "python3", "-c", TWO, live.url, f"/hooks/{secret}", options=("--redact-paths",)
        )
    assert [one["code"] for one in told] == ["SESSION_PATH_CREDENTIAL"]
    assert secret not in json.dumps(told)
    assert quiet.records == []
    assert secret.encode() not in (tmp_path / "y").read_bytes()
