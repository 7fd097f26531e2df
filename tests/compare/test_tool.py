"""mcpeak-compare over hand-made streams of two runs."""

import json
from typing import Any

import pytest

from support.programs import run


def started(number: int, total: int = 1, source: str = "s.json", **more: Any) -> dict[str, Any]:
    return {
        "type": "runStarted",
        "run": number,
        "source": source,
        "suite": {"id": "s", "name": "S"},
        "total": total,
        "fingerprint": "f",
        "approval": "absent",
        "server": {"target": "x"},
        "repeat": number + 1,
    } | more


def finished(
    number: int, answer: Any = 1, status: str = "passed", index: int = 0, digest: str | None = None
) -> dict[str, Any]:
    result = {
        "spec": {"id": f"c{index}"},
        "status": status,
        "operation": {"status": "completed"},
        "assertions": [{"spec": {}, "status": status if status == "passed" else "failed"}],
        "rejectionBasis": "notApplicable",
    }
    return {
        "type": "caseFinished",
        "run": number,
        "index": index,
        "elapsedMs": 1,
        "result": result,
        "answer": {"size": 1, "json": answer},
        "answerDigest": digest or json.dumps(answer),
    }


def ended(number: int, status: str = "passed") -> dict[str, Any]:
    counts = dict.fromkeys(
        ("total", "passed", "failed", "timedOut", "cancelled", "notRun", "rejectionUnverified"), 0
    )
    return {"type": "runFinished", "run": number, "status": status, "summary": counts}


def compared(*records: dict[str, Any], arguments: tuple[str, ...] = ()) -> tuple[int, list[dict[str, Any]]]:
    lines = [
        {"type": "begin", "stage": "run", "stream": 1},
        *records,
        {"type": "end", "stage": "run", "counts": {}},
    ]
    done = run("mcpeak-compare", *arguments, stdin="\n".join(map(json.dumps, lines)))
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def verdicts(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record["determinism"] for record in records if record["type"] == "runFinished"]


def twice(first: dict[str, Any], second: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [started(0, **more), first, ended(0), started(1, **more), second, ended(1)]


def test_equal_runs_with_a_reset_are_deterministic() -> None:
    code, records = compared(*twice(finished(0), finished(1), reset=True))
    assert verdicts(records) == [
        {"compared": 1, "skipped": 0, "differences": [], "conclusion": "deterministic"}
    ]
    assert code == 0


def test_equal_runs_without_a_reset_are_only_consistent() -> None:
    _, records = compared(*twice(finished(0), finished(1)))
    assert verdicts(records)[0]["conclusion"] == "consistentWithoutReset"


def test_a_difference_is_told_with_its_place_kind_and_values() -> None:
    code, records = compared(*twice(finished(0, {"n": 1}), finished(1, {"n": 2})))
    [verdict] = verdicts(records)
    assert verdict["conclusion"] == "nondeterministic"
    assert verdict["differences"] == [
        {
            "caseId": "c0",
            "run": 2,
            "what": "answer",
            "path": "$.n",
            "kind": "counter",
            "first": 1,
            "second": 2,
        }
    ]
    [notice] = [record for record in records if record["type"] == "notice"]
    assert (notice["severity"], notice["message"], code) == (
        "warning",
        "the answers differ between runs: c0: $.n (a counter)",
        0,
    )


def test_strict_makes_a_difference_the_verdict() -> None:
    code, records = compared(*twice(finished(0, 1), finished(1, 2)), arguments=("--strict",))
    assert [record["severity"] for record in records if record["type"] == "notice"] == ["failure"]
    assert code == 1


def test_the_report_sees_each_case_once() -> None:
    _, records = compared(*twice(finished(0), finished(1)))
    kinds = [record["type"] for record in records]
    assert kinds == ["begin", "runStarted", "caseFinished", "runFinished", "end"]


def test_a_case_that_fails_only_when_repeated_is_a_failure() -> None:
    code, records = compared(*twice(finished(0), finished(1, status="failed")))
    severities = [(record["code"], record["severity"]) for record in records if record["type"] == "notice"]
    assert severities[0] == ("REPEAT_FAILED", "failure")
    assert code == 1


def test_a_case_that_did_not_run_twice_is_skipped() -> None:
    _, records = compared(*twice(finished(0), finished(1, status="notRun"), total=2))
    assert (verdicts(records)[0]["compared"], verdicts(records)[0]["skipped"]) == (0, 2)
    assert verdicts(records)[0]["conclusion"] == "notCompared"


def test_a_single_run_was_not_compared() -> None:
    code, records = compared(started(0), finished(0), ended(0))
    assert (verdicts(records)[0]["conclusion"], code) == ("notCompared", 0)


def test_a_difference_in_what_is_redacted_is_told_without_the_value() -> None:
    _, records = compared(
        *twice(finished(0, "[REDACTED]", digest="a"), finished(1, "[REDACTED]", digest="b"))
    )
    assert verdicts(records)[0]["differences"] == [
        {"caseId": "c0", "run": 2, "what": "answer", "path": "$", "kind": "hidden"}
    ]


def test_key_order_alone_is_no_difference() -> None:
    first, second = finished(0, {"a": 1, "b": 2}), finished(1, {"b": 2, "a": 1})
    _, records = compared(*twice(first, second))
    assert verdicts(records)[0]["differences"] == []


def test_suites_are_compared_apart() -> None:
    other = [record | {"run": record["run"] + 2} for record in twice(finished(0, 1), finished(1, 2))]
    other = [record | {"source": "t.json"} if record["type"] == "runStarted" else record for record in other]
    _, records = compared(*twice(finished(0), finished(1)), *other)
    assert [verdict["conclusion"] for verdict in verdicts(records)] == [
        "consistentWithoutReset",
        "nondeterministic",
    ]


def test_runs_that_come_mixed_are_told_apart() -> None:
    first = twice(finished(0, 1), finished(1, 1))
    second = [record | {"run": record["run"] + 2} for record in twice(finished(0, 1), finished(1, 2))]
    second = [
        record | {"source": "t.json"} if record["type"] == "runStarted" else record for record in second
    ]
    mixed = [record for pair in zip(first, second, strict=True) for record in pair]
    _, records = compared(*mixed)
    assert [verdict["conclusion"] for verdict in verdicts(records)] == [
        "consistentWithoutReset",
        "nondeterministic",
    ]
    assert [record["run"] for record in records if record["type"] == "runFinished"] == [0, 2]


def test_streams_whose_numbers_are_the_same_are_told_apart() -> None:
    one = [started(0), finished(0, 1), ended(0)]
    other = [started(0, source="t.json"), finished(0, 1), ended(0)]
    _, records = compared(*one, *one, *other, *other)
    kinds = [record["type"] for record in records]
    assert kinds == ["begin", *["runStarted", "caseFinished", "runFinished"] * 2, "end"]
    assert [verdict["conclusion"] for verdict in verdicts(records)] == ["consistentWithoutReset"] * 2


def test_what_it_does_not_know_goes_on() -> None:
    _, records = compared({"type": "coffee", "hot": True}, *twice(finished(0), finished(1)))
    assert records[1] == {"type": "coffee", "hot": True}


@pytest.mark.parametrize("severity", ["info", "warning"])
def test_notices_of_a_repetition_are_not_told_twice(severity: str) -> None:
    notice = {"type": "notice", "severity": severity, "run": 1, "code": "C", "message": "m"}
    _, records = compared(*twice(finished(0), finished(1))[:5], notice, ended(1))
    assert [record for record in records if record["type"] == "notice"] == []


def test_a_failure_of_a_repetition_is_never_lost() -> None:
    notice = {"type": "notice", "severity": "failure", "run": 1, "code": "C", "message": "m"}
    _, records = compared(*twice(finished(0), finished(1))[:5], notice, ended(1))
    assert [record["code"] for record in records if record["type"] == "notice"] == ["C"]
