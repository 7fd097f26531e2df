"""Two runs of one suite, case by case, and what they say together.

Rule of this file: pure; records in, the `determinism` of the report out. A case that did not run twice is
skipped.
"""

from typing import Any, NamedTuple

from msgspec import UNSET

from mcpeak.compare.difference import differences
from mcpeak.wire.json import JsonError, parse
from mcpeak.wire.records import CaseFinished, Determinism

DETERMINISTIC = "deterministic"
CONSISTENT = "consistentWithoutReset"
NONDETERMINISTIC = "nondeterministic"
NOT_COMPARED = "notCompared"


class Run(NamedTuple):
    """What is kept of a run. `reset`: the world was put back before it."""

    reset: bool
    cases: dict[int, CaseFinished]


def determinism(first: Run, others: list[Run], total: int) -> Determinism:
    """Compare a run with its repetitions. `total`: how many cases the suite has."""
    found: list[dict[str, Any]] = []
    compared = 0
    for index in range(total):
        seen = [run.cases.get(index) for run in (first, *others)]
        ran = [
            case for case in seen if case is not None and case.result.status not in ("notRun", "cancelled")
        ]
        if len(ran) < len(seen) or len(seen) < 2:  # noqa: PLR2004 - two make a comparison
            continue
        compared += 1
        for place, other in enumerate(ran[1:], 2):
            found += _case(ran[0], other, place)
    return Determinism(
        compared=compared,
        skipped=total - compared,
        differences=found,
        conclusion=_conclusion(compared, found, [first, *others]),
    )


def _conclusion(compared: int, found: list[dict[str, Any]], runs: list[Run]) -> str:
    if found:
        return NONDETERMINISTIC
    if not compared:
        return NOT_COMPARED
    return DETERMINISTIC if all(run.reset for run in runs) else CONSISTENT


def _case(first: CaseFinished, second: CaseFinished, run: int) -> list[dict[str, Any]]:
    """Compare one case of two runs: status, then assertions, then the whole answer."""
    base = {"caseId": name_of(first), "run": run}
    if first.result.status != second.result.status:
        return [base | {"what": "status", "first": first.result.status, "second": second.result.status}]
    one = [assertion.status for assertion in first.result.assertions]
    other = [assertion.status for assertion in second.result.assertions]
    found = [base | {"what": "assertions", "first": one, "second": other}] if one != other else []
    if first.answer_digest != second.answer_digest:
        found += [base | {"what": "answer"} | each for each in _answers(first, second)]
    return found


def name_of(case: CaseFinished) -> str:
    """Give a case's id."""
    spec = parse(bytes(case.result.spec))
    return str(spec["id"] if isinstance(spec, dict) and "id" in spec else case.index)


def _answers(first: CaseFinished, second: CaseFinished) -> list[dict[str, Any]]:
    """Say where two whole answers differ; what is redacted or cut differs where nothing can be shown."""
    one, other = _answer(first), _answer(second)
    shown = [difference._asdict() for difference in differences(one, other)]
    if shown:
        return shown
    hidden = any(_hidden(case) for case in (first, second))
    return [{"path": "$", "kind": "hidden"}] if hidden else []


def _answer(case: CaseFinished) -> Any:
    answer = case.answer
    if answer is None:
        return None
    if answer.json is UNSET:
        return answer.text
    try:
        return parse(bytes(answer.json))
    except JsonError:  # a server may send what no reader takes: its text is compared
        return bytes(answer.json).decode("utf-8", "replace")


def _hidden(case: CaseFinished) -> bool:
    answer = case.answer
    if answer is None or answer.json is UNSET:
        return True
    return b"[REDACTED]" in bytes(answer.json)
