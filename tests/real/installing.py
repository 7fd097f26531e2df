"""Installing real servers for tests, each alone and once, into build/real, by npm and pip themselves."""

import json
import os
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "build" / "real"
SERVERS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("servers.toml").read_text("utf-8")
)
MINUTES = 10
PASSED = ("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS")
"""Variables that say which certificates to trust: a launcher that installs something needs them."""


class Start(NamedTuple):
    """How to reach a server: the words of a TARGET, and the variables that are passed on to it."""

    target: list[str]
    variables: dict[str, str]

    @property
    def words(self) -> list[str]:
        """Give the options and the command."""
        return [*(word for name in self.variables for word in ("--env", name)), *self.target]


def installed(name: str) -> Path:
    """Install a server if it is not there yet; give the folder of its programs."""
    server = SERVERS[name]
    if "uses" in server:
        return installed(server["uses"])
    folder = HERE / name
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
        return [["npm", "install", "--prefix", str(folder), *quiet, *server["npm"]]] if server["npm"] else []
    python = str(folder / "venv" / "bin" / "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    return [[sys.executable, "-m", "venv", str(folder / "venv")], [*pip, *server["pip"]]]


def start(name: str) -> Start:
    """Tell how to start and reach a server that is installed."""
    server = SERVERS[name]
    places = {
        "bin": installed(name),
        "behind": installed(server["behind"]) if "behind" in server else "",
        "here": HERE / name,
        "python": sys.executable,
        "port": _free_port(),
    }
    command = [word.format(**places) for word in server["command"]]
    variables = {key: word.format(**places) for key, word in server.get("env", {}).items()}
    if "cache" in "".join(variables.values()):
        variables |= {key: os.environ[key] for key in PASSED if key in os.environ}
    url = ["--url", server["url"].format(**places)] if "url" in server else []
    return Start([*url, "--", *command], variables)


def command(name: str) -> list[str]:
    """Give the words that start a server over stdio, in a working directory of its own."""
    words = start(name).target
    return words[words.index("--") + 1 :]


def eras(name: str) -> list[str]:
    """Name the protocol eras that a server speaks."""
    return list(SERVERS[name].get("eras", ["legacy"]))


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def main() -> int:
    """Install what is named, or everything; for people and CI caches."""
    for name in sys.argv[1:] or SERVERS:
        sys.stdout.write(f"{name}: {os.path.relpath(installed(name), ROOT)}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
