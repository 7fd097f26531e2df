"""Eight real clients list and call over both transports, and those that can, with the modern era pinned."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from support.clients import MINUTES, TABLE, install, mock_command, run_client
from support.mocks import serving
from support.programs import ROOT

pytestmark = [
    pytest.mark.real,
    pytest.mark.timeout(MINUTES),
    pytest.mark.skipif(shutil.which("npm") is None, reason="the clients are installed with npm"),
]
WEATHER = ROOT / "examples" / "weather" / "weather.mock.json"
CLIENTS: list[dict[str, Any]] = TABLE["client"]
PINNED = [client for client in CLIENTS if client.get("modern")]


def work(client: dict[str, Any], transport: str, target: list[str], home: Path) -> str:
    """Run a client's command lines; give what the last one printed."""
    here = install(client["environment"])
    said = ""
    try:
        for words in client.get(transport) or client["http"]:
            said = run_client(words, target, home, here)
    finally:
        if "closes" in client:
            session = "@h" if transport == "http" else "@s"
            run_client([word.replace("{session}", session) for word in client["closes"]], [], home, here)
    return said


def on_stdio(client: dict[str, Any], home: Path, *options: str) -> str:
    command = mock_command(WEATHER) + list(options)
    entry = {"command": command[0], "args": command[1:]}
    (home / "mock.json").write_text(json.dumps({"mcpServers": {"mock": entry}}))
    return work(client, "stdio", command, home)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client["name"])
def test_lists_and_calls_over_stdio(client: dict[str, Any], tmp_path: Path) -> None:
    assert client["shows"] in on_stdio(client, tmp_path)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client["name"])
@pytest.mark.parametrize(
    "options", [[], ["--sse"], ["--sessions"]], ids=lambda options: "".join(options) or "json"
)
def test_lists_and_calls_over_http(client: dict[str, Any], options: list[str], tmp_path: Path) -> None:
    with serving(WEATHER.read_text(), *options) as served:
        assert client["shows"] in work(client, "http", [served.url], tmp_path)


@pytest.mark.parametrize("client", PINNED, ids=lambda client: client["name"])
def test_lists_and_calls_a_mock_that_is_modern_only(client: dict[str, Any], tmp_path: Path) -> None:
    assert client["shows"] in on_stdio(client, tmp_path, "--protocol", "modern")
    with serving(WEATHER.read_text(), "--protocol", "modern") as served:
        assert client["shows"] in work(client, "http", [served.url], tmp_path)


LEGACY = [client for client in CLIENTS if not client.get("modern")]


@pytest.mark.parametrize("client", LEGACY, ids=lambda client: client["name"])
def test_lists_and_calls_a_mock_that_is_legacy_only(client: dict[str, Any], tmp_path: Path) -> None:
    """A probing client falls back at once."""
    shows = client["shows"].replace("2026-07-28", "2025-11-25")
    assert shows in on_stdio(client, tmp_path, "--protocol", "legacy")
    with serving(WEATHER.read_text(), "--protocol", "legacy") as served:
        assert shows in work(client, "http", [served.url], tmp_path)
