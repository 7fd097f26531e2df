"""Which cases did not pass, for the next `mcpeak test --failed`: one line of JSON.

Rule of this file: tally in, one document out. It is a convenience: no verdict depends on it.
"""

from mcpeak.report.tally import Tally
from mcpeak.wire.writer import encode

VERSION = 1


def document(tally: Tally) -> bytes:
    """Give the ids of the cases that did not pass, by suite file; files without one are left out."""
    failed: dict[str, list[str]] = {}
    for suite in tally.suites:
        ids = [case.id for case in suite.cases if case.status != "passed"]
        if ids:
            failed.setdefault(suite.source, []).extend(ids)
    return encode({"version": VERSION, "failed": failed}) + b"\n"
