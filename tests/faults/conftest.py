"""One run of mcpeak-run against a server that misbehaves: its records, its memory, what it left."""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

from support.programs import ROOT, environment
from support.running import Ran, stream, suite

TESTS = ROOT / "tests"
OVER_STDIO = TESTS / "run" / "servers" / "faults.py"
OVER_HTTP = TESTS / "faults" / "servers" / "over_http.py"


class Measured(NamedTuple):
    """`peak`: bytes of resident memory of mcpeak-run; `left`: the command lines of what still runs."""

    ran: Ran
    peak: int
    left: list[str]


def target(transport: str, mode: str, mark: Path) -> list[str]:
    """Give the words of mcpeak-run that name the server."""
    if transport == "stdio":
        return ["--", sys.executable, str(OVER_STDIO), mode, str(mark)]
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    served = ["--", sys.executable, str(OVER_HTTP), str(port), mode, str(mark)]
    return ["--url", f"http://127.0.0.1:{port}/mcp", *served]


def living(mark: Path) -> list[str]:
    """Give the processes that have the mark on their command lines, after a moment's grace."""
    for _ in range(100):
        found = []
        for process in psutil.process_iter(["cmdline", "status"]):
            words = process.info["cmdline"] or []
            if str(mark) in words and process.info["status"] != psutil.STATUS_ZOMBIE:
                found.append(" ".join(words))
        if not found:
            break
        time.sleep(0.02)
    return found


@pytest.fixture
def measured(tmp_path: Path) -> Any:
    """Run cases over a transport and measure."""

    def run(transport: str, *cases: Any, mode: str = "good", options: tuple[str, ...] = ()) -> Measured:
        peak, mark = tmp_path / "peak", tmp_path / "mark"
        words = [str(peak), *options, *target(transport, mode, mark)]
        done = subprocess.run(
            [sys.executable, str(TESTS / "faults" / "measured.py"), *words],
            input=stream(suite(*cases)),
            capture_output=True,
            env=environment(PYTHONPATH=os.pathsep.join([str(ROOT / "lib")])),
            timeout=300,
            check=False,
        )
        assert peak.exists(), done.stderr.decode()
        records = [json.loads(line) for line in done.stdout.splitlines()]
        ran = Ran(done.returncode, records, done.stderr.decode())
        return Measured(ran, int(peak.read_text("ascii")), living(mark))

    return run
