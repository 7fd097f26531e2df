"""The repair bundle (`--repair-bundle`): one JSON document for whoever, or whatever, mends the server.

Rule of this file: tally in, one document out; everything in it was redacted by the run already.
"""

from typing import Any

from mcpeak import __version__
from mcpeak.report import findings, repeat
from mcpeak.report.flags import flags
from mcpeak.report.tally import Case, Suite, Tally
from mcpeak.report.values import of_raw
from mcpeak.wire.writer import encode

VERSION = 1


def document(tally: Tally) -> bytes:
    """Gather what mending needs: cases, diagnostics, answers, tools, stderr, the server's identity."""
    return (
        encode(
            {
                "bundleVersion": VERSION,
                "mcpeak": __version__,
                "suites": [_suite(suite) for suite in tally.suites if suite.status != "passed"],
                "troubles": [
                    {
                        "place": f.place,
                        "code": f.code,
                        "message": f.message,
                        "hint": f.hint,
                        "stderr": f.lines,
                    }
                    for f in flags(tally)
                ],
            }
        )
        + b"\n"
    )


def _suite(suite: Suite) -> dict[str, Any]:
    failed = [case for case in suite.cases if case.status not in ("passed", "notRun")]
    named = {_tool(case) for case in failed}
    return {
        "source": suite.source,
        "suite": suite.started.suite,
        "fingerprint": suite.started.fingerprint,
        "approval": suite.started.approval,
        "server": suite.started.server,
        "summary": suite.summary,
        "stopReason": suite.stop_reason,
        "cases": [_case(suite, case) for case in failed],
        "tools": [tool for name, tool in suite.tools.items() if name in named],
        "processes": suite.processes,
        "notices": suite.notices,
    }


def _case(suite: Suite, case: Case) -> dict[str, Any]:
    finished = case.finished
    told: dict[str, Any] = {"index": case.index, "id": case.id, "name": case.name, "status": case.status}
    if finished is None:
        return told
    return told | {
        "position": case.position,
        "result": finished.result,
        "answer": finished.answer,
        "stderr": finished.stderr or [],
        "findings": [
            {"code": f.code, "path": f.path, "message": findings.sentence(f)}
            for f in suite.findings.get(case.id, [])
        ],
        "knownDefect": case.id in suite.defects,
        "repeat": repeat.command(suite, case),
        "messages": finished.repro,
    }


def _tool(case: Case) -> str | None:
    if case.finished is None:
        return None
    operation = of_raw(case.finished.result.spec).get("operation") or {}
    return operation.get("tool")
