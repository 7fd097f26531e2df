"""The tally as plain values for templates: `--html`, `--markdown`, `--template FILE` (docs/reports.md).

Rule of this file: pure; names here are a promise (`VERSION`): some may be added, none changes its meaning.
Every text is untrusted and uncleaned but for the words of mcpeak; escaping is the template's business.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from mcpeak.messages import label, language
from mcpeak.report import approval, determinism, findings, repeat
from mcpeak.report.flags import Flag, flags
from mcpeak.report.human import duration
from mcpeak.report.plain import block, stop_words
from mcpeak.report.reasons import checks, reasons
from mcpeak.report.tally import STATUSES, Case, Suite, Tally
from mcpeak.report.values import of_raw, spread
from mcpeak.report.width import cut_middle
from mcpeak.wire.records import CaseFinished, Notice, Payload, ProcessEnd

VERSION = 1
VALUE = 8000  # code points of an input or an answer
_SERVER = ("name", "version", "protocol_version", "era")
STDERR = 200  # lines of a case's stderr


class Cases:
    """The cases of a suite, each made when it is asked for: a page of 100,000 needs no room for all."""

    def __init__(self, cases: list[Case], make: Callable[[Case], dict[str, Any]]) -> None:
        self._cases = cases
        self._make = make

    def __len__(self) -> int:
        """Count the cases."""
        return len(self._cases)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield each case as a mapping."""
        return map(self._make, self._cases)


def view(tally: Tally, *, timings: bool) -> dict[str, Any]:
    """Give everything that a template can lay out."""
    suites = [_suite(suite, timings) for suite in tally.suites]
    return {
        "version": VERSION,
        "language": language(),
        "green": tally.green,
        "timings": timings,
        "counts": {name: sum(suite["counts"][name] for suite in suites) for name in STATUSES},
        "total": sum(len(suite["cases"]) for suite in suites),
        "suites": suites,
        "flags": [_flag(flag) for flag in flags(tally)],
        "notices": [_notice(notice) for notice in tally.notices],
    }


def _suite(suite: Suite, timings: bool) -> dict[str, Any]:
    def make(case: Case) -> dict[str, Any]:
        return _case(suite, case, timings)

    started = suite.started
    failed = [case for case in suite.cases if case.status not in ("passed", "notRun")]
    return {
        "id": started.suite.id,
        "name": suite.name,
        "source": suite.source,
        "status": suite.status,
        "counts": _counts(suite),
        "server": {
            "target": repeat.server_words(started.server.target),
            **{name: getattr(started.server, name) for name in _SERVER},
        },
        "fingerprint": started.fingerprint,
        "approval": {"state": started.approval, "words": approval.words(suite) or ""},
        "stop": " ".join(stop_words(suite)),
        "incomplete": "" if suite.lost is None else label("report", suite.lost, shares=suite.missing_shares),
        "determinism": "" if suite.determinism is None else determinism.words(suite.determinism),
        "notices": [_notice(notice) for notice in suite.notices],
        "processes": [_process(end) for end in suite.processes],
        "cases": Cases(suite.cases, make),
        "failed": Cases(failed, make),
        "elapsed_ms": sum(case.elapsed_ms for case in suite.cases) if timings else None,
        "timeline": _timeline(suite) if timings else [],
    }


def _counts(suite: Suite) -> dict[str, int]:
    counts = suite.summary
    return {
        "passed": counts.passed,
        "failed": counts.failed,
        "timedOut": counts.timed_out,
        "cancelled": counts.cancelled,
        "notRun": counts.not_run,
    }


def _timeline(suite: Suite) -> list[dict[str, Any]]:
    """Lay the calls one after the other, as they ran: where each begins and how long it is, in percent."""
    whole = sum(case.elapsed_ms for case in suite.cases) or 1.0
    bars, begin = [], 0.0
    for case in suite.cases:
        if case.status != "notRun":
            share = 100 * case.elapsed_ms / whole
            bars.append(
                {
                    "id": case.id,
                    "status": case.status,
                    "start": begin,
                    "length": share,
                    "time": duration(case.elapsed_ms),
                }
            )
            begin += share
    return bars


def _case(suite: Suite, case: Case, timings: bool) -> dict[str, Any]:
    finished = case.finished
    found = [] if finished is None else reasons(suite.source, finished)
    return {
        "index": case.index,
        "id": case.id,
        "name": case.name,
        "status": case.status,
        "flaky": case.flaky,
        "time": duration(case.elapsed_ms) if timings and case.status != "notRun" else "",
        "elapsed_ms": case.elapsed_ms if timings else None,
        "line": None if case.position is None else case.position[0],
        "reasons": [msgspec.to_builtins(reason) for reason in found],
        "text": "\n".join(block(suite, case, found)),
        "checks": [] if finished is None else [msgspec.to_builtins(check) for check in checks(finished)],
        "causes": findings.sentences(suite, case),
        "known_defect": case.id in suite.defects,
        "repeat": repeat.command(suite, case),
        **_traffic(finished),
    }


def _traffic(finished: CaseFinished | None) -> dict[str, Any]:
    if finished is None:
        return {"operation": {}, "input": "", "answer": "", "answer_size": 0, "stderr": [], "by_hand": []}
    operation = of_raw(finished.result.spec).get("operation") or {}
    given = operation.pop("input", None)
    return {
        "operation": operation,
        "input": "" if given is None else cut_middle(spread(given), VALUE),
        "answer": _answer(finished.answer),
        "answer_size": 0 if finished.answer is None else finished.answer.size,
        "stderr": (finished.stderr or [])[-STDERR:],
        "by_hand": finished.repro or [],
    }


def _answer(answer: Payload | None) -> str:
    if answer is None:
        return ""
    return cut_middle(answer.text or "" if answer.json is UNSET else spread(of_raw(answer.json)), VALUE)


def _notice(notice: Notice) -> dict[str, Any]:
    return {
        "severity": notice.severity,
        "case": notice.case or "",
        "code": notice.code,
        "message": notice.message,
        "hint": notice.hint or "",
    }


def _flag(flag: Flag) -> dict[str, Any]:
    return {
        "place": flag.place,
        "code": flag.code,
        "message": flag.message,
        "hint": flag.hint,
        "lines": flag.lines,
    }


def _process(end: ProcessEnd) -> dict[str, Any]:
    return {
        "exit_code": end.exit_code,
        "signal": end.signal,
        "abnormal": end.abnormal,
        "stderr": end.stderr,
        "dropped_lines": end.dropped_lines,
    }
