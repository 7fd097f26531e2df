"""The files that a report can be written to: which option, which code when it fails, which format fills it.

Rule of this file: the table; a format is imported when it is asked for.
"""

from argparse import Namespace
from collections.abc import Callable, Iterable

from msgspec import Struct

from mcpeak.report.tally import Tally

Pieces = Callable[[Tally], Iterable[bytes]]


class Output(Struct):
    """One file to write: where, the code of its failure, and what fills it.

    `only_red`: written only when not all passed; `matters`: whether a failure to write it is red.
    """

    path: str
    code: str
    pieces: Pieces
    only_red: bool = False
    matters: bool = True

    def wanted(self, tally: Tally) -> bool:
        """Tell whether this tally is to be written."""
        return not (self.only_red and tally.green)


def outputs(given: Namespace) -> list[Output]:
    """Give the files that the arguments ask for, in the order of the table."""
    return [
        Output(getattr(given, name), code, make(given), name in _ONLY_RED, name not in _CONVENIENCE)
        for name, code, make in _TABLE
        if getattr(given, name)
    ]


def _junit(given: Namespace) -> Pieces:
    from mcpeak.report.junit import document

    return lambda tally: document(tally, timings=given.timings)


def _html(given: Namespace) -> Pieces:
    from mcpeak.report.html import document

    return lambda tally: document(tally, timings=given.timings)


def _markdown(given: Namespace) -> Pieces:
    from mcpeak.report.markdown import document

    return lambda tally: document(tally, timings=given.timings)


def _bundle(_: Namespace) -> Pieces:
    from mcpeak.report.bundle import document

    return lambda tally: [document(tally)]


def _remember(_: Namespace) -> Pieces:
    from mcpeak.report.remember import document

    return lambda tally: [document(tally)]


_TABLE: list[tuple[str, str, Callable[[Namespace], Pieces]]] = [
    ("junit", "JUNIT_WRITE_FAILED", _junit),
    ("html", "HTML_WRITE_FAILED", _html),
    ("markdown", "MARKDOWN_WRITE_FAILED", _markdown),
    ("repair_bundle", "REPAIR_BUNDLE_WRITE_FAILED", _bundle),
    ("remember", "REMEMBER_WRITE_FAILED", _remember),
]
_ONLY_RED = ("repair_bundle",)
_CONVENIENCE = ("remember",)
