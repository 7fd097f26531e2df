"""A stream of 100,000 cases: one pass, little memory (CONTRACT §5: a report never fails for being large)."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcpeak.wire.records import Begin, Counts, End
from mcpeak.wire.writer import encode
from support.programs import BIN, environment
from support.streams import case, finished, started, written

CASES = 100_000
MEASURED = """
import resource, subprocess, sys
with open(sys.argv[1], "rb") as stream:
    done = subprocess.run(sys.argv[2:], stdin=stream, stdout=subprocess.DEVNULL, check=False)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def stream() -> Iterator[bytes]:
    statuses = ["failed" if index % 100 == 7 else "passed" for index in range(CASES)]
    yield encode(Begin(stage="run", stream=1))
    yield encode(written(*(f"case-{index}" for index in range(CASES))))
    yield encode(started(CASES))
    models = {status: b"\n".join(map(encode, case(0, "@", status))) for status in ("passed", "failed")}
    for index, status in enumerate(statuses):
        lines = models[status].replace(b'"index":0', b'"index":%d' % index)
        yield lines.replace(b"@", b"case-%d" % index)
    yield encode(finished(*statuses))
    yield encode(End(stage="run", counts=Counts()))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is KiB on Linux only")
def test_human_and_junit_stay_under_150_mebibytes(tmp_path: Path) -> None:
    (tmp_path / "s.ndjson").write_bytes(b"\n".join([*stream(), b""]))
    report = [sys.executable, str(BIN / "mcpeak-report"), "--junit", str(tmp_path / "j.xml")]
    command = [sys.executable, "-c", MEASURED, str(tmp_path / "s.ndjson"), *report]
    done = subprocess.run(command, env=environment(), capture_output=True, timeout=100, check=True)
    code, kibibytes = map(int, done.stdout.split())
    assert code == 1
    assert kibibytes < 150 * 1024
    assert (tmp_path / "j.xml").read_bytes().count(b"<testcase ") == CASES
