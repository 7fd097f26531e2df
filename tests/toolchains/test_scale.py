"""One machine or many: the same verdict and the same bytes (GNU parallel, shards, concatenated streams)."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.programs import ROOT, environment, run

SERVER = [sys.executable, str(ROOT / "examples" / "weather" / "server.py")]
SUITES = ["weather.suite.json", "failing.suite.json"]


@pytest.fixture(params=SUITES)
def stream(request: pytest.FixtureRequest) -> bytes:
    return run("mcpeak-validate", str(ROOT / "examples" / "weather" / request.param)).stdout


def report(*streams: bytes) -> tuple[int, bytes]:
    done = run("mcpeak-report", "--json", "--stderr-lines", "0", stdin=b"".join(streams))
    return done.returncode, done.stdout


def shard(stream: bytes, index: int, of: int) -> bytes:
    return run("mcpeak-run", "--shard", f"{index}/{of}", "--", *SERVER, stdin=stream).stdout


def passing(stream: bytes) -> bool:
    return b'"id":"server-dies"' not in stream.replace(b" ", b"")


def test_joined_shards_give_the_report_of_one_machine(stream: bytes):
    if not passing(stream):
        pytest.skip("a server that dies stops only its own shard")
    whole = run("mcpeak-run", "--", *SERVER, stdin=stream).stdout
    shards = [shard(stream, index, 3) for index in (1, 2, 3)]
    assert report(*shards) == report(whole)
    assert report(*reversed(shards)) == report(whole)


def test_a_missing_share_is_red(stream: bytes):
    code, _ = report(shard(stream, 1, 3), shard(stream, 3, 3))
    assert code != 0


@pytest.mark.skipif(shutil.which("parallel") is None, reason="GNU parallel is not installed")
def test_gnu_parallel_gives_the_report_of_one_machine(tmp_path: Path):
    stream = run("mcpeak-validate", str(ROOT / "examples" / "weather" / "weather.suite.json")).stdout
    (tmp_path / "suite.ndjson").write_bytes(stream)
    command = f"mcpeak-run --shard {{}}/4 -- {' '.join(SERVER)} < suite.ndjson"
    done = subprocess.run(
        ["parallel", "--keep-order", "--jobs", "2", command, ":::", "1", "2", "3", "4"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        timeout=100,
        check=False,
    )
    assert report(done.stdout) == report(run("mcpeak-run", "--", *SERVER, stdin=stream).stdout)


def test_suites_side_by_side_give_the_report_of_suites_in_turn():
    suites = [str(path) for path in sorted((ROOT / "examples" / "make" / "suites").glob("*.suite.json"))]
    in_turn = run("mcpeak", "test", *suites, "--json", "--", *SERVER)
    side_by_side = run("mcpeak", "test", *suites, "--json", "--jobs", "2", "--", *SERVER)
    assert side_by_side.stdout == in_turn.stdout
