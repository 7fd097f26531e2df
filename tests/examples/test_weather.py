"""The example server in both languages, and the suites that a newcomer meets first."""

import json
import shutil
import subprocess
import sys

import pytest

from support.programs import ROOT, environment, run

WEATHER = ROOT / "examples" / "weather"
SERVERS = {
    "python": [sys.executable, str(WEATHER / "server.py")],
    "node": ["node", str(WEATHER / "server.mjs")],
}
CALLS = [
    ("get_weather", {"city": "서울"}),
    ("get_weather", {"city": "Jeju"}),
    ("get_weather", {"city": "Atlantis"}),
    ("get_weather", {"city": 7}),
    ("get_weather", {}),
    ("add", {"a": 2, "b": 3}),
    ("add", {"a": 2.5, "b": -1}),
    ("add", {"a": "2", "b": 3}),
    ("add", {"a": True, "b": 3}),
    ("forecast", {}),
    ("nothing", {}),
]
WAYS = {
    "tool-missing": "TOOL_NOT_FOUND",
    "not-refused": "IS_ERROR_MISMATCH",
    "refused": "IS_ERROR_MISMATCH",
    "body": "BODY_SCHEMA_MISMATCH",
    "structured": "STRUCTURED_CONTENT_SCHEMA_MISMATCH",
    "structured-missing": "STRUCTURED_CONTENT_MISSING",
    "two-texts": "BODY_EXTRACTION_FAILED",
    "unknown-tool": "OPERATION_FAILED",
    "too-slow": "CASE_TIMEOUT",
    "server-dies": "SERVER_EXITED",
}


@pytest.fixture(params=sorted(SERVERS))
def server(request):
    if shutil.which(SERVERS[request.param][0]) is None:
        pytest.skip("node is not installed")
    return SERVERS[request.param]


def ask(server, *requests):
    lines = [json.dumps({"jsonrpc": "2.0", "id": number, **each}) for number, each in enumerate(requests)]
    done = subprocess.run(
        server,
        input="\n\n".join([*lines, ""]).encode(),
        capture_output=True,
        timeout=30,
        check=True,
        env=environment(),
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def read(reply):
    """A reply with its text read as JSON where it is: white space and 24 or 24.0 are each language's own."""
    for block in reply.get("result", {}).get("content", []):
        if block["text"].startswith("{"):
            block["text"] = json.loads(block["text"])
    return reply


def requests():
    yield {"method": "initialize", "params": {"protocolVersion": "2025-06-18"}}
    yield {"method": "initialize", "params": {"protocolVersion": "1999-01-01"}}
    yield {"method": "ping"}
    yield {"method": "nothing"}
    yield {"method": "tools/list"}
    for name, arguments in CALLS:
        yield {"method": "tools/call", "params": {"name": name, "arguments": arguments}}


def test_both_servers_give_the_same_answers():
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    python, node = (ask(SERVERS[name], *requests()) for name in ("python", "node"))
    assert [read(each) for each in python] == [read(each) for each in node]


def call(name, arguments):
    return b'{"id":1,"method":"tools/call","params":{"name":%b,"arguments":%b}}' % (name, arguments)


ODD = {
    "half a surrogate pair": call(b'"get_weather"', rb'{"city":"\ud800"}'),
    "deep arguments": call(b'"add"', b'{"a":%b1%b}' % (b"[" * 100_000, b"]" * 100_000)),
    "arguments that are no object": call(b'"add"', b"[1]"),
    "a name that is no string": call(b'["add"]', b"{}"),
    "a number beyond a double": call(b'"add"', b'{"a":%b,"b":1.5}' % (b"9" * 400)),
    "params that are no object": b'{"id":1,"method":"tools/call","params":[1]}',
    "no JSON": b"Content-Length: 12",
    "no UTF-8": b"\xff",
    "no object": b"[1]",
}


@pytest.mark.parametrize("odd", sorted(ODD))
def test_the_server_outlives(server, odd):
    ping = b'{"jsonrpc":"2.0","id":2,"method":"ping"}'
    done = subprocess.run(
        server,
        input=b"%b\n%b\n" % (ODD[odd], ping),
        capture_output=True,
        timeout=30,
        check=True,
        env=environment(),
    )
    assert json.loads(done.stdout.splitlines()[-1]) == {"jsonrpc": "2.0", "id": 2, "result": {}}


@pytest.mark.parametrize("suite", ["weather.suite.json", "weather.ko.suite.json"])
def test_the_passing_suites_pass(server, suite):
    done = run("mcpeak", "test", str(WEATHER / suite), "--", *server)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_failing_suite_fails_in_each_way(server):
    done = run("mcpeak", "test", str(WEATHER / "failing.suite.json"), "--json", "--", *server)
    assert done.returncode == 1
    cases = {case["spec"]["id"]: case for case in json.loads(done.stdout)["cases"]}
    assert {name: code_of(cases[name]) for name in WAYS} == WAYS
    assert (cases["after"]["status"], cases["not-run"]["status"]) == ("passed", "notRun")


def code_of(case):
    found = [case["operation"], *case["assertions"]]
    return next((each["diagnostic"]["code"] for each in found if "diagnostic" in each), None)
