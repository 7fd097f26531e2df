"""Running mcpeak-session around small programs, as a shell or as mcpeak-run would."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from support.programs import BIN, environment


class Ran(NamedTuple):
    """How it ended: status, what the child wrote, and the wrapper's own records."""

    code: int
    out: str
    err: str
    records: list[dict[str, Any]]

    def codes(self) -> list[str]:
        """The codes of the records, in order."""
        return [record["code"] for record in self.records]


def session(*words: str, stdin: bytes = b"", cwd: Path | None = None, timeout: float = 60, **env: str) -> Ran:
    """Run the wrapper and read its records from a descriptor of its own."""
    told, tell = os.pipe()
    plain = {name: value for name, value in environment().items() if not name.upper().endswith("_PROXY")}
    variables = {**plain, "MCPEAK_RECORDS_FD": str(tell), **env}
    process = subprocess.Popen(
        [sys.executable, str(BIN / "mcpeak-session"), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=(tell,),
        env=variables,
        cwd=cwd,
    )
    os.close(tell)
    try:
        out, err = process.communicate(stdin, timeout=timeout)
    finally:
        process.kill()
        process.wait()
    with os.fdopen(told, "rb") as file:
        records = [json.loads(line) for line in file]
    return Ran(process.returncode, out.decode(), err.decode(), records)


def record(file: Path, *command: str, options: tuple[str, ...] = (), **rest: Any) -> Ran:
    """Record a command."""
    return session("record", *options, str(file), "--", *command, **rest)


def replay(file: Path, *command: str, options: tuple[str, ...] = (), **rest: Any) -> Ran:
    """Replay a command."""
    return session("replay", *options, str(file), "--", *command, **rest)
