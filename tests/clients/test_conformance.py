"""The MCP conformance suite's server scenarios against examples/conformance.mock.json, at both revisions."""

import shutil
import subprocess
from pathlib import Path

import pytest

from support.clients import MINUTES, install
from support.mocks import serving
from support.programs import ROOT

pytestmark = [
    pytest.mark.real,
    pytest.mark.timeout(MINUTES),
    pytest.mark.skipif(shutil.which("npm") is None, reason="the suite is installed with npm"),
]
DEFINITION = ROOT / "examples" / "conformance.mock.json"
EXPECTED = {"2026-07-28": ROOT / "tests" / "clients" / "expected.yml"}


@pytest.mark.parametrize("options", [[], ["--sessions"]], ids=["stateless", "sessions"])
@pytest.mark.parametrize("revision", ["2026-07-28", "2025-11-25"])
def test_every_scored_scenario_passes(revision: str, options: list[str], tmp_path: Path) -> None:
    """Exit 0: all scored scenarios pass, and exactly the listed ones fail."""
    here = install("conformance")
    with serving(DEFINITION.read_text(), *options) as served:
        command = [here / "node_modules/node/bin/node", suite(here), "server", "--url", local(served.url)]
        command += ["--requirements", revision, "-o", tmp_path]
        if revision in EXPECTED:
            command += ["--expected-failures", EXPECTED[revision]]
        done = subprocess.run(command, capture_output=True, text=True, timeout=MINUTES, check=False)
    assert done.returncode == 0, done.stdout[-4000:]


def suite(here: Path) -> Path:
    return here / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"


def local(url: str) -> str:
    """The suite wants the name that a browser would use."""
    return url.replace("127.0.0.1", "localhost")
