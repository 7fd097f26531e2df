"""Every way in which a server fails, over both transports: the right diagnosis in time, in little memory,
nothing left behind, and every other case judged."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from support.running import case

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
MIB = 1024 * 1024
MEMORY = 200 * MIB
GRACE_MS = 5000
LIMIT_MS = 1000
"""The time limit of a case that is to run into it, and of the others."""


class Fault(NamedTuple):
    """A call that goes wrong between two calls that must not.

    `code`: of the diagnosis, None when the call succeeds all the same. `after`: the verdict of the case after
    it. `notices`: the codes that the run tells. `words`: a part of the diagnosis.
    """

    name: str
    tool: str
    given: dict[str, Any]
    code: str | None
    after: str = "passed"
    notices: tuple[str, ...] = ()
    words: str = ""
    limit_ms: int = LIMIT_MS
    mode: str = "good"


STDIO = [
    Fault("crashes", "crash", {}, "SERVER_EXITED", "notRun", words="exit code 3"),
    Fault("hangs", "hang", {}, "CASE_TIMEOUT"),
    Fault("closes stdout only", "close-stdout", {}, "SERVER_EXITED", "notRun", words="stdout"),
    Fault("ignores EOF and SIGTERM", "echo", {}, None, notices=("SERVER_KILLED",), mode="stubborn"),
    Fault("answers twice", "twice", {}, None, notices=("ANSWER_REPEATED",)),
    Fault("answers with the wrong id", "wrong-id", {}, "CASE_TIMEOUT", notices=("ANSWER_UNKNOWN_ID",)),
    Fault("sends invalid UTF-8", "latin1", {}, "OPERATION_FAILED", words="UTF-8"),
    Fault("leaves a process behind", "child", {}, None, notices=("PROCESS_LEFT_BEHIND",)),
    Fault("forks and exits at once", "echo", {}, None, notices=("SERVER_FORKED",), mode="forks"),
    Fault(
        "forks and exits midway",
        "child",
        {"crash": True},
        "SERVER_EXITED",
        "notRun",
        notices=("PROCESS_LEFT_BEHIND", "SERVER_FORKED"),
        words="exit code 4",
    ),
]
HTTP = [
    Fault("crashes", "crash", {}, "SERVER_EXITED", "notRun", words="exit code 3"),
    Fault("hangs", "hang", {}, "CASE_TIMEOUT"),
    Fault("closes its stream", "close-stdout", {}, "OPERATION_FAILED", words="ended its stream"),
    Fault("cuts an event", "half-event", {}, "OPERATION_FAILED", words="in the middle of an event"),
    Fault("ignores SIGTERM", "echo", {}, None, notices=("SERVER_KILLED",), mode="stubborn"),
    Fault("answers twice", "twice", {}, None, notices=("ANSWER_REPEATED",)),
    Fault("answers with the wrong id", "wrong-id", {}, "OPERATION_FAILED", notices=("ANSWER_UNKNOWN_ID",)),
    Fault("sends invalid UTF-8", "latin1", {}, "OPERATION_FAILED", words="UTF-8"),
    Fault("leaves a process behind", "child", {}, None, notices=("PROCESS_LEFT_BEHIND",)),
    Fault("forks and exits at once", "echo", {}, None, notices=("PROCESS_LEFT_BEHIND",), mode="forks"),
    Fault(
        "forks and exits midway",
        "child",
        {"crash": True},
        "SERVER_EXITED",
        "notRun",
        notices=("PROCESS_LEFT_BEHIND",),
        words="exit code 4",
    ),
]
FAULTS = [("stdio", fault) for fault in STDIO] + [("http", fault) for fault in HTTP]


def around(fault: Fault, pids: Path) -> list[dict[str, Any]]:
    """Put the call between two good ones."""
    given = fault.given | ({"pids": str(pids)} if fault.tool == "child" else {})
    middle = case("b", fault.tool, input=given, timeoutMs=fault.limit_ms)
    return [case("a", "echo"), middle, case("c", "echo")]


def hold_to(fault: Fault, got: Any) -> None:
    """Hold a run to what is expected of it."""
    ran = got.ran
    verdict = "passed" if fault.code is None else "timedOut" if fault.code == "CASE_TIMEOUT" else "failed"
    assert ran.statuses() == {"a": "passed", "b": verdict, "c": fault.after}
    assert tuple(ran.notices()) == fault.notices
    middle = ran.cases()["b"]
    if fault.code not in (None, "CASE_TIMEOUT"):
        diagnostic = middle["result"]["operation"]["diagnostic"]
        assert diagnostic["code"] == fault.code
        assert fault.words in diagnostic["message"]
    assert middle["elapsedMs"] <= fault.limit_ms + GRACE_MS
    assert got.left == []
    assert got.peak < MEMORY


@pytest.mark.parametrize(
    ("transport", "fault"), FAULTS, ids=[f"{transport} {fault.name}" for transport, fault in FAULTS]
)
def test_a_server_that(transport, fault, measured, tmp_path):
    """…fails in this way is diagnosed, and nothing else suffers."""
    hold_to(fault, measured(transport, *around(fault, tmp_path / "pids"), mode=fault.mode))


def test_answers_out_of_order_reach_nobody_else_over_stdio(measured):
    cases = [case("a", "hold", timeoutMs=300), case("b", "release"), case("c", "echo")]
    got = measured("stdio", *cases)
    assert got.ran.statuses() == {"a": "timedOut", "b": "passed", "c": "passed"}
    assert got.ran.notices() == []


def test_answers_out_of_order_reach_nobody_else_over_http(measured):
    got = measured("http", case("a", "hold", timeoutMs=300), case("b", "release"), case("c", "echo"))
    assert got.ran.statuses() == {"a": "timedOut", "b": "passed", "c": "passed"}
    assert got.ran.notices() == []


def heavy(full: bool) -> list[Any]:
    """Calls that write much: a GiB on stderr and 60 MiB in one message, or less of both."""
    mib, size = (1024, 60 * MIB) if full else (32, 6 * MIB)
    limit = 100_000 if full else 20_000
    flood = Fault("floods stderr", "flood", {"mib": mib}, None, limit_ms=limit)
    line = Fault("writes a huge line", "big", {"bytes": size}, None, limit_ms=limit)
    event = Fault("writes a huge event", "big-event", {"bytes": size}, None, limit_ms=limit)
    marks = [pytest.mark.real, pytest.mark.timeout(400)] if full else []
    calls = [("stdio", flood), ("stdio", line), ("http", flood), ("http", line), ("http", event)]
    word = "full" if full else "reduced"
    return [pytest.param(*each, marks=marks, id=f"{each[0]} {each[1].name} {word}") for each in calls]


@pytest.mark.parametrize(("transport", "fault"), [*heavy(full=False), *heavy(full=True)])
def test_much_is_read_in_little_memory_by(transport, fault, measured, tmp_path):
    hold_to(fault, measured(transport, *around(fault, tmp_path / "pids")))
