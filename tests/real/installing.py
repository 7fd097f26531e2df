"""Installing real servers for tests, each alone and once, into build/real, by npm and pip themselves."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "build" / "real"
SERVERS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("servers.toml").read_text("utf-8")
)
MINUTES = 10


def installed(name: str) -> Path:
    """Install a server if it is not there yet; give the folder of its programs."""
    server, folder = SERVERS[name], HERE / name
    wanted = json.dumps([server.get("npm"), server.get("pip")])
    stamp = folder / "installed.json"
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        folder.mkdir(parents=True, exist_ok=True)
        for command in _commands(server, folder):
            done = subprocess.run(command, capture_output=True, timeout=MINUTES * 60, check=False)
            if done.returncode:
                raise RuntimeError(f"{command[0]} failed for {name}:\n{done.stderr.decode()[-2000:]}")
        stamp.write_text(wanted, "utf-8")
    return folder / ("node_modules/.bin" if "npm" in server else "venv/bin")


def _commands(server: dict[str, Any], folder: Path) -> list[list[str]]:
    if "npm" in server:
        quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
        return [["npm", "install", "--prefix", str(folder), *quiet, *server["npm"]]]
    python = str(folder / "venv" / "bin" / "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    return [[sys.executable, "-m", "venv", str(folder / "venv")], [*pip, *server["pip"]]]


def command(name: str) -> list[str]:
    """Give the words that start a server, in a working directory of its own."""
    place = str(installed(name))
    return [word.format(bin=place) for word in SERVERS[name]["command"]]


def eras(name: str) -> list[str]:
    """Name the protocol eras that a server speaks."""
    return list(SERVERS[name].get("eras", ["legacy"]))


def main() -> int:
    """Install what is named, or everything; for people and CI caches."""
    for name in sys.argv[1:] or SERVERS:
        sys.stdout.write(f"{name}: {os.path.relpath(installed(name), ROOT)}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
