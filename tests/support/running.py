"""Running mcpeak-run in tests: suites as values in, records out."""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from mcpeak.suite.read import ReadSuite, read_suite
from support.programs import run


class Ran(NamedTuple):
    """What mcpeak-run did."""

    code: int
    records: list[dict[str, Any]]
    stderr: str

    def all(self, kind: str) -> list[dict[str, Any]]:
        """Give the records of one type."""
        return [record for record in self.records if record["type"] == kind]

    def one(self, kind: str) -> dict[str, Any]:
        """Give the only record of one type."""
        (record,) = self.all(kind)
        return record

    def cases(self) -> dict[str, dict[str, Any]]:
        """Give the last result of each case by its id."""
        return {case["result"]["spec"]["id"]: case for case in self.all("caseFinished")}

    def statuses(self) -> dict[str, str]:
        """Give the verdict of each case."""
        return {name: case["result"]["status"] for name, case in self.cases().items()}

    def notices(self) -> list[str]:
        """Give the codes of the notices."""
        return [notice["code"] for notice in self.all("notice")]


def suite(*cases: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Make a suite of cases."""
    return {"schemaVersion": 1, "id": "s", "name": "S", "cases": list(cases)} | more


def case(
    name: str,
    tool: str | None = None,
    *assertions: Any,
    input: Any = None,  # noqa: A002 - the word of the suite format
    **more: Any,
) -> dict[str, Any]:
    """Make a case: a call of `tool` that must succeed, or a listing when no tool is named."""
    if tool is None:
        operation: dict[str, Any] = {"type": "listTools"}
        expected: list[Any] = list(assertions) or [{"type": "toolExists", "tool": "echo"}]
    else:
        operation = {"type": "callTool", "tool": tool, "input": input or {}}
        expected = list(assertions) or [{"type": "isError", "expected": False}]
    return {"id": name, "name": name, "operation": operation, "assertions": expected} | more


def stream(*suites: dict[str, Any] | bytes) -> bytes:
    """Write suites as mcpeak-validate would."""
    lines = [b'{"type":"begin","stage":"validate","stream":1}']
    from mcpeak.wire.writer import encode

    for number, one in enumerate(suites):
        data = one if isinstance(one, bytes) else json.dumps(one).encode()
        read = read_suite(data, f"suite{number}.json")
        assert isinstance(read, ReadSuite), read
        lines.append(encode(read.record()))
    lines.append(b'{"type":"end","stage":"validate","counts":{"suites":%d}}' % len(suites))
    return b"\n".join(lines) + b"\n"


def ran(stdin: bytes, *arguments: str, cwd: Path | None = None, **env: str) -> Ran:
    """Run mcpeak-run on a stream."""
    done = run("mcpeak-run", *arguments, stdin=stdin, cwd=cwd, **env)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return Ran(done.returncode, records, done.stderr.decode())


def against(
    server: Path | str,
    *suites: dict[str, Any] | bytes,
    options: tuple[str, ...] = (),
    args: tuple[str, ...] = (),
    **env: str,
) -> Ran:
    """Run suites against a Python server script."""
    return ran(stream(*suites), *options, "--", sys.executable, str(server), *args, **env)


def alive(pid: int | str) -> bool:
    """Tell whether a process lives; a zombie does not."""
    import psutil

    try:
        return psutil.Process(int(pid)).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def left(pids: Path) -> list[str]:
    """Give the processes of a file of numbers that live on, after a moment's grace."""
    import time

    for _ in range(100):
        living = [pid for pid in pids.read_text().split() if alive(pid)]
        if not living:
            return []
        time.sleep(0.02)
    return living
