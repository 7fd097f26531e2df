"""Real servers, as users install them, in every era that they speak: green, recorded, nothing left behind.

The records stay in build/real/records; `table.py` writes docs/servers.md from them.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from real.folder import make
from real.installing import HERE, SERVERS, eras, start
from support.programs import BIN, environment

pytestmark = [pytest.mark.real, pytest.mark.timeout(900)]
TESTS = Path(__file__).parent
RECORDS = HERE / "records"
MARK = f"mcpeak-real-{os.getpid()}"
RESET = f"{sys.executable} {TESTS / 'folder.py'}"


@pytest.fixture
def folder(tmp_path):
    """A folder with what the servers' suites expect in ./work."""
    make(tmp_path / "work")
    before = {process.pid for process in psutil.process_iter()}
    yield tmp_path
    assert left(tmp_path, before) == []


def left(folder, before):
    """Name the processes of servers that still run, after a moment's grace."""
    for _ in range(100):
        found = [
            " ".join(process.info["cmdline"] or [])
            for process in psutil.process_iter(["cmdline"])
            if process.pid not in before and belongs(process, str(folder))
        ]
        if not found:
            break
        time.sleep(0.02)
    return found


def belongs(process, folder):
    """Tell whether a process belongs to a server of ours: by its working directory or our mark."""
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        return process.cwd().startswith(folder) or process.environ().get("MARK") == MARK
    except psutil.Error:
        return False


def suite(name):
    return str(TESTS / "suites" / f"{SERVERS[name].get('suite', name)}.suite.json")


def program(name, words, folder, stdin=b"", **variables):
    return subprocess.run(
        [sys.executable, str(BIN / name), *words],
        input=stdin,
        cwd=folder,
        capture_output=True,
        env=environment(MARK=MARK, **variables),
        timeout=200,
        check=False,
    )


def keep(name, records):
    RECORDS.mkdir(parents=True, exist_ok=True)
    (RECORDS / name).write_bytes(records)


@pytest.mark.parametrize(("name", "era"), [(name, era) for name in SERVERS for era in eras(name)])
def test_a_real_server_passes_its_suite(name, era, folder):
    server = start(name)
    words = ["--protocol", era, "--cwd", "work", "--env", "MARK", *server.words]
    validated = program("mcpeak-validate", [suite(name)], folder)
    ran = program("mcpeak-run", words, folder, validated.stdout, **server.variables)
    told = program("mcpeak-report", ["--junit", "report.xml"], folder, ran.stdout)
    assert (ran.returncode, told.returncode) == (0, 0), told.stdout.decode() + ran.stderr.decode()
    keep(f"{name}.{era}.ndjson", ran.stdout)
    (started,) = [
        record for record in map(json.loads, ran.stdout.splitlines()) if record["type"] == "runStarted"
    ]
    assert started["server"]["era"] == era
    assert (folder / "report.xml").exists()


@pytest.mark.parametrize("name", SERVERS)
def test_one_command_tests_it_in_whatever_it_speaks(name, folder):
    server = start(name)
    eras_too = ["--matrix", "--reset-cmd", RESET] if len(eras(name)) > 1 else []
    words = ["test", suite(name), *eras_too, "--cwd", "work", "--env", "MARK", *server.words]
    done = program("mcpeak", words, folder, **server.variables)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()


@pytest.mark.parametrize("name", SERVERS)
def test_its_tools_are_listed(name, folder):
    server = start(name)
    done = program(
        "mcpeak-tools", ["--cwd", "work", "--env", "MARK", *server.words], folder, **server.variables
    )
    assert done.returncode == 0, done.stderr.decode()
    assert b'{"type":"tool"' in done.stdout
    keep(f"{name}.tools.ndjson", done.stdout)
