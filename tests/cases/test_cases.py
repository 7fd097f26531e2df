"""Each failure that real users met, rebuilt in tests/data/cases, run as its own shell script says."""

import re
import subprocess
import sys

import pytest

from support.programs import BIN, DATA, environment

CASES = DATA / "cases"
NAMES = sorted(path.parent.name for path in CASES.glob("*/run.sh"))
COMMANDS = {"test": {"validate", "run", "report"}, "generate": {"tools", "generate", "approve"}}
GENERATE = "mcpeak generate --baseline-only"


def programs_of(name):
    """The programs that a case's script calls, itself or through a helper beside it."""
    text = "\n".join(
        path.read_text("utf-8", "replace")
        for path in (CASES / name).iterdir()
        if path.suffix in (".sh", ".py")
    )
    needed = {word for word in re.findall(r"mcpeak-([a-z]+)\b", text) if word != "no"}
    for word in re.findall(r"mcpeak[\", ]+(test|generate)\b", text):
        needed |= COMMANDS[word]
    return needed | ({"session"} if "-session" in text else set())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.timeout(180)
def test_a_real_failure_is_handled(name):
    lacking = sorted(word for word in programs_of(name) if not (BIN / f"mcpeak-{word}").exists())
    if lacking:
        pytest.skip(f"not there yet: {', '.join(lacking)}")
    done = subprocess.run(
        [sys.executable, str(CASES / "run_all.py"), name],
        capture_output=True,
        env=environment(MCPEAK_GENERATE=GENERATE),
        timeout=170,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode()
