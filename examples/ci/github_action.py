#!/usr/bin/env python3
"""The step of action.yml: its inputs (INPUT_* variables) → one `mcpeak test` call, without a shell.

Writes the step summary and `status=` for later steps; ends with the status of mcpeak.
"""

import glob
import os
import shlex
import subprocess
import sys


def command_line(given: dict[str, str], summary: str | None) -> list[str]:
    """Make the argument list from the action's inputs."""
    words = ["mcpeak", "test"]
    for pattern in shlex.split(given["SUITES"]):
        words += sorted(glob.glob(pattern, recursive=True)) or [pattern]
    for option, name in (("--junit", "JUNIT"), ("--html", "HTML"), ("--url", "URL")):
        if given[name]:
            words += [option, given[name]]
    words.append("--github")
    if summary:
        words += ["--markdown", summary]
    words += shlex.split(given["OPTIONS"])
    if given["COMMAND"]:
        words += ["--", *shlex.split(given["COMMAND"])]
    return words


def main() -> int:
    """Run it."""
    given = {
        n: os.environ.get(f"INPUT_{n}", "") for n in ("SUITES", "COMMAND", "URL", "OPTIONS", "JUNIT", "HTML")
    }
    status = subprocess.run(
        command_line(given, os.environ.get("GITHUB_STEP_SUMMARY")), check=False
    ).returncode
    output = os.environ.get("GITHUB_OUTPUT")
    if output:
        with open(output, "a", encoding="utf-8") as file:
            file.write(f"status={status}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
