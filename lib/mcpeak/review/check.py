"""Whether what a person or a provider wrote can be a suite.

Rule of this file: pure; the checker of suites decides, this file only asks it.
"""

from typing import Any

from mcpeak.suite.read import ReadSuite, read_suite
from mcpeak.wire.json import JsonError, dumps_line, parse

MOST = 3


def problems(suite: Any) -> list[str]:
    """Give what is wrong with a suite, the first few problems, as `path: message`."""
    read = read_suite(dumps_line(suite), "-")
    if isinstance(read, ReadSuite):
        return []
    return [f"{issue.path}: {issue.message}" for issue in read[:MOST]]


def json_of(text: str) -> tuple[Any, str | None]:
    """Read JSON that a person typed; give the value and what is wrong with it (`line:column`)."""
    try:
        return parse(text.encode("utf-8", "surrogatepass")), None
    except JsonError as wrong:
        return None, f"{wrong.line}:{wrong.column}"
