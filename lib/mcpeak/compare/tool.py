"""An edge: reads repeated runs, writes the first of each suite with the verdict of their comparison."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from mcpeak.command import exits
from mcpeak.command.boundary import bounded
from mcpeak.command.options import Parser, describe, program
from mcpeak.command.stage import run_stage, stdin_lines
from mcpeak.compare.pairs import Judged, Pairs
from mcpeak.compare.verdict import NONDETERMINISTIC, NOT_COMPARED
from mcpeak.messages import label, say
from mcpeak.wire.reader import read
from mcpeak.wire.records import Notice, Severity
from mcpeak.wire.writer import Writer

NAME = "mcpeak-compare"
CODES = {NONDETERMINISTIC: "NONDETERMINISTIC", NOT_COMPARED: "NOT_COMPARED"}
SHOWN = 3
"""Differences that a notice names; the report has them all."""


def parser(arguments: Sequence[str]) -> Parser:
    """Build the command line."""
    made = program(NAME, "compare", arguments)
    made.add_argument("--strict", action="store_true", help=describe("compare", "strict"))
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Compare the runs on stdin; give the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return bounded(NAME, lambda: _begin(arguments))


def _begin(arguments: list[str]) -> int:
    given = parser(arguments).parse_args(arguments)
    return run_stage("compare", lambda writer: _work(writer, given))


def _work(writer: Writer, given: Namespace) -> int:
    pairs = Pairs()
    red = False
    for record, line in read(stdin_lines()):
        for out in pairs.see(record, line):
            if isinstance(out, Judged):
                red = _tell(writer, out, strict=given.strict) or red
            else:
                writer.forward(*out)
    for judged in pairs.end():
        red = _tell(writer, judged, strict=given.strict) or red
    return exits.NO if red else exits.GOOD


def _tell(writer: Writer, judged: Judged, *, strict: bool) -> bool:
    """Write what the comparison says, then the first run's last record; tell whether the verdict is red."""
    verdict = judged.determinism
    red = bool(judged.worse)
    if judged.worse:
        _notice(writer, judged, "failure", "REPEAT_FAILED", cases=", ".join(judged.worse))
    code = CODES.get(verdict.conclusion)
    if code is not None:
        red = red or strict
        _notice(
            writer, judged, "failure" if strict else "warning", code, differences=_lines(verdict.differences)
        )
    judged.finished.determinism = verdict
    writer.write(judged.finished)
    return red


def _notice(writer: Writer, judged: Judged, severity: Severity, code: str, **values: str) -> None:
    words = say("compare", code, **values)
    writer.write(
        Notice(
            severity=severity,
            source=judged.source,
            run=judged.finished.run,
            code=code,
            message=words.message,
            hint=words.hint,
        )
    )


def _lines(differences: list[dict[str, Any]]) -> str:
    """Name the differences: case, place, kind; the first few."""
    named = [
        label(
            "compare",
            f"differs_{each['what']}",
            case=each["caseId"],
            path=each.get("path", ""),
            kind=label("compare", f"kind_{each['kind']}") if "kind" in each else "",
        )
        for each in differences[:SHOWN]
    ]
    return "; ".join(named) + (" …" if len(differences) > SHOWN else "")
