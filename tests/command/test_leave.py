"""How a program ends: at once, with everything said."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.programs import ROOT

CODE = "import sys; sys.path.insert(0, sys.argv[1]); from mcpeak.command.exits import leave; "


def left(code, **rest):
    command = [sys.executable, "-c", CODE + code, str(ROOT / "lib")]
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=60, check=False, **rest)


def test_what_was_said_arrives():
    done = left("print('x' * 100000); leave(3)", stdout=subprocess.PIPE)
    assert (done.returncode, len(done.stdout)) == (3, 100_001)


def test_a_reader_that_has_gone_is_told_by_the_code():
    command = '$0 -c "$1" $2 | true; echo ${PIPESTATUS[0]}'
    code = CODE + "import time; time.sleep(0.5); print('x'); leave(0)"
    env = {**os.environ, "PYTHONUNBUFFERED": ""}
    words = ["bash", "-c", command, sys.executable, code, str(ROOT / "lib")]
    assert (
        subprocess.run(words, capture_output=True, text=True, timeout=60, check=True, env=env).stdout
        == "141\n"
    )


def test_a_full_disk_ends_nothing_else():
    with Path("/dev/full").open("w", encoding="ascii") as full:
        assert left("print('x'); leave(1)", stdout=full).returncode == 1
