"""All of vectors/cli.json: exit code, error code, and which of the two channels speaks."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from support.differences import differences
from support.programs import BIN, DATA, environment

RUNS = json.loads((DATA / "vectors" / "cli.json").read_text())["runs"]
DIFFERENT = differences("cli")
SUITE = {
    "schemaVersion": 1,
    "id": "s",
    "name": "s",
    "cases": [
        {
            "id": "ok",
            "name": "ok",
            "operation": {"type": "callTool", "tool": "ok", "input": {}},
            "assertions": [{"type": "isError", "expected": False}],
        }
    ],
}


def name_of(run):
    env = [f"{key}={value}" for key, value in run.get("env", {}).items()]
    return " ".join([*env, "mcpeak", *run["args"]])


NAMES = [name_of(run) for run in RUNS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("cli")
    (made / "W").mkdir()
    for name in ("s.json", "s.txt"):
        (made / "W" / name).write_text(json.dumps(SUITE))
    (made / "servers").symlink_to(DATA / "servers")
    return made


def seen(run, folder):
    done = subprocess.run(
        [sys.executable, str(BIN / "mcpeak"), *run["args"]],
        capture_output=True,
        cwd=folder,
        env=environment(**run.get("env", {})),
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    code = re.search(rb"\[([A-Z_]+)", done.stderr)
    return {
        "exitCode": done.returncode,
        "errorCode": code[1].decode() if code else None,
        "stdout": "text" if done.stdout else "empty",
        "stderr": "text" if done.stderr else "empty",
        "ansiInStdout": b"\x1b[" in done.stdout,
    }


@pytest.mark.parametrize("run", RUNS, ids=NAMES)
def test_the_command_line_answers_as_the_reference_does(run, folder):
    if "node" in run["args"] and shutil.which("node") is None:
        pytest.skip("node is not installed")
    expected = {key: run[key] for key in ("exitCode", "errorCode", "stdout", "stderr", "ansiInStdout")}
    ours = {key: value or None for key, value in DIFFERENT.get(name_of(run), {}).items() if key != "reason"}
    assert [key for key in ours if ours[key] == expected[key]] == [], "no longer a difference"
    assert seen(run, folder) == expected | ours


def test_each_named_difference_is_one_of_a_vector():
    assert set(DIFFERENT) <= set(NAMES)
