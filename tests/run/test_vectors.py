"""The recorded reports (tests/data/vectors/report.json), held to the records of mcpeak-run.

Where we differ on purpose (CONTRACT §4, **better**) the case is named here with its reason; the report's own
tests compare whole documents.
"""

import json
import shutil

import pytest

from support.programs import DATA
from support.running import ran, stream

VECTORS = json.loads((DATA / "vectors" / "report.json").read_text())["vectors"]
RUNS = [vector for vector in VECTORS if vector["report"] is not None and "script" in vector["server"]]
UNREACHED = [
    vector
    for vector in VECTORS
    if vector["report"] is None and "MCP_CONNECTION" in (vector["stderrErrorCode"] or "")
]

DEAD = "a dead server fails the case in flight with SERVER_EXITED; later cases are notRun"
ON = "a timeout does not stop the run"
REFUSED = "a JSON-RPC error counts as the refusal that the case expects"
OURS = "what is in `actual` of OPERATION_FAILED is the reference's own"
SECRETS = "secrets are taken out of rejectionBody too"
DIFFERENT = {
    ("crash mid call then later cases", "boom"): DEAD,
    ("crash mid call then later cases", "after"): DEAD,
    ("crash mid call then later cases", "after-list"): DEAD,
    ("exit 0 mid call", "boom"): DEAD,
    ("exit 0 mid call", "after"): DEAD,
    ("SIGKILL self mid call", "boom"): DEAD,
    ("SIGKILL self mid call", "after"): DEAD,
    ("exits right after initialized", "list"): DEAD,
    ("exits right after initialized", "call"): DEAD,
    ("server exits 6 shortly after last answer", "b"): DEAD,
    ("hang -> timeout, later cases notRun", "after"): ON,
    ("hang -> timeout, later cases notRun", "after-list"): ON,
    ("listTools timeout", "after"): ON,
    ("protocol error then continues", "perr"): OURS,
    ("protocol error then continues", "perr-expected"): REFUSED,
    ("protocol error then continues", "unknown"): REFUSED,
    ("server rejects bad input with JSON-RPC error, case expects isError true", "bad"): REFUSED,
    ("tools/list cursor repeated", "list"): "a repeated cursor has a code of its own",
    ("result is an array (not an object)", "notobj"): OURS,
    ("result is an array (not an object)", "after"): "a result of the wrong shape does not end the run",
    ("result content is a string", "invalid"): OURS,
    ("body assertions", "body-on-error-result"): SECRETS,
}

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="the recorded servers are Node scripts")


def told(case):
    """Leave out our own sentences, which the reference does not have."""
    case = json.loads(json.dumps(case))
    for part in (case["operation"], *case["assertions"]):
        for key in ("message", "hint", "notes"):
            part.get("diagnostic", {}).pop(key, None)
    return case


def command(vector):
    server = vector["server"]
    if "script" in server:
        return ["node", str(DATA / server["script"]), *server["args"]]
    return [
        word.replace("DIRECTORY", "/").replace("MISSING.mjs", "/no/such.mjs") for word in server["command"]
    ]


def run(vector):
    return ran(stream(json.dumps(vector["suite"]).encode()), "--start-timeout", "2", "--", *command(vector))


@pytest.mark.parametrize("vector", RUNS, ids=lambda vector: vector["name"])
def test_the_cases_of_a_run_are_as_recorded(vector):
    if any(option.startswith(("--reset", "--junit")) for option in vector["extraArgs"]):
        pytest.skip("concerns other programs")
    cases = [record["result"] for record in run(vector).all("caseFinished")]
    expected = vector["report"]["cases"]
    assert [case["spec"] for case in cases] == [case["spec"] for case in expected]
    for case, recorded in zip(cases, expected, strict=True):
        reason = DIFFERENT.get((vector["name"], case["spec"]["id"]))
        assert (told(case) == recorded) is (reason is None), reason


@pytest.mark.parametrize("vector", UNREACHED, ids=lambda vector: vector["name"])
def test_a_server_that_was_not_reached_has_the_recorded_code(vector):
    done = run(vector)
    if vector["name"] == "stdout noise line before initialize":
        assert done.notices() == ["STDOUT_NOISE"]  # better: noise kills nothing
        return
    error = done.one("error")
    recorded = vector["stderrErrorCode"]
    if vector["name"] == "command not executable":
        recorded = "MCP_CONNECTION_FAILED/PROCESS_START_FAILED"  # better: no shell tries it
    assert f"{error['code']}/{error['detail']}" == recorded
