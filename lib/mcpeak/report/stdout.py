"""What goes to stdout: the human report, or the format that takes its place; annotations beside it.

Rule of this file: a choice of formats; each is imported when it is asked for.
"""

import os
from argparse import Namespace
from collections.abc import Iterable, Iterator

from mcpeak.command.text import clean
from mcpeak.report.human import Human, render
from mcpeak.report.options import on_stdout
from mcpeak.report.tally import Tally


def machine(given: Namespace) -> str | None:
    """Name the format that takes stdout instead of the human report, if any; a file may be stdout, too."""
    return next(iter(on_stdout(given)), None)


def pieces(given: Namespace, tally: Tally, human: Human, *, runner: bool) -> Iterator[bytes]:
    """Yield the report for stdout.

    Args:
        given: the arguments.
        tally: what happened.
        human: the layout for people.
        runner: whether GitHub's runner reads along: no line of ours may then be a command.
    """
    match machine(given):
        case "json":
            from mcpeak.report.runner_report import document

            for suite in tally.suites:
                parts = document(suite, timings=given.timings)
                yield from map(_harmless, parts) if os.isatty(1) else parts
        case "tap":
            from mcpeak.report import tap

            yield from _lines(tap.document(tally, timings=given.timings), runner=runner)
        case "template":
            from mcpeak.report.templating import theirs
            from mcpeak.report.view import view

            yield theirs(given.template, view(tally, timings=given.timings))
        case None:
            if tally.suites:
                yield from _lines(render(tally, human), runner=runner)


def check(given: Namespace) -> None:
    """Refuse a template that cannot be read or is none, before anything runs.

    Raises:
        InputError: as said.
    """
    if given.template:
        from mcpeak.report.templating import user_template

        user_template(given.template)


def beside(given: Namespace, tally: Tally, root: str | None) -> Iterator[bytes]:
    """Yield what is written after the report, whatever took stdout: GitHub's annotations.

    Args:
        given: the arguments.
        tally: what happened.
        root: the workspace that GitHub counts file names from, if known.
    """
    if given.github:
        from mcpeak.report.github import annotations

        yield from (f"{line}\n".encode("utf-8", "backslashreplace") for line in annotations(tally, root))


def _harmless(json: bytes) -> bytes:
    """Write what could act on a terminal as an escape, which means the same within a JSON text."""
    return b"\n".join(clean(line.decode("utf-8", "backslashreplace")).encode() for line in json.split(b"\n"))


def _lines(lines: Iterable[str], *, runner: bool) -> Iterator[bytes]:
    if runner:
        from mcpeak.report.github import defused

        lines = map(defused, lines)
    yield from (f"{line}\n".encode("utf-8", "backslashreplace") for line in lines)
