"""Measure mcpeak beside other tools that test or call MCP servers, as ratios in one run.

usage: peers.py [--pairs N]   prints a table; a tool that is not installed is left out and named

Each pair times the other tool and mcpeak one after the other, as whole processes that make the same calls
to server-everything. Installed beforehand: build/real/everything, build/clients/inspector2 and
build/clients/py-fastmcp by their make targets, build/peers/mcp-assert and build/peers/mcp-rig by hand.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
SERVER = BUILD / "real" / "everything" / "node_modules" / ".bin" / "mcp-server-everything"
INSPECTOR = BUILD / "clients" / "inspector2" / "node_modules" / ".bin" / "mcp-inspector"
FASTMCP = BUILD / "clients" / "py-fastmcp" / "bin" / "fastmcp"
ASSERT = BUILD / "peers" / "mcp-assert" / "bin" / "mcp-assert"
RIG = BUILD / "peers" / "mcp-rig" / "bin" / "mcp-rig"
MANY = 50


def suite(calls: int) -> dict[str, object]:
    """Make a suite that lists the tools and calls echo."""
    listed = {
        "id": "list",
        "name": "list",
        "operation": {"type": "listTools"},
        "assertions": [{"type": "toolExists", "tool": "echo"}],
    }
    called = [
        {
            "id": f"c{number}",
            "name": f"call {number}",
            "operation": {"type": "callTool", "tool": "echo", "input": {"message": f"m{number}"}},
            "assertions": [{"type": "isError", "expected": False}],
        }
        for number in range(calls)
    ]
    return {"schemaVersion": 1, "id": "peers", "name": "peers", "cases": [listed, *called]}


def mcpeak(folder: Path, calls: int) -> list[list[str]]:
    """Give mcpeak's command for so many calls."""
    path = folder / f"m{calls}.suite.json"
    path.write_text(json.dumps(suite(calls)))
    return [[sys.executable, str(ROOT / "bin" / "mcpeak"), "test", str(path), "--", str(SERVER), "stdio"]]


def assertions(folder: Path, calls: int) -> list[list[str]]:
    """Give mcp-assert's command: one YAML file a call."""
    where = folder / f"a{calls}"
    where.mkdir(exist_ok=True)
    for number in range(calls):
        (where / f"{number}.yaml").write_text(
            f"name: call {number}\nserver:\n  command: {SERVER}\n  args: [stdio]\n"
            f"assert:\n  tool: echo\n  args:\n    message: m{number}\n  expect:\n    not_error: true\n"
        )
    return [[str(ASSERT), "run", "--suite", str(where)]]


def rig(folder: Path, calls: int) -> list[list[str]]:
    """Give mcp-rig's command: one YAML suite."""
    path = folder / f"r{calls}.yaml"
    tests = "".join(f"  - name: c{n}\n    call: echo\n    args: {{message: m{n}}}\n" for n in range(calls))
    path.write_text(f"server: {SERVER} stdio\ntests:\n{tests}")
    return [[str(RIG), "run", str(path)]]


def inspector(_: Path, __: int) -> list[list[str]]:
    """Give the Inspector's two commands: it makes one request a start."""
    start = [str(INSPECTOR), "--cli", str(SERVER), "stdio", "--method"]
    return [[*start, "tools/list"], [*start, "tools/call", "--tool-name", "echo", "--tool-arg", "message=m0"]]


def fastmcp(_: Path, __: int) -> list[list[str]]:
    """Give FastMCP's command: its CLI lists over stdio, and calls only what is no bare command."""
    return [[str(FASTMCP), "list", "--command", shlex.join([str(SERVER), "stdio"])]]


ROWS = [
    ("list + 1 call", "mcp-assert", ASSERT, assertions, 1),
    ("list + 1 call", "mcp-rig", RIG, rig, 1),
    ("list + 1 call", "Inspector --cli (two starts)", INSPECTOR, inspector, 1),
    ("list (ours: list + 1 call)", "fastmcp list", FASTMCP, fastmcp, 1),
    (f"{MANY} calls", "mcp-assert", ASSERT, assertions, MANY),
    (f"{MANY} calls", "mcp-rig", RIG, rig, MANY),
]


def seconds(commands: Sequence[Sequence[str]]) -> float:
    """Run commands in turn, their output thrown away; give the time on the clock."""
    start = time.perf_counter()
    for command in commands:
        subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    return time.perf_counter() - start


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=5)
    pairs = parser.parse_args().pairs
    print("| what | tool | tool | mcpeak | tool / mcpeak |\n|---|---|---|---|---|")  # noqa: T201 - the table is the output
    with tempfile.TemporaryDirectory() as name:
        for what, tool, path, make, calls in ROWS:
            if not (path.exists() and SERVER.exists()):
                print(f"| {what} | {tool} | not installed | | |")  # noqa: T201 - as above
                continue
            theirs, ours = make(Path(name), calls), mcpeak(Path(name), calls)
            timed = [(seconds(theirs), seconds(ours)) for _ in range(pairs + 1)][1:]
            ratio = median(a / b for a, b in timed)
            left, right = (median(column) * 1000 for column in zip(*timed, strict=True))
            print(f"| {what} | {tool} | {left:.0f} ms | {right:.0f} ms | {ratio:.2f} x |")  # noqa: T201 - as above
    return 0


if __name__ == "__main__":
    sys.exit(main())
