"""Many calls: each gets its own answer among a thousand responses, and memory stays flat."""

import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from support.programs import BIN, environment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
RESPONSES = 1_000
CALLS = 50_000
BATCH = 1_000
GROWTH = 4 << 20
"""Bytes that the process may grow between its first thousand calls and its last."""


def definition() -> str:
    tool = {"name": "add", "inputSchema": {"type": "object"}}
    responses = [
        {"tool": "add", "args": {"a": n, "b": 1}, "result": {"sum": n + 1}} for n in range(RESPONSES)
    ]
    return json.dumps({"tools": [tool], "responses": responses})


def line(number: int) -> bytes:
    arguments = {"b": 1.0, "a": number % RESPONSES}
    params = {"name": "add", "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}).encode()


def test_50000_calls_among_1000_responses(tmp_path: Path) -> None:
    path = tmp_path / "a.mock.json"
    path.write_text(definition())
    command = [sys.executable, str(BIN / "mcpeak-mock"), str(path)]
    sizes = []
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for start in range(0, CALLS, BATCH):
            numbers = range(start, start + BATCH)
            for number in numbers:
                process.stdin.write(line(number) + b"\n")
                process.stdin.flush()
                answer = json.loads(process.stdout.readline())
                assert answer["id"] == number
                assert answer["result"]["content"][0]["text"] == f'{{"sum":{number % RESPONSES + 1}}}'
            sizes.append(psutil.Process(process.pid).memory_info().rss)
    assert process.returncode == 0
    assert sizes[-1] - sizes[0] < GROWTH
