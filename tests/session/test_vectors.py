"""vectors/session.json: what the reference did with servers/fetchsrv.mjs, step by step, by `mcpeak test`."""

import json
import shutil
import sqlite3
import threading
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from support.differences import differences
from support.programs import DATA, run

STEPS = {step["name"]: step for step in json.loads((DATA / "vectors" / "session.json").read_text())["steps"]}
pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.rfile.read(length)
        self.server.hits += 1
        path = self.path.partition("?")[0]
        told = {
            "n": self.server.hits,
            "token": "SECRET",
            "nested": {"accessToken": "S2", "tokenCount": 3},
            "echo": length,
        }
        status, kind = 200, "application/json"
        if path == "/404":
            status, told = 404, {"e": 1}
        elif path == "/problem":
            kind = "application/problem+json"
        elif path == "/redirect":
            status = 302
        body = json.dumps(told, separators=(",", ":")).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Set-Cookie", "sid=1")
        if status == 302:
            self.send_header("Location", "/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PUT = do_GET  # noqa: N815 - http.server's names


@contextmanager
def api():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.hits = True, 0
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def get(path, **more):
    return ("get", {"path": path, **more})


JSON = {"content-type": "application/json"}
URL = "/json?token=abc&q=1"
HEADERS = {"accept": "application/json", "x-foo": "v"}
# vector name → (action, file, cases: (tool, input, isError expected), options)
SCRIPT = [
    (
        "record simple",
        "record",
        "a",
        [(*get(URL, headers={**HEADERS, "authorization": "Bearer one"}), False)],
    ),
    (
        "replay simple (same request, different auth token)",
        "replay",
        "a",
        [(*get(URL, headers={**HEADERS, "authorization": "Bearer two"}), False)],
    ),
    (
        "replay different query order is a miss",
        "replay",
        "a",
        [("swallow", {"path": "/json?q=1&token=abc"}, False)],
    ),
    (
        "replay accept header differs is a miss",
        "replay",
        "a",
        [(*get(URL, headers={"accept": "text/html"}), False)],
    ),
    ("replay zero consumed", "replay", "a", [("never", {}, False)]),
    (None, "record", "seq", [("seq_same", {}, False)]),
    ("replay four when three recorded", "replay", "seq", [("seq_same", {}, False), (*get("/json"), False)]),
    (None, "record", "pd", [("par_diff", {}, False)]),
    ("replay parallel different", "replay", "pd", [("par_diff", {}, False)]),
    (None, "record", "n", [(*get("/404"), False)]),
    ("replay 404 json", "replay", "n", [(*get("/404"), True)]),
    ("record redirect", "record", "r", [(*get("/redirect"), False)]),
    ("record PUT", "record", "put", [(*get("/json", method="PUT", body={"a": 1}), False)]),
    (
        "record POST json",
        "record",
        "post",
        [(*get("/json", method="POST", headers=JSON, body={"b": 1, "a": 2, "password": "p"}), False)],
    ),
    (
        "replay POST json other key order and other password",
        "replay",
        "post",
        [(*get("/json", method="POST", headers=JSON, body={"password": "q", "a": 2, "b": 1}), False)],
    ),
    (
        "record POST form",
        "record",
        "form",
        [("raw", {"headers": {"content-type": "application/x-www-form-urlencoded"}, "body": "a=1"}, False)],
    ),
    ("record POST string no content-type", "record", "str", [("raw", {"body": "plain"}, False)]),
    ("record problem+json", "record", "prob", [(*get("/problem"), False)]),
    (None, "record", "nh", [("never", {}, False)]),
    ("replay empty session", "replay", "nh", [("nodehttp", {}, False)]),
    ("record failing assertion -> session failed", "record", "f", [(*get("/json"), True)]),
    ("env visible to server", "record", "env", [("env", {}, True)]),
    ("session file missing", "replay", "none", [("never", {}, False)]),
    ("record into missing dir", "record", "nodir/x", [("never", {}, False)]),
    ("both options", "both", "x", [("never", {}, False)]),
    ("determinism with session", "determinism", "x", [("never", {}, False)]),
]


def suite(cases):
    def case(number, tool, given, expected):
        assertion = {"type": "isError", "expected": expected}
        operation = {"type": "callTool", "tool": tool, "input": given}
        return {"id": "ab"[number], "name": "x", "operation": operation, "assertions": [assertion]}

    return {
        "schemaVersion": 1,
        "id": "s",
        "name": "s",
        "cases": [case(n, *one) for n, one in enumerate(cases)],
    }


def options(action, file, folder):
    path = str(folder / f"{file}.db")
    return {
        "record": ["--record-session", path],
        "replay": ["--session", path],
        "both": ["--record-session", path, "--session", str(folder / "a.db")],
        "determinism": ["--record-session", path, "--determinism"],
    }[action]


def seen(ran, hits):
    """What a step showed, in the vector's words. `told`: whether there was more to say than misses."""
    err = ran.stderr.decode()
    report = json.loads(ran.stdout.decode().splitlines()[0]) if ran.stdout.strip() else {"cases": []}
    cases = [[case["spec"]["id"], case["status"], *_text(case)] for case in report["cases"]]
    misses = err.count("[SESSION_MISS]")
    return {
        "exitCode": ran.returncode,
        "errorCode": next(
            (code for code in ("EXTERNAL_SESSION_FAILED", "CLI_USAGE") if f"[{code}" in err), None
        ),
        "cases": cases,
        "httpHits": hits,
        "missCount": misses,
        "told": err.count("[SESSION_") > misses,
    }


def _text(case):
    """The server's own words where a vector has them and no secret is in them."""
    notes = [note for one in case["assertions"] for note in one.get("diagnostic", {}).get("notes", [])]
    return [note for note in notes[:1] if "REDACTED" not in note]


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    """All steps, one after the other: later ones replay what earlier ones recorded."""
    folder = tmp_path_factory.mktemp("session-vectors")
    found = {}
    with api() as server:
        url = f"http://127.0.0.1:{server.server_address[1]}"
        for name, action, file, cases in SCRIPT:
            path = folder / "suite.json"
            path.write_text(json.dumps(suite(cases)))
            before = server.hits
            command = ["--", "node", str(DATA / "servers" / "fetchsrv.mjs"), url]
            words = options(action, file, folder)
            ran = run("mcpeak", "test", str(path), "--json", *words, *command, HOME=str(folder))
            found[name] = seen(ran, server.hits - before)
    return found, folder


def expected(name):
    step = STEPS[name]
    told = {
        "exitCode": step["exitCode"],
        "errorCode": step["errorCode"],
        "cases": [[part for part in case if part is not None] for case in step.get("cases", [])],
        "httpHits": step["httpHits"],
        "missCount": step["missCount"],
        "told": step["notices"] > 0,
    }
    ours = {key: value for key, value in differences("session").get(name, {}).items() if key != "reason"}
    return {key: value if value != "" else None for key, value in (told | ours).items()}


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", STEPS)
def test_a_step_is_as_recorded_or_better(name, steps):
    assert steps[0][name] == expected(name)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_the_file_of_a_failed_run_says_so(steps):
    with closing(sqlite3.connect(steps[1] / "f.db")) as database:
        assert dict(database.execute("SELECT * FROM meta"))["status"] == "failed"


def test_every_step_is_played():
    assert [name for name, *_ in SCRIPT if name] == list(STEPS)
