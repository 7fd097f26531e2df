"""The table of docs/sessions.md: each client records, and replays with the API off, in HTTP and HTTPS.

Clients that need no installation run always; the others are marked `real` and installed into build/session.
"""

import json
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from support.programs import ROOT
from support.session_api import api, write_ca
from support.sessions import record, replay

HERE = Path(__file__).parent / "clients"
BUILD = ROOT / "build" / "session"
NODE_PACKAGES = ("undici", "axios", "got", "node-fetch", "ky")
PYTHON_PACKAGES = ("requests", "httpx", "urllib3", "aiohttp", "aiodns", "uvloop", "uv", "gevent", "eventlet")
real = pytest.mark.real
PYTHON = (sys.executable,)


@cache
def node_modules() -> Path:
    """Install the Node clients; give the folder to run them in."""
    if not (BUILD / "node_modules").is_dir():
        BUILD.mkdir(parents=True, exist_ok=True)
        (BUILD / "package.json").write_text('{"private": true}')
        words = ["npm", "install", "--no-audit", "--no-fund", *NODE_PACKAGES]
        subprocess.run(words, cwd=BUILD, check=True, timeout=600, capture_output=True)
    return BUILD


@cache
def python() -> str:
    """Install the Python clients; give their interpreter."""
    home = BUILD / "venv"
    mark = home / "bin" / f"installed-{len(PYTHON_PACKAGES)}"
    if not mark.exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True, timeout=300)
        words = [str(home / "bin" / "pip"), "install", "-q", *PYTHON_PACKAGES]
        subprocess.run(words, check=True, timeout=900, capture_output=True)
        mark.touch()
    return str(home / "bin" / "python")


def installed(name: str) -> list[str]:
    folder = node_modules()
    shutil.copy(HERE / name, folder / name)
    return ["node", str(folder / name)]


def virtual(name: str) -> list[str]:
    return [python(), str(HERE / name)]


CLIENTS = {
    "node fetch": lambda: ["node", str(HERE / "fetch.mjs")],
    "node:http(s)": lambda: ["node", str(HERE / "node-SCHEME.mjs")],
    "node worker thread and child": lambda: ["node", str(HERE / "worker.mjs")],
    "python urllib": lambda: [*PYTHON, str(HERE / "urllib_client.py")],
    "python http.client": lambda: [*PYTHON, str(HERE / "http_client.py")],
    "httpx": lambda: [*PYTHON, str(HERE / "httpx_client.py")],
    "httpx async": lambda: [*PYTHON, str(HERE / "httpx_async_client.py")],
    "python worker process and child": lambda: [*PYTHON, str(HERE / "worker_client.py")],
    "curl": lambda: ["sh", str(HERE / "curl.sh")],
}
INSTALLED = {
    "undici": lambda: installed("undici.mjs"),
    "axios": lambda: installed("axios.mjs"),
    "got": lambda: installed("got.mjs"),
    "node-fetch": lambda: installed("node-fetch.mjs"),
    "ky": lambda: installed("ky.mjs"),
    "requests": lambda: virtual("requests_client.py"),
    "urllib3": lambda: virtual("urllib3_client.py"),
    "aiohttp": lambda: virtual("aiohttp_client.py"),
    "urllib on gevent": lambda: [*virtual("green_client.py"), "{base}", "gevent"],
    "urllib on eventlet": lambda: [*virtual("green_client.py"), "{base}", "eventlet"],
    "aiohttp on uvloop": lambda: [*virtual("aiohttp_client.py"), "{base}", "uvloop"],
}
PROGRAMS = {"node": "node", "curl": "curl"}


def needs(name: str) -> None:
    program = next((one for one in PROGRAMS if name.startswith(one)), "")
    if program and shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")


def rehearse(command: list[str], scheme: str, folder: Path) -> None:
    """Record the command against the API, switch the API off, replay it, and compare."""
    import trustme

    file = folder / "calls.session"
    authority = trustme.CA() if scheme == "https" else None
    options = ("--ca", str(write_ca(authority, folder))) if authority else ()
    with api(authority, "localhost" if authority else "127.0.0.1") as live:
        words = [word.replace("SCHEME", scheme).replace("{base}", live.url) for word in command]
        if "{base}" not in command:
            words.append(live.url)
        recorded = record(file, *words, options=options)
        hits = len(live.hits)
    replayed = replay(file, *words)
    assert (recorded.code, recorded.err, recorded.records) == (0, "", [])
    assert hits == 2
    assert (replayed.code, replayed.out, replayed.err, replayed.records) == (0, recorded.out, "", [])


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("name", CLIENTS)
def test_a_client_replays_what_it_recorded(name, scheme, tmp_path):
    needs(name)
    rehearse(CLIENTS[name](), scheme, tmp_path)


@real
@pytest.mark.timeout(900)
@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("name", INSTALLED)
def test_an_installed_client_replays_what_it_recorded(name, scheme, tmp_path):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    rehearse(INSTALLED[name](), scheme, tmp_path)


@real
@pytest.mark.timeout(900)
def test_a_child_started_through_npx(tmp_path):
    if shutil.which("npx") is None:
        pytest.skip("npx is not installed")
    package = tmp_path / "package"
    package.mkdir()
    program = "#!/usr/bin/env node\n" + (HERE / "fetch.mjs").read_text()
    (package / "fetch.mjs").write_text(program)
    (package / "fetch.mjs").chmod(0o755)
    named = {"name": "asks-twice", "version": "1.0.0", "bin": {"asks-twice": "fetch.mjs"}, "type": "module"}
    (package / "package.json").write_text(json.dumps(named))
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "package.json").write_text('{"private": true}')
    words = ["npm", "install", "--offline", "--no-audit", "--no-fund", str(package)]
    subprocess.run(words, cwd=tmp_path / "project", check=True, timeout=120, capture_output=True)
    rehearse(["npx", "--no-install", "--prefix", str(tmp_path / "project"), "asks-twice"], "http", tmp_path)


@real
@pytest.mark.timeout(900)
def test_a_child_started_through_uvx(tmp_path):
    uvx = str(Path(python()).parent / "uvx")
    package = tmp_path / "package"
    package.mkdir()
    text = (HERE / "urllib_client.py").read_text()
    start = text.index("base = ")
    body = "\n".join(f"    {line}" if line else "" for line in text[start:].splitlines())
    (package / "asks_twice.py").write_text(f"{text[:start]}def main():\n{body}\n")
    (package / "pyproject.toml").write_text(
        '[project]\nname = "asks-twice"\nversion = "1.0"\nrequires-python = ">=3.9"\n'
        '[project.scripts]\nasks-twice = "asks_twice:main"\n'
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
        '[tool.setuptools]\npy-modules = ["asks_twice"]\n'
    )
    words = [uvx, "--python", sys.executable, "--from", str(package), "asks-twice"]
    subprocess.run(
        [*words, "http://127.0.0.1:9"], timeout=600, capture_output=True, check=False
    )  # builds it once
    rehearse([words[0], "--offline", *words[1:]], "http", tmp_path)
