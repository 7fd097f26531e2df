"""Very many runs in one process leak nothing: no process, no descriptor, no temporary file, no memory."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from support.programs import BIN, environment
from support.running import case, stream, suite

QUICK = Path(__file__).parent / "servers" / "quick.sh"
RUNS = 2000


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_two_thousand_runs_leak_nothing(tmp_path):
    """With 40 descriptors at most, one leaked in each run would end it soon."""

    def few_descriptors():
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))

    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(BIN / "mcpeak-run"), "--repeat", str(RUNS), "--", str(QUICK)],
        input=stream(suite(case("a", "echo"))),
        capture_output=True,
        env=environment(TMPDIR=str(tmp_path)),
        timeout=280,
        check=False,
        preexec_fn=few_descriptors,
    )
    assert done.stderr == b"0\n"
    assert done.stdout.count(b'"type":"runFinished"') == RUNS
    assert done.stdout.count(b'"status":"passed","summary"') == RUNS
    assert list(tmp_path.iterdir()) == []


WATCHED = """
import os, runpy, sys
from pathlib import Path
sys.argv = sys.argv[1:]
os._exit = sys.exit  # the program leaves at once; here its children are counted first
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    left = Path("/proc/self/task")
    children = [(task / "children").read_text().split() for task in left.iterdir()] if left.is_dir() else []
    print(sum(map(len, children)), file=sys.stderr)
"""
