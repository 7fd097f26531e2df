"""Workflow commands that mark the suite's own lines in a pull request (`--github`).

Rule of this file: tally in, lines out; no text from a server or suite can become a command
(https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands).
"""

import os
from collections.abc import Iterator

from mcpeak.command.text import clean
from mcpeak.messages import label
from mcpeak.report.flags import flags
from mcpeak.report.plain import block
from mcpeak.report.reasons import reasons
from mcpeak.report.tally import Case, Suite, Tally
from mcpeak.report.width import cut_middle

MOST = 10  # annotations of one severity that GitHub shows of one step
TEXT = 4000  # code points of a message
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def annotations(tally: Tally, root: str | None) -> Iterator[str]:
    """Yield the commands: an error for each case and flag that is red, a warning for each such notice.

    Args:
        tally: what happened.
        root: the workspace that GitHub counts file names from, if it is known.
    """
    errors = [*_cases(tally, root), *_flags(tally, root)]
    yield from errors if len(errors) <= MOST else errors[: MOST - 1]
    if len(errors) > MOST:
        yield _command(
            "error", {"title": "mcpeak"}, label("report", "more_failures", count=len(errors) - MOST + 1)
        )
    warnings = [notice for notice in tally.all_notices() if notice.severity == "warning"]
    for notice in warnings[:MOST]:
        text = f"{notice.message}\n{notice.hint or ''}".strip()
        position = None if notice.line is None else (notice.line, notice.column or 1)
        where = {} if notice.source is None else _where(notice.source, position, root)
        yield _command("warning", {**where, "title": f"{notice.case or 'mcpeak'}: {notice.code}"}, text)


def _cases(tally: Tally, root: str | None) -> Iterator[str]:
    for suite in tally.suites:
        for case in suite.cases:
            if case.status not in ("passed", "notRun"):
                yield _case(suite, case, root)


def _case(suite: Suite, case: Case, root: str | None) -> str:
    found = [] if case.finished is None else reasons(suite.source, case.finished)
    position = next((reason.position for reason in found), None) or case.position
    code = found[0].code if found else case.status
    text = "\n".join([case.name, *block(suite, case, found)])
    return _command("error", {**_where(suite.source, position, root), "title": f"{case.id}: {code}"}, text)


def _flags(tally: Tally, root: str | None) -> Iterator[str]:
    for flag in flags(tally):
        where = {} if flag.source == "mcpeak" else _where(flag.source, flag.position, root)
        yield _command("error", {**where, "title": flag.code}, f"{flag.message}\n{flag.hint}".strip())


def _where(source: str, position: tuple[int, int] | None, root: str | None) -> dict[str, str]:
    file = os.path.relpath(os.path.abspath(source), root) if root else source
    place = {"file": file}
    return place if position is None else {**place, "line": str(position[0]), "col": str(position[1])}


def _command(name: str, properties: dict[str, str], text: str) -> str:
    told = ",".join(f"{key}={_escaped(clean(value), _PROPERTY)}" for key, value in properties.items())
    lines = "\n".join(clean(line) for line in cut_middle(text, TEXT).split("\n"))
    return f"::{name} {told}::{_escaped(lines, _DATA)}"


def _escaped(text: str, table: dict[str, str]) -> str:
    return "".join(table.get(character, character) for character in text)


def defused(line: str) -> str:
    """Make sure that a line is no command: `::` at its start, `##[` anywhere (the runner takes both)."""
    start = line.lstrip()
    if start.startswith("::"):
        line = f"{line[: len(line) - len(start)]}\\u003a{start[1:]}"
    return line.replace("##[", "\\u0023#[")
