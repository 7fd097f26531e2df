"""A filter that starts slowly is a bug: what may not be loaded when its tool is imported."""

import json
import subprocess
import sys

import pytest

from support.programs import BIN, ROOT, environment

HEAVY = {
    "structlog",
    "anyio",
    "asyncio",
    "jinja2",
    "psutil",
    "httpx",
    "starlette",
    "uvicorn",
    "jsonschema_rs",
    "trustme",
}
ROOMS = [
    "front",
    *sorted(path.name.removeprefix("mcpeak-") for path in BIN.iterdir() if path.name != "mcpeak"),
]
REPORT = "import json, sys; import mcpeak.{room}.tool; print(json.dumps(sorted(sys.modules)))"


@pytest.mark.parametrize("room", ROOMS)
def test_importing_a_tool_loads_nothing_heavy(room):
    done = subprocess.run(
        [sys.executable, "-c", REPORT.format(room=room)],
        capture_output=True,
        env=environment(PYTHONPATH=str(ROOT / "lib")),
        timeout=60,
        check=True,
    )
    assert HEAVY & set(json.loads(done.stdout)) == set()


def test_the_front_end_loads_no_parser_and_no_other_program():
    done = subprocess.run(
        [sys.executable, "-c", REPORT.format(room="front")],
        capture_output=True,
        env=environment(PYTHONPATH=str(ROOT / "lib")),
        timeout=60,
        check=True,
    )
    loaded = set(json.loads(done.stdout))
    assert {"argparse", "tomllib", "pathlib", "msgspec"} & loaded == set()
    assert [name for name in loaded if name.startswith("mcpeak.") and name.endswith(".tool")] == [
        "mcpeak.front.tool"
    ]
