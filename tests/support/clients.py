"""Real MCP clients, installed from the registries into build/clients (git-ignored), run against our mock."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from support.programs import BIN, DATA, ROOT, environment

HERE = ROOT / "build" / "clients"
DRIVERS = DATA / "peers" / "clients"
TABLE = tomllib.loads((ROOT / "tests" / "clients" / "clients.toml").read_text())
MINUTES = 600


def install(name: str) -> Path:
    """Install an environment once; its stamp tells what is in it."""
    wanted = TABLE["environment"][name]
    folder, stamp = HERE / name, HERE / name / "installed.json"
    if stamp.exists() and json.loads(stamp.read_text()) == wanted:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for command in _commands(wanted, folder):
        subprocess.run(command, cwd=folder, check=True, timeout=MINUTES, stdout=subprocess.DEVNULL)
    if "driver" in wanted:
        shutil.copy(DRIVERS / wanted["driver"], folder)
    stamp.write_text(json.dumps(wanted))
    return folder


def _commands(wanted: dict[str, Any], folder: Path) -> list[list[str]]:
    if "pip" in wanted:
        python = str(folder / "bin" / "python")
        return [[sys.executable, "-m", "venv", "."], [python, "-m", "pip", "-q", "install", *wanted["pip"]]]
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    return [["npm", "install", "--no-audit", "--no-fund", "--silent", *wanted["npm"]]]


def mock_command(definition: Path) -> list[str]:
    """The command line of the mock on stdio."""
    return [sys.executable, str(BIN / "mcpeak-mock"), str(definition)]


def run_client(words: list[str], target: list[str], home: Path, here: Path) -> str:
    """Run one command line of the table; give what it printed.

    Raises:
        AssertionError: it did not end well.
    """
    filled: list[str] = []
    for word in words:
        told = word.format(here=here, drivers=DRIVERS, home=home) if "{" in word else word
        filled += target if told == "TARGET" else [told]
    env = environment() | {"HOME": str(home), "NO_COLOR": "1", "PATH": os.environ["PATH"]}
    done = subprocess.run(filled, capture_output=True, env=env, timeout=120, text=True, check=False)
    assert done.returncode == 0, f"{filled}\n{done.stdout}\n{done.stderr}"
    return done.stdout
